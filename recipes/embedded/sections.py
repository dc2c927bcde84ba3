"""The sections of an examination. Standard library only, so that --help is quick."""

SECTIONS = {
    "knowledge": "questions about countries",
    "forms": "forms, sums and stories",
    "alpha": "acceptance rates",
    "sampled": "acceptance at temperature 0.8",
    "stories": "stories to read",
    "speed": "speedups",
    "bits": "bits a byte",
}
"""Section -> what it is about, in their order."""
