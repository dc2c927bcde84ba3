"""Bugs that real implementations shipped: a check for each, and each bug planted to show that its check fails.

`PLANTED` is the table: the bug, the one line of the shipped code that is edited to create it, and the check that must
detect it. If the line is no longer found, the test fails and the plant must be updated.
"""

from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest
import torch
from torch import Tensor

from specviz.decoding import loop as engine
from specviz.decoding import sampling
from specviz.decoding.drafters import certain, growing
from specviz.decoding.drafters import chain as drafted_chain
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.drafters.ngram import NgramDrafter
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.drafters.tree import TreeDrafter
from specviz.decoding.judge import chain as verify
from specviz.decoding.judge import outcome
from specviz.decoding.judge import tree as tree_rule
from specviz.decoding.protocols import Draft
from specviz.decoding.sampling import CertainDraws, SeededDraws
from specviz.decoding.testing import ScriptedDrafter, TableModel
from specviz.errors import PairError
from specviz.models import CachedModel
from specviz.models.networks import kv_cache, lean, parts, replay
from specviz.settings import Settings
from specviz.trace import metrics
from specviz.trace.records import Round
from tests.decoding.test_judge import Numbers
from tests.decoding.test_loop import test_the_caches_contain_the_text_and_no_more as check_the_caches
from tests.decoding.test_lossless import P, Q, constant
from tests.helpers.architectures import VOCABULARY, build, near
from tests.helpers.lossless import error_of, scores_of
from tests.helpers.oracles import chi_square, oracle_texts
from tests.helpers.planting import Plant, caught
from tests.helpers.rounds import rounds_of, speculated, text_of
from tests.models.networks.test_masks import check_chains
from tests.trace.test_metrics import test_figures_of_a_real_run_add_up as check_the_figures

pytestmark = pytest.mark.slow

PROMPT = (5, 17, 3, 40, 21)


def speculate_with_models(settings: Settings, target: TableModel, draft: TableModel) -> tuple[Round, ...]:
    return rounds_of(target, ModelDrafter(draft), (0,), settings)


# ---- the checks: each raises AssertionError where its claim does not hold


def check_joint_distribution() -> None:
    """With temperature, top-k and top-p on, the joint distribution over three tokens is the target's own."""
    target, draft = TableModel.random(3, 11), TableModel.random(3, 12)
    for warped in ({"temperature": 0.7, "top_k": 2}, {"temperature": 1.5, "top_p": 0.8}):
        settings = Settings(k=2, max_new_tokens=3, **warped)  # type: ignore[arg-type]
        assert error_of(target, lambda: ModelDrafter(draft), (0,), settings) < 1e-10, f"with {settings}"


def check_greedy_is_certain() -> None:
    """At temperature 0 the loop has one branch, whatever numbers are drawn, and it is the greedy text."""
    target, settings = TableModel.random(3, 41), Settings(k=2, max_new_tokens=3)
    found = speculated(target, lambda: ModelDrafter(TableModel.random(3, 42)), (0,), settings)
    assert found == oracle_texts(scores_of(target), (0,), settings)


def check_seeds_give_variety() -> None:
    """At temperature 1 different seeds give different texts."""
    target, draft = TableModel.random(6, 13), TableModel.random(6, 14)
    texts = {
        text_of(speculate_with_models(Settings(temperature=1.0, max_new_tokens=12, seed=seed), target, draft))
        for seed in range(10)
    }
    assert len(texts) > 5


def check_draft_reads_the_text() -> None:
    """In every round the draft scores the text so far and its own tokens, never a rejected one, never with a gap."""
    histories: list[tuple[int, ...]] = []
    table = TableModel.random(4, 17)

    def logits(history: tuple[int, ...]) -> Tensor:
        histories.append(history)
        return table.scores(history)

    target, draft = TableModel.random(4, 16), TableModel(4, logits)
    for k in (1, 2, 4):
        histories.clear()
        text = [3, 1]
        settings, made = Settings(k=k, temperature=1.0, max_new_tokens=40, seed=k), 1
        for round_ in engine.speculate(target, ModelDrafter(draft), text, settings):
            tokens = [drafted.token for drafted in round_.drafted]
            for drafted in range(len(tokens)):
                assert histories[made + drafted] == (*text, *tokens[:drafted])
            made += len(tokens)
            text = [*text, *round_.tokens]


def check_cached_equals_fresh(name: str = "llama", *, lean: bool = True) -> None:
    """Chunks of a text, after each of which some tokens are rolled back, score as a fresh pass does: in our own decoder or in its own modules,
    across a sliding window where it has one."""
    check_chains(CachedModel(build(name), VOCABULARY, lean=lean))


STOCK, WINDOW, STOCK_WINDOW = (
    partial(check_cached_equals_fresh, name, lean=lean)
    for name, lean in (("gpt2", False), ("mistral_sliding", True), ("mistral_sliding", False))
)


def check_recurrent_state_is_replayed() -> None:
    """A target whose state cannot be cut writes the plain text, although most of a worse draft's tokens are dropped."""
    target = CachedModel(build("lfm2"), VOCABULARY)
    draft = CachedModel(near(build("lfm2")), VOCABULARY)
    settings = Settings(k=3, max_new_tokens=12, temperature=0)
    plain = rounds_of(target, NoDrafter(VOCABULARY), PROMPT, settings)
    assert text_of(rounds_of(target, ModelDrafter(draft), PROMPT, settings)) == text_of(plain)


def check_end_is_where_plain_decoding_ends() -> None:
    """Length and ending equal plain decoding: for every limit, and for end-of-text drafted, corrected and bonus."""
    endings: Counter[str] = Counter()
    for seed in range(12):
        target = TableModel.random(7, seed, end_ids=(0, 4), memory=3)
        for draft in (TableModel.random(7, seed, memory=3), TableModel.random(7, seed + 1, memory=3)):
            for k, tokens in ((1, 9), (2, 1), (3, 2), (4, 3), (5, 12), (3, 12)):
                settings = Settings(k=k, max_new_tokens=tokens)
                plain = rounds_of(target, NoDrafter(7), (0,), settings)
                ours = speculate_with_models(settings, target, draft)
                wanted = text_of(plain)
                assert text_of(ours) == wanted
                assert len(wanted) == tokens or wanted[-1] in (0, 4)
                assert not {0, 4} & set(wanted[:-1])
                if wanted[-1] in (0, 4):
                    closing = ours[-1].closing
                    endings[f"{wanted[-1]} {'accepted' if closing is None else closing.how}"] += 1
    for token in (0, 4):
        assert {f"{token} accepted", f"{token} corrected", f"{token} bonus"} <= endings.keys(), (
            "every way of ending occurred"
        )


def check_sampled_joint_distribution() -> None:
    """With real random numbers the joint distribution over four tokens and several rounds is the target's own."""
    target, draft = TableModel.random(2, 51, spread=1.0), TableModel.random(2, 52, spread=1.0)
    counts: Counter[tuple[int, ...]] = Counter()
    for seed in range(120):
        settings = Settings(k=2, temperature=1.0, max_new_tokens=4, seed=seed)
        counts[text_of(speculate_with_models(settings, target, draft))] += 1
    statistic, freedom = chi_square(counts, oracle_texts(scores_of(target), (0,), settings))
    assert statistic < freedom + 5 * (2 * freedom) ** 0.5


def check_residual_of_equals() -> None:
    """Where p and q are equal the closing distribution is finite and sums to 1."""
    p = torch.tensor([[0.25, 0.75], [0.5, 0.5]], dtype=torch.float64)
    for q in (p[:1], p[:1].float().double(), p[:1] + 1e-17):
        closing = verify.residual(p, q, torch.tensor(0))
        assert torch.isfinite(closing).all()
        assert abs(float(closing.sum()) - 1) < 1e-12


def check_impossible_is_never_accepted() -> None:
    """A token that the target gives probability 0 is rejected even when u is 0, and where no u is drawn."""
    draft = Draft(torch.tensor([0]), (-1,), torch.tensor([[0.5, 0.5]], dtype=torch.float64))
    target = torch.tensor([[0.0, 1.0], [0.5, 0.5]], dtype=torch.float64)
    for draws in (Numbers(closing=0.0), CertainDraws()):
        judgement = verify.judge_chain(draft, target, draws)
        assert judgement.accepted.tolist() == [False]
        assert judgement.rejected.tolist() == [True]
        assert int(judgement.closing) == 1, "nor is it drawn as the closing token"


def check_token_zero_is_a_token() -> None:
    """Id 0 is drafted, accepted and written like any other."""
    rounds = rounds_of(constant(P), ScriptedDrafter(4, [[0, 0]]), (0,), Settings(k=2, max_new_tokens=3))
    assert text_of(rounds) == (0, 0, 0)
    assert rounds[0].accepted == (0, 1)


TREES: dict[str, tuple[int, int, int, tuple[float, ...], tuple[float, ...]]] = {
    "sampled": (2, 1, 0, P, Q),
    "distinct": (4, 1, 0, P, Q),
    "distinct, cut": (4, 1, 2, Q, P),
    "sampled, two levels": (4, 2, 0, (0.2, 0.8), (0.7, 0.3)),
    "top": (4, 1, 0, P, Q),
    "top, two levels": (3, 2, 0, P[:2], Q[:2]),
}
"""Children: nodes, k, top-k, and the distributions of target and draft. Siblings are up to as many as there are tokens, and more than the draft has."""


def check_tree_distribution(*every: str) -> None:
    """Trees of one and two levels, with sampled, distinct and top children, keep the target's joint distribution."""
    for children in every:
        nodes, k, top_k, p, q = TREES[children]
        way, target, draft = children.partition(",")[0], constant(p), constant(q)
        settings = Settings(
            k=k, nodes=nodes, temperature=1.0, top_k=top_k, children=way, drafter="tree", max_new_tokens=k + 1
        )
        assert error_of(target, lambda: TreeDrafter(draft), (0,), settings) < 1e-10  # noqa: B023


SIBLINGS, TWO_LEVELS, DISTINCT, TOP = (
    partial(check_tree_distribution, *children)
    for children in (("sampled",), ("sampled, two levels",), ("distinct", "distinct, cut"), ("top", "top, two levels"))
)


def check_blind_tree_distribution() -> None:
    """The same of the walk that other devices take, which looks at no result."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree_rule, "_LOOKS", ())
        check_tree_distribution("sampled", "distinct", "top, two levels")


def check_tree_reads_the_text() -> None:
    """In every round the tree's draft model has only text in its cache, and reads at most two tokens of it."""
    for children in ("sampled", "distinct", "top"):
        target, draft = TableModel.random(4, 18, memory=3, spread=1.0), TableModel.random(4, 19, memory=3, spread=1.0)
        settings = Settings(k=4, nodes=9, temperature=1.0, children=children, drafter="tree", max_new_tokens=60)
        text, made = [3, 1], 1
        for round_ in engine.speculate(target, TreeDrafter(draft), text, settings):
            if round_.drafted:
                first = draft.passes[made]
                assert len(first) <= 2
                assert draft.kept == tuple(text[: -len(first)])
                assert first == tuple(text[-len(first) :])
            made = len(draft.passes)
            text += round_.tokens


def check_policies_drop_nothing() -> None:
    """With p = (.7, .3) and q = (.6, .4), of which the second has low confidence, every policy keeps p."""
    target = constant((0.7, 0.3))
    for policy in ("confidence", "cost"):
        settings = Settings(k=2, temperature=1.0, max_new_tokens=3, policy=policy, threshold=0.5)
        error = error_of(target, lambda: ModelDrafter(constant((0.6, 0.4))), (0,), settings)
        assert error < 1e-10, f"with {policy}"


def check_shared_noise_belongs_to_the_position() -> None:
    """With shared noise every drafter writes the plain text, and a draft with the target's weights is fully accepted."""
    for seed in range(4):
        settings = Settings(k=3, temperature=1.0, shared_noise=True, seed=seed, max_new_tokens=16, nodes=6)
        target, twin, other = (TableModel.random(6, which, memory=3) for which in (20, 20, 21))
        plain = text_of(rounds_of(target, NoDrafter(6), (1, 2), settings))
        for drafter in (ModelDrafter(twin), ModelDrafter(other), TreeDrafter(twin), TreeDrafter(other)):
            rounds = rounds_of(target, drafter, (1, 2), settings)
            assert text_of(rounds) == plain
            if isinstance(drafter, ModelDrafter) and drafter.model is twin:
                assert all(len(r.accepted) == len(r.drafted) for r in rounds)


def check_copies_come_from_the_text() -> None:
    """What prompt lookup proposes occurs in the text, after an earlier occurrence of the text's last token."""
    target = TableModel.random(3, 22, memory=1)
    text, copied = [0, 1, 2, 0], 0
    for round_ in engine.speculate(target, NgramDrafter(3), text, Settings(k=3, max_new_tokens=40)):
        if round_.source is not None:
            assert [d.token for d in round_.drafted] == text[round_.source :][: len(round_.drafted)]
            assert text[round_.source - 1] == text[-1]
            copied += 1
        text += round_.tokens
    assert copied > 5


# ---- the bugs


PASSED = "passed = ratio > 0 if uniform is None else uniform < ratio"
CUMPROD = "accepted = passed.long().cumprod(dim=0)"
NUMBERS = "torch.rand(count, generator=self._generator, device=self._device, dtype=torch.float64)"

PLANTED = [
    *(
        Plant(f"q is not what was drawn from: {what}", check_joint_distribution, drafted_chain, "draw_chain", "probabilities.append(q)", f"probabilities.append({wrong})")
        for what, wrong in {
            "raw": "row.softmax(dim=-1)",
            "without top-p": "warp(row, Settings(temperature=settings.temperature, top_k=settings.top_k))",
            "without top-k": "warp(row, Settings(temperature=settings.temperature, top_p=settings.top_p))",
            "without temperature": "warp(row, Settings(temperature=1.0, top_k=settings.top_k, top_p=settings.top_p))",
            "rounded to bfloat16": "q.bfloat16().double()",
        }.items()
    ),
    Plant("the target is not warped", check_joint_distribution, engine.Decoding, "_round", "warp(scores.logits, settings,", "warp(scores.logits, Settings(temperature=1.0),"),
    Plant("greedy scored with softmax values", check_greedy_is_certain, sampling, "warp", "    if settings.greedy:", "    if settings.greedy:\n        return logits.softmax(dim=-1)\n    if settings.greedy:"),
    Plant("silently greedy: no randomness", check_seeds_give_variety, sampling, "draws_for", "CertainDraws() if settings.certain else SeededDraws(settings.seed, device)", "CertainDraws()"),
    Plant("silently greedy: one-hot at any temperature", check_seeds_give_variety, sampling, "warp", "if settings.greedy:", "if True:"),
    Plant("the first drafted token is never checked", check_joint_distribution, verify, "judge_chain", CUMPROD, "accepted = torch.cat([torch.ones_like(passed[:1]), passed[1:]]).long().cumprod(dim=0)"),
    Plant("tokens after a rejection are accepted", check_joint_distribution, verify, "judge_chain", CUMPROD, "accepted = passed.long()"),
    Plant("draft cache short by one after a fully accepted draft", check_draft_reads_the_text, ModelDrafter, "_settle", "self._cached, self._read = in_cache, None", "self._cached, self._read = self._text_length + accepted, None"),
    Plant("draft cache keeps a rejected token", check_draft_reads_the_text, ModelDrafter, "_settle", "self.model.keep(range(in_cache - self._cached))", "self.model.keep(range(min(in_cache + 1, self._text_length + self._read) - self._cached))"),
    Plant("draft cache trimmed by the wrong count", check_draft_reads_the_text, ModelDrafter, "_settle", "self.model.keep(range(in_cache - self._cached))", "self.model.keep(range(max(0, in_cache - self._cached - 1)))"),
    Plant("the entry before the bonus token is never written, in our own decoder", check_cached_equals_fresh, lean.LeanDecoder, "_attend", "self._keys[index][:, geometry.slots] = rotated[:, heads:].transpose(0, 1)", "self._keys[index][:, geometry.slots][:, : max(1, count - 1)] = rotated[: max(1, count - 1), heads:].transpose(0, 1)"),
    Plant("the entry before the bonus token is never written", STOCK, kv_cache.PreallocatedLayer, "update", "self.keys[:, :, begin:end] = key_states", "self.keys[:, :, begin : max(begin + 1, end - 1)] = key_states[:, :, : max(1, end - 1 - begin)]"),
    Plant("the target keeps a rejected token", check_the_caches, engine.Decoding, "_round", "target.keep(outcome.rows)", "target.keep(range(min(len(outcome.rows) + 1, len(fetched.tokens) + 1)))"),
    Plant("the target drops an accepted token", check_the_caches, engine.Decoding, "_round", "target.keep(outcome.rows)", "target.keep(outcome.rows[: max(1, len(outcome.rows) - 1)])"),
    Plant("the window of our own decoder is one token too wide", WINDOW, parts, "within", "index[:, -1:] - window", "index[:, -1:] - window - 1"),
    Plant("a window cache drops what a rewind needs", STOCK_WINDOW, kv_cache.PreallocatedLayer, "update", "self.values[:, :, begin:end] = value_states", "self.values[:, :, begin:end] = value_states\n    self.values[:, :, : max(0, end - 8)] = 0"),
    Plant("a state that cannot be cut keeps the rejected tokens", check_recurrent_state_is_replayed, replay.ReplayNetwork, "_go_back", "self._states.restore(self._saved[target])", "pass"),
    Plant("max_new_tokens overshot", check_end_is_where_plain_decoding_ends, engine.Decoding, "_round", "remaining = min(settings.k, settings.max_new_tokens - count - 1)", "remaining = settings.k"),
    Plant("end-of-text inside an accepted run ignored", check_end_is_where_plain_decoding_ends, outcome, "settle", "if tokens[index] in end_ids)", "if False)"),
    Plant("only one of several end-of-text ids is known", check_end_is_where_plain_decoding_ends, outcome, "settle", "if tokens[index] in end_ids)", "if tokens[index] == max(end_ids))"),
    Plant("end-of-text as the closing token ignored", check_end_is_where_plain_decoding_ends, engine, "_stop", "if last in end_ids:", "if False:"),
    Plant("one number for all tokens of a round", check_joint_distribution, verify, "judge_chain", PASSED, "passed = uniform[[0] * count] < ratio"),
    Plant("one number for all rounds", check_sampled_joint_distribution, SeededDraws, "uniform", NUMBERS, NUMBERS.replace("self._generator", "self._generator.manual_seed(self._generator.initial_seed())")),
    Plant("residual all zeros", check_residual_of_equals, verify, "leftover", "return torch.where(total > 0, rest / total.clamp_min(torch.finfo(rest.dtype).tiny), p)", "return rest / total"),
    Plant("a rejection is replaced from p, not from the residual", check_joint_distribution, verify, "leftover", "rest = (p - q).clamp_min(0.0)", "rest = p"),
    Plant("u = 0 with p = 0 accepted", check_impossible_is_never_accepted, verify, "judge_chain", "uniform < ratio", "uniform <= ratio"),
    Plant("p = 0 accepted where no u is drawn", check_impossible_is_never_accepted, verify, "judge_chain", "ratio > 0", "ratio >= 0"),
    Plant("u = 0 draws a token of probability 0", check_impossible_is_never_accepted, sampling, "token_at", "right=True", "right=False"),
    Plant("token id 0 treated as false when written", check_token_zero_is_a_token, outcome, "settle", "ids = tuple(tokens[index] for index in path)", "ids = tuple(tokens[index] for index in path if tokens[index])"),
    Plant("token id 0 treated as false when it ends a text", check_end_is_where_plain_decoding_ends, outcome, "settle", "if tokens[index] in end_ids)", "if tokens[index] and tokens[index] in end_ids)"),
    Plant("tree: a rejected sibling leaves p as it was", SIBLINGS, tree_rule._Walk, "_judge", "self.p = torch.where(rejected, self._criterion.after_rejection(self.p, self._q[child][0]), self.p)", "pass"),
    Plant("tree: without replacement, scored with a stale q", DISTINCT, growing, "_siblings", "siblings.append((rest, token))", "siblings.append((q, token))"),
    Plant("tree: siblings after an accepted one are judged too", check_blind_tree_distribution, tree_rule._Walk, "_judge", "(child < self._none) & (next_row == 0) & ~self.ended", "(child < self._none) & ~self.ended"),
    Plant("tree: the walk continues below a node whose children were all rejected", TWO_LEVELS, tree_rule._Walk, "descend", "self.ended = next_row == 0", "next_row = torch.where(next_row == 0, children[:1] + 1, next_row).clamp_max(self._none)"),
    Plant("tree: top children scored with softmax values", TOP, certain, "selected", "return Draft(tokens, parents, one_hot, logits)", "return Draft(tokens, parents, logits.softmax(dim=-1), logits)"),
    Plant("tree: a drawn child is dropped for its own low probability", SIBLINGS, tree_rule._Walk, "_judge", "(child < self._none) &", "(child < self._none) & (self.draft_prob[child] > 0.35) &"),
    Plant("tree: the draft's cache keeps a sibling instead of the accepted token", check_tree_reads_the_text, TreeDrafter, "_settle", "len(path) < len(new) and token == new[len(path)]", "len(path) < len(new) - 1"),
    Plant("tree: the draft's cache drops what was accepted", check_tree_reads_the_text, TreeDrafter, "_settle", "max(paths.values(), key=len)", "paths[ROOT]"),
    Plant("tree: a level is read as a chain", check_tree_reads_the_text, growing.LevelReader, "read", "[slot - first for slot in parent_slots]", "None"),
    Plant("a policy drops the low-confidence token itself", check_policies_drop_nothing, drafted_chain, "draw_chain", "if index + 1 < count and not policy.continues(row, token):\n            break", "if not policy.continues(row, token):\n            tokens.pop(), probabilities.pop(), logits.pop()\n            break"),
    Plant("shared noise of another position for the target", check_shared_noise_belongs_to_the_position, engine.Decoding, "_round", "count + depth for depth", "count + 0 * depth for depth"),
    Plant("shared noise of another position for the draft", check_shared_noise_belongs_to_the_position, drafted_chain, "draw_chain", "(offset + index,)", "(index,)"),
    Plant("prompt lookup copies the n-gram it looked up, not what followed", check_copies_come_from_the_text, NgramDrafter, "_index", "= end\n", "= end - length\n"),
    Plant("acceptance rate counts drafts that were never judged", check_the_figures, metrics, "summarise", "acceptance_rate=accepted / judged if judged else None", "acceptance_rate=accepted / drafted if drafted else None"),
    Plant("tokens per second from letters", check_the_figures, metrics, "summarise", "tokens_per_second=len(ids) / seconds", "tokens_per_second=len(trace.text) / seconds"),
]  # fmt: skip


DETECTED = (AssertionError, pytest.fail.Exception, ValueError, PairError)
"""A check that fails; a record that rejects an impossible round; a cache that rejects wrong use."""


@pytest.mark.parametrize("check", dict.fromkeys(plant.check for plant in PLANTED))
def test_shipped_code_passes_the_check(check: Callable[[], None]) -> None:
    """The shipped code passes the check."""
    check()


test_planted_bug_is_detected = caught(
    PLANTED, "The same check fails, or a guard of the package raises, once the bug is planted.", errors=DETECTED
)
