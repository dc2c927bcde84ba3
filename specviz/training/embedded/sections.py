"""What an examination consists of. Standard library only, so that --help can name it at once."""

SECTIONS = {
    "knowledge": "questions on countries",
    "forms": "forms, sums and stories",
    "alpha": "acceptance rates",
    "sampled": "acceptance at temperature 0.8",
    "stories": "stories to read",
    "speed": "speedups",
    "bits": "bits a byte",
}
"""Part -> what it is about, in the order they are taken."""
