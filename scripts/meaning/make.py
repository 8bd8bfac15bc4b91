"""Makes the table of what words mean: see README.md beside it."""

import json
import random
import re
import subprocess
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import scipy.sparse as sparse
from teacher import Teacher
from wordfreq import top_n_list, zipf_frequency

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache" / "meaning"
WORDNET = CACHE / "package" / "dict"
OUT = ROOT / "crates" / "core" / "src" / "index" / "meaning"

CANDIDATES, STEMS, DIMENSIONS, PIECES, CODES = 16_000, 10_000, 96, 12, 256
EXAMPLES_FIRST, SENTENCES = 45_000, 72_000
# By these a first name is told: others lie near their middle, and are not in WordNet as words.
FIRST_NAMES = (
    "john mary david sarah michael jennifer james linda robert susan thoma emma daniel laura kevin karen brian steven anna peter kate "
    "rachel hannah"
).split()
LIKE_A_NAME = 0.38


def tokens_of(lines):
    """The tokens of texts as the engine's index makes them."""
    program = ROOT / "target" / "release" / "examples" / "tokens"
    text = "\n".join(line.replace("\n", " ") for line in lines)
    out = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout
    return [line.split() for line in out.split("\n")][: len(lines)]


def sentences():
    """The examples of WordNet, and the definitions of its commoner words."""
    examples, definitions = set(), []
    for kind in ("noun", "verb", "adj", "adv"):
        for line in open(WORDNET / f"data.{kind}", encoding="latin-1"):
            if line.startswith("  "):
                continue
            head, _, gloss = line.partition("|")
            fields = head.split()
            words = [fields[4 + 2 * n].replace("_", " ").split("(")[0] for n in range(int(fields[3], 16))]
            examples.update(said.strip() for said in re.findall(r'"([^"]+)"', gloss) if 3 <= len(said.split()) <= 25)
            definition = re.sub(r"\([^)]*\)", "", re.sub(r'"[^"]*"', "", gloss).strip(" ;\n")).strip()
            common = max(zipf_frequency(word, "en") for word in words)
            if common > 3 and kind != "adv":
                definitions.append((common, ", ".join(words[:3]) + ": " + definition))
    examples = sorted(examples)
    random.Random(7).shuffle(examples)
    definitions.sort(reverse=True)
    return (examples + [text for _, text in definitions[:EXAMPLES_FIRST]])[:SENTENCES]


def stems(teacher):
    """Stems by how common they are, their frequencies, and the vectors of their commonest forms."""
    in_wordnet = set()
    for kind in ("noun", "verb", "adj", "adv"):
        lines = open(WORDNET / f"index.{kind}", encoding="latin-1")
        in_wordnet.update(line.split()[0] for line in lines if not line.startswith("  "))
    words = [word for word in top_n_list("en", 60_000) if re.fullmatch(r"[a-z][a-z']+", word)]
    frequency, forms = Counter(), defaultdict(list)
    for word, tokens in zip(words, tokens_of(words)):
        if len(tokens) == 1 and not tokens[0].startswith("~"):
            share = 10 ** (zipf_frequency(word, "en") - 9)
            frequency[tokens[0]] += share
            forms[tokens[0]].append((share, word))
    names = [stem for stem, _ in frequency.most_common(CANDIDATES)]
    asked = sorted({word for stem in names for _, word in sorted(forms[stem])[-4:]})
    vector_of = dict(zip(asked, teacher.encode(asked, 256)))
    vectors = np.stack([sum(np.sqrt(share) * vector_of[word] for share, word in sorted(forms[stem])[-4:]) for stem in names])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    is_word = [any(word in in_wordnet or word.rstrip("s") in in_wordnet for _, word in forms[stem]) for stem in names]
    return names, np.array([frequency[stem] for stem in names]), vectors, is_word


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
    teacher = Teacher()
    texts = sentences()
    kept = CACHE / "sentences.npy"
    if not kept.exists():
        np.save(kept, teacher.encode(texts).astype(np.float16))
    targets = np.load(kept).astype(np.float32)
    targets -= targets.mean(0)
    axes = np.linalg.eigh(targets.T @ targets)[1][:, ::-1][:, :DIMENSIONS]
    targets = unit(targets @ axes)

    names, frequency, vectors, is_word = stems(teacher)
    centred = unit(vectors - vectors.mean(0))
    place_of = {stem: place for place, stem in enumerate(names)}
    middle = unit(centred[[place_of[name] for name in FIRST_NAMES if name in place_of]].mean(0)[None])[0]

    # The directions, of more stems than are kept: those of others learn from them what a sentence says besides.
    counts, good = counts_of(texts, place_of)
    first = unit((vectors - vectors.mean(0)) @ axes) * np.sqrt(1e-3 / (1e-3 + frequency))[:, None]
    rows = first.astype(np.float32)
    directions = Adam(rows, 0.01)
    for some, left in batches(len(good), 6, 1):
        slope = slope_of_sums(counts[some], targets[good][some], rows)
        directions.move(slope + 1e-5 * (rows - first), left)

    is_name = (centred @ middle > LIKE_A_NAME) & ~np.array(is_word) | np.isin(names, FIRST_NAMES)
    own = [place for place in range(len(names)) if not is_name[place]][:STEMS]
    lengths = np.linalg.norm(rows[own], axis=1, keepdims=True)
    weights = np.minimum(1, (frequency[own] / frequency[own[-1]]) ** 0.25)
    rotation, middles, codes = quantise(rows[own] / lengths, weights)
    whole = (rows[own] / lengths @ rotation).astype(np.float32)
    targets = (targets @ rotation).astype(np.float32)

    # The middles and weights once more, with the codes as they are.
    counts, good = counts_of(texts, {names[place]: number for number, place in enumerate(own)})
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

    order = sorted((number for number, place in enumerate(own) if names[place] != "user"), key=lambda number: names[own[number]].encode())
    share = np.clip(np.round(lengths.ravel() / lengths.max() * 255), 1, 255).astype(np.uint8)
    OUT.joinpath("words.txt").write_text("".join(names[own[number]] + "\n" for number in order))
    OUT.joinpath("codes.bin").write_bytes(b"".join(bytes(codes[number].astype(np.uint8)) + bytes([share[number]]) for number in order))
    OUT.joinpath("centroids.bin").write_bytes(np.round(middles / np.abs(middles).max() * 127).astype(np.int8).tobytes())
    print(json.dumps({"stems": len(order), "usual weight": int(np.median(share))}))


if __name__ == "__main__":
    main()
