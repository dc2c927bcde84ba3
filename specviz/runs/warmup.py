"""Makes every kind of pass of a run once, before its clock starts."""

import torch

from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.protocols import Drafter, LanguageModel
from specviz.decoding.sampling import draws_for
from specviz.settings import Settings


def warm_up(target: LanguageModel, drafter: Drafter, settings: Settings, capacity: int) -> None:
    """Let target and drafter make their passes on a meaningless text, in caches of the run's size.

    For GPUs, where the first pass of a kind is captured as a graph, which takes longer than the pass itself. A draft model makes
    full drafts and single tokens, after one unread token and after two; other drafters capture nothing.
    """
    with torch.inference_mode():
        start = torch.zeros(1, dtype=torch.long, device=target.device)
        target.begin(capacity)
        target.forward(start)
        target.keep(range(1))  # the passes below follow a text: passes that read a prompt are not captured
        for count in range(1 if isinstance(drafter, NoDrafter) else settings.k + 1, 0, -1):
            target.forward(start.expand(count))
            target.keep(())
        if not isinstance(drafter, ModelDrafter):
            return
        draws = draws_for(settings, target.device)
        for limit in (settings.k, 1):
            text = [0, 0]
            drafter.begin(text, capacity)
            for _ in range(2):  # the second follows a fully accepted draft
                text += [*drafter.propose(text, None, settings, draws, limit).tokens.tolist(), 0]
