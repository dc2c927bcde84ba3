"""Every number that decides how a head is made, in one place. Standard library only."""

from specviz.training.drafts.settings import Effort

COOL_DOWN = 0.6
"""Share of the steps at the end in which the learning rates fall."""
TRIMMED_FROM = 2
"""A head scores all ids, unless the target has more than so many times the ids that it may write at most."""
USUAL = Effort(kept=8192, epochs=4.0, warm_up=30_000)
"""Of the same text as a draft: the same work folder serves both."""
QUICK = Effort(
    tokens=1500, at_once=24, longest=32, kept=8192, batch=384, epochs=4.0, warm_up=500, prompts=2, examined_tokens=16
)
"""The complete path with little of everything."""
