"""Makes the table of what words mean: see README.md beside it."""

import json
import random
import re
import subprocess
from base64 import b64decode
from collections import Counter, defaultdict
from hashlib import sha256
from pathlib import Path

import numpy as np
import scipy.sparse as sparse
from names import FILES
from teacher import FOLDER, Teacher

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache" / "meaning"
WORDNET = CACHE / "wordnet" / "package" / "dict"
SCOWL = CACHE / "scowl" / "package"
WEB = CACHE / "web" / "package" / "data" / "cl100k_base.tiktoken"
OUT = ROOT / "crates" / "core" / "src" / "index" / "meaning"

CANDIDATES, STEMS, DIMENSIONS, PIECES, CODES = 16_000, 10_000, 96, 12, 256
EXAMPLES_FIRST, SENTENCES = 45_000, 72_000
# A word is as common as its ranks in two vocabularies say (Zipf, 1949), on average; and a stem at least as the class of its words in
# SCOWL says. What is in no class is a name or a term, and counts less.
MOST_COMMON, OF_NAMES = 0.07, 0.5
CLASSES = {10: 3e-5, 20: 6e-6, 35: 1.5e-6, 40: 4e-7, 50: 4e-7}
# How near to their middle what may be a first name is taken for one, unless it is a town or a country; what is a word as well, such as
# "olive"; and of these a usual name, such as "frank", which so many of a hundred people have.
LIKE_A_NAME, LIKE_NO_WORD, LIKE_A_USUAL_NAME, USUAL = 0.2, 0.35, 0.3, 0.1


def tokens_of(lines):
    """The tokens of texts as the engine's index makes them."""
    program = ROOT / "target" / "release" / "examples" / "tokens"
    text = "\n".join(line.replace("\n", " ") for line in lines)
    out = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout
    return [line.split() for line in out.split("\n")][: len(lines)]


class Sources:
    """What is read of WordNet, of SCOWL, and of two vocabularies, which have the commonest words first: the teacher's, of Wikipedia and
    books, and one of the web."""

    def __init__(self):
        self.senses, self.classes, self.share = [], {}, Counter()
        for kind in ("noun", "verb", "adj", "adv"):
            for line in open(WORDNET / f"data.{kind}", encoding="latin-1"):
                if line.startswith("  "):
                    continue
                head, _, gloss = line.partition("|")
                fields = head.split()
                words = [fields[4 + 2 * n].split("(")[0] for n in range(int(fields[3], 16))]
                self.senses.append((kind, words, gloss))
        for size, least in sorted(CLASSES.items(), reverse=True):
            for dialect in ("english", "american", "british"):
                listed = json.loads((SCOWL / f"{dialect}-words-{size}.json").read_text())
                # Names are written with capitals.
                self.classes.update((word, least) for word in listed if re.fullmatch(r"[a-z][a-z']+", word))
        vocabulary = json.loads((FOLDER / "tokenizer.json").read_text())["model"]["vocab"]
        tokens = [b64decode(line.split()[0]).decode(errors="replace") for line in open(WEB)]
        # There what begins a word has a space before it, and need not be a whole one.
        of_web = [token[1:] for token in tokens if token[:1] == " " and (token[1:] in self.classes or token[1:] in vocabulary)]
        for ranked in sorted(vocabulary, key=vocabulary.get), of_web:
            for rank, word in enumerate((word for word in ranked if re.fullmatch(r"[a-z][a-z']+", word)), 3):
                self.share[word] += MOST_COMMON / rank / 2
        self.first_names = {}
        for name in "first:male", "first:female":
            for line in open(FILES[name]):
                first, percent, *_ = line.split()
                self.first_names[first.lower()] = max(float(percent), self.first_names.get(first.lower(), 0))

    def sentences(self):
        """The examples of WordNet, and the definitions of its commoner words."""
        examples, definitions = set(), []
        for kind, words, gloss in self.senses:
            examples.update(said.strip() for said in re.findall(r'"([^"]+)"', gloss) if 3 <= len(said.split()) <= 25)
            definition = re.sub(r"\([^)]*\)", "", re.sub(r'"[^"]*"', "", gloss).strip(" ;\n")).strip()
            if kind != "adv":
                common = max(self.share[word.lower()] for word in words)
                definitions.append((common, ", ".join(words[:3]).replace("_", " ") + ": " + definition))
        examples = sorted(examples)
        random.Random(7).shuffle(examples)
        definitions.sort(reverse=True)
        return (examples + [text for _, text in definitions[:EXAMPLES_FIRST]])[:SENTENCES]

    def stems(self, teacher):
        """Stems by how common they are, their frequencies, the vectors of their commonest forms, and which are first names."""
        frequency, forms = Counter(), defaultdict(list)
        words = sorted(self.share.keys() | self.classes.keys())
        for word, tokens in zip(words, tokens_of(words)):
            if len(tokens) == 1 and not tokens[0].startswith("~"):
                share = self.share[word]
                frequency[tokens[0]] += share
                forms[tokens[0]].append((share, word))
        least = {stem: max(self.classes.get(word, 0) for _, word in forms[stem]) for stem in forms}
        for stem in forms:
            frequency[stem] = max(frequency[stem], least[stem]) if least[stem] else OF_NAMES * frequency[stem]
        stems = [stem for stem, _ in frequency.most_common(CANDIDATES)]
        commonest = {stem: sorted(forms[stem])[-4:] for stem in stems}
        asked = sorted({word for stem in stems for _, word in commonest[stem]})
        vector_of = dict(zip(asked, teacher.encode(asked)))
        vectors = unit(np.stack([sum(np.sqrt(share) * vector_of[word] for share, word in commonest[stem]) for stem in stems]))
        centred = unit(vectors - vectors.mean(0))
        named = np.array([self.first_names.get(commonest[stem][-1][1], 0) for stem in stems])
        words = np.array([least[stem] > 0 for stem in stems])
        middle = unit(centred[(named > 0) & ~words].mean(0)[None])[0]
        least = np.where(words, np.where(named >= USUAL, LIKE_A_USUAL_NAME, LIKE_NO_WORD), LIKE_A_NAME)
        is_name = (named > 0) & (centred @ middle > least)
        return stems, np.array([frequency[stem] for stem in stems]), vectors, is_name


def unit(rows):
    return rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-9)


class Adam:
    """The optimiser of Kingma and Ba (2015)."""

    def __init__(self, values, rate):
        self.values, self.rate, self.step = values, rate, 0
        self.mean, self.square = np.zeros_like(values), np.zeros_like(values)

    def move(self, slope, left):
        self.step += 1
        self.mean = 0.9 * self.mean + 0.1 * slope
        self.square = 0.999 * self.square + 0.001 * slope * slope
        mean, square = self.mean / (1 - 0.9**self.step), self.square / (1 - 0.999**self.step)
        self.values -= self.rate * left * mean / (np.sqrt(square) + 1e-8)


def counts_of(texts, place_of):
    """Which stems each text holds, of texts that hold at least two, and which texts these are."""
    rows, columns, good = [], [], []
    for place, tokens in enumerate(tokens_of(texts)):
        own = [place_of[token] for token in tokens if token in place_of]
        if len(own) >= 2:
            rows += [len(good)] * len(own)
            columns += own
            good.append(place)
    shape = (len(good), len(place_of))
    return sparse.csr_matrix((np.ones(len(rows), np.float32), (rows, columns)), shape=shape), good


def slope_of_sums(counts, targets, rows):
    """How the cosines between the sums and their targets fall with each row."""
    sums = counts @ rows
    lengths = np.linalg.norm(sums, axis=1, keepdims=True) + 1e-6
    sums /= lengths
    cosines = (sums * targets).sum(1, keepdims=True)
    return (counts.T @ (-(targets - cosines * sums) / lengths)) / len(targets)


def batches(count, epochs, seed):
    generator = np.random.default_rng(seed)
    for epoch in range(epochs):
        order = generator.permutation(count)
        for start in range(0, count, 1024):
            yield order[start : start + 1024], 1 - (epoch * count + start) / (epochs * count)


def nearest(rows, middles):
    return ((middles * middles).sum(1)[None] - 2 * rows @ middles.T).argmin(1)


def cluster(rows, weights, rounds, seed):
    """256 middles of some rows, and the nearest of each: weighted k-means."""
    generator = np.random.default_rng(seed)
    middles = rows[generator.choice(len(rows), CODES, replace=False, p=weights / weights.sum())].copy()
    for _ in range(rounds):
        codes = nearest(rows, middles)
        for code in range(CODES):
            own = codes == code
            middles[code] = np.average(rows[own], axis=0, weights=weights[own]) if own.any() else rows[generator.integers(len(rows))]
    return middles, nearest(rows, middles)


def quantise(rows, weights):
    """A rotation after which pieces of rows are alike, the middles of each piece, and the codes of each row."""
    size = DIMENSIONS // PIECES
    rotation = np.linalg.qr(np.random.default_rng(0).normal(size=(DIMENSIONS, DIMENSIONS)))[0]
    for left in reversed(range(6)):
        turned = rows @ rotation
        parts = [cluster(turned[:, n * size : (n + 1) * size], weights, 8 if left else 25, n) for n in range(PIECES)]
        if left:
            kept = np.concatenate([middles[codes] for middles, codes in parts], axis=1)
            one, _, other = np.linalg.svd((rows * weights[:, None]).T @ kept)
            rotation = one @ other
    return rotation, np.array([middles for middles, _ in parts]), np.array([codes for _, codes in parts]).T


def main():
    teacher, sources = Teacher(), Sources()
    texts = sources.sentences()
    kept = CACHE / f"sentences-{sha256(repr(texts).encode()).hexdigest()[:16]}.npy"
    if not kept.exists():
        np.save(kept, teacher.encode(texts).astype(np.float16))
    targets = np.load(kept).astype(np.float32)
    targets -= targets.mean(0)
    axes = np.linalg.eigh(targets.T @ targets)[1][:, ::-1][:, :DIMENSIONS]
    targets = unit(targets @ axes)

    stems, frequency, vectors, is_name = sources.stems(teacher)
    place_of = {stem: place for place, stem in enumerate(stems)}

    # The directions, of more stems than are kept: those of others learn from them what a sentence says besides.
    counts, good = counts_of(texts, place_of)
    first = unit((vectors - vectors.mean(0)) @ axes) * np.sqrt(1e-3 / (1e-3 + frequency))[:, None]
    rows = first.astype(np.float32)
    directions = Adam(rows, 0.01)
    for some, left in batches(len(good), 6, 1):
        slope = slope_of_sums(counts[some], targets[good][some], rows)
        directions.move(slope + 1e-5 * (rows - first), left)

    own = [place for place in range(len(stems)) if not is_name[place]][:STEMS]
    lengths = np.linalg.norm(rows[own], axis=1, keepdims=True)
    weights = np.minimum(1, (frequency[own] / frequency[own[-1]]) ** 0.25)
    rotation, middles, codes = quantise(rows[own] / lengths, weights)
    whole = (rows[own] / lengths @ rotation).astype(np.float32)
    targets = (targets @ rotation).astype(np.float32)

    # The middles and weights once more, with the codes as they are.
    counts, good = counts_of(texts, {stems[place]: number for number, place in enumerate(own)})
    middles, lengths = middles.astype(np.float32), lengths.astype(np.float32)
    holds = [sparse.csr_matrix((np.ones(len(own), np.float32), (codes[:, n], np.arange(len(own)))), shape=(CODES, len(own))) for n in range(PIECES)]
    size = DIMENSIONS // PIECES
    decoded = lambda: np.concatenate([middles[n][codes[:, n]] for n in range(PIECES)], axis=1)
    moves = Adam(middles, 0.003), Adam(lengths, 0.01)
    for some, left in batches(len(good), 4, 2):
        coded = decoded()
        norms = np.linalg.norm(coded, axis=1, keepdims=True)
        coded /= norms
        slope = slope_of_sums(counts[some], targets[good][some], coded * lengths)
        along = (slope * coded).sum(1, keepdims=True)
        of_codes = lengths / norms * (slope - coded * along) + 2e-6 * (coded - whole)
        moves[0].move(np.stack([holds[n] @ of_codes[:, n * size : (n + 1) * size] for n in range(PIECES)]), left)
        moves[1].move(along, left)
        np.maximum(lengths, 0.02, out=lengths)

    order = sorted((number for number, place in enumerate(own) if stems[place] != "user"), key=lambda number: stems[own[number]].encode())
    share = np.clip(np.round(lengths.ravel() / lengths.max() * 255), 1, 255).astype(np.uint8)
    OUT.joinpath("words.txt").write_text("".join(stems[own[number]] + "\n" for number in order))
    OUT.joinpath("codes.bin").write_bytes(b"".join(bytes(codes[number].astype(np.uint8)) + bytes([share[number]]) for number in order))
    OUT.joinpath("centroids.bin").write_bytes(np.round(middles / np.abs(middles).max() * 127).astype(np.int8).tobytes())
    print(json.dumps({"stems": len(order), "usual weight": int(np.median(share))}))


if __name__ == "__main__":
    main()
