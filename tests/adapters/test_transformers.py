"""Transformers' own assisted generation as a trace."""

import pytest

from specviz.adapters.transformers import Assisted
from specviz.decoding.testing import ByteTokenizer
from specviz.errors import SettingsError
from specviz.settings import Settings
from specviz.trace import files
from specviz.trace.records import Trace
from tests.helpers.tiny_models import fresh_logits, tiny

PROMPT: tuple[int, ...] = (1, 5, 9, 2, 5, 9)


def recorded(settings: Settings, *, lookup: bool) -> tuple[Trace, tuple[int, ...]]:
    target, draft = tiny("LlamaForCausalLM", 1), tiny("LlamaForCausalLM", 2)
    assisted = Assisted(target.model, None if lookup else draft.model, lookup=lookup, end_ids=frozenset((60,)))
    trace = assisted.record(PROMPT, settings, ByteTokenizer(), "a prompt")
    return trace, assisted.decoder(settings)(PROMPT, settings.seed)


@pytest.mark.parametrize("lookup", [False, True], ids=["draft model", "prompt lookup"])
def test_a_recording_has_the_text_and_the_true_probabilities(lookup: bool) -> None:
    """The rounds give `generate`'s own text, p and q are those of fresh passes over the text, and the file can be read again."""
    models = tiny("LlamaForCausalLM", 1), tiny("LlamaForCausalLM", 2)
    drafted = 0
    for temperature in (0.0, 1.0, 0.8):
        trace, ids = recorded(Settings(k=3, temperature=temperature, max_new_tokens=12, seed=3), lookup=lookup)
        assert trace.token_ids == ids
        text = PROMPT
        for round_ in trace.rounds:
            context = text
            for one in round_.drafted:
                if temperature:
                    # Transformers divides the draft's scores by the temperature twice.
                    p, q = (
                        fresh_logits(model, context)[-1].div(heat).softmax(-1)
                        for model, heat in zip(models, (temperature, temperature**2), strict=True)
                    )
                    assert one.target_prob == pytest.approx(float(p[one.token]), abs=1e-4)
                    assert one.draft_prob == pytest.approx(1.0 if lookup else float(q[one.token]), abs=1e-4)
                drafted += 1
                context = (*context, one.token)
            text = (*text, *round_.tokens)
        assert trace.rounds[-1].ended_s > 0
        assert files.loads(files.dumps([trace])) == (trace,)
    assert drafted > 5


def test_one_kind_of_help_is_needed() -> None:
    """Neither an assistant nor prompt lookup is refused in a sentence."""
    with pytest.raises(SettingsError, match="one of the two"):
        Assisted(tiny("LlamaForCausalLM", 1).model)
