"""The task "zoo" of the engine process: the audit of an exhibit on its tiny models. No run of the page leads here: a run names a drafter."""

from dataclasses import replace

from specviz.audit.asked import CHECKS, ExhibitAsked, read
from specviz.audit.following import Following
from specviz.audit.whole import audit
from specviz.audit.zoo.measure import BUDGET, END, PROMPTS, subject
from specviz.audit.zoo.texts import EXHIBITS
from specviz.errors import InputError
from specviz.runs.tasks import Work

_SIMULATIONS = 100
_DRAWN = 200
"""Runs of the first prompt in the histogram, with which it stands clear of where honest decoders end."""


def perform(work: Work) -> None:
    """Audit the exhibit, or the same parts without its bug.

    Raises:
        InputError: the zoo has no such exhibit.
    """
    asked = read(ExhibitAsked, work.asked)
    shown = next((one for one in EXHIBITS if one.name == asked.exhibit), None)
    if shown is None:
        raise InputError(f"The zoo has no exhibit {asked.exhibit!r:.60}: choose one from the list.")
    audited = subject(shown, honest=asked.honest)
    budget = replace(BUDGET, samples=asked.samples, simulations=_SIMULATIONS, drawn=len(PROMPTS) * _DRAWN)
    about = {"exhibit": shown.name, "honest": str(asked.honest).lower()}
    prompt = "".join(text_of(token) for token in PROMPTS[0])
    following = Following(work, audited, prompt, text_of, about, "" if asked.honest else shown.mark)
    following.follow(CHECKS, audit(audited, PROMPTS, budget, CHECKS))
    following.close()


def text_of(token: int) -> str:
    """The tiny models' tokens have no text: letters, and the word "end"."""
    return "end" if token == END else chr(ord("A") + token)
