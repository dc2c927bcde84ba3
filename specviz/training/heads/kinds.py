"""The kinds of heads that can be trained: one line for each, with the module that has its objective. Standard library only."""

from specviz.errors import TrainingError

MODULES = {
    "medusa": "medusa",
    "eagle3": "eagle",
    "eagle1": "eagle",
    "mtp": "eagle",
    "dflash": "block",
    "jetspec": "block",
    "dspark": "block",
}
"""Kind -> module of this folder whose `KINDS` has it."""


def check(name: str) -> None:
    """Check that there is such a kind, without loading torch.

    Raises:
        TrainingError: there is not.
    """
    if name not in MODULES:
        raise TrainingError(f"--kind was {name!r:.40}: choose one of {', '.join(MODULES)}.")
