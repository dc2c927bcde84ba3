"""Trees through transformers' own modules: every node has the scores of a fresh pass over its own path, on every architecture."""

import random
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
import torch
from transformers import PreTrainedModel

from specviz.errors import PairError
from specviz.models.cached_model import CachedModel
from specviz.models.networks import masks, positions
from specviz.models.networks.masks import tree_masks, tree_refusal
from specviz.models.networks.positions import positions_of
from specviz.models.networks.stock import StockNetwork
from tests.helpers.architectures import ARCHITECTURES, VOCABULARY, WELL_KNOWN, WINDOW, Kind, build
from tests.helpers.planting import Plant, caught
from tests.helpers.tiny_models import fresh_logits

pytestmark = pytest.mark.slow

REFUSED = {
    "falcon_alibi": "by each key's index",
    "gpt_neo": "by each key's index",
    "bloom": "no position ids",
    "mpt": "no position ids",
    "bart_causal": "no position ids",
    "roberta_decoder": "by its own rule",
    "openai-gpt": "rules of its own",
}
OTHER = (
    *REFUSED,
    "hrm_text",
    "phi3_longrope",
)  # the last two amplify rounding, and have a new rotation with longer texts
READ = [name for name, row in ARCHITECTURES.items() if row.kind in (Kind.ORDINARY, Kind.WINDOWED) and name not in OTHER]
TYPICAL = {
    *("gpt2", "opt", "deepseek_v3", "falcon", "gemma2", "gemma3n_text", "gemma4_text", "gpt_oss", "llama4_text"),
    *("falcon_alibi", "bloom", "roberta_decoder", "openai-gpt"),
}
"""One of each way to give positions and masks, and of each reason why a tree cannot be read in one pass; the others are rare."""


def typical(names: Iterable[str]) -> list[Any]:
    """The parameters of a test."""
    return [pytest.param(name, marks=() if name in TYPICAL else pytest.mark.rare) for name in names]


def stock(raw: PreTrainedModel) -> CachedModel:
    """On transformers' own modules."""
    return CachedModel(raw, VOCABULARY, lean=False)


def within(found: torch.Tensor, wanted: torch.Tensor, share: float = 3e-5) -> None:
    torch.testing.assert_close(found, wanted, rtol=0, atol=share * float(wanted.abs().max()))


def path_to(parents: list[int], index: int) -> list[int]:
    """A node's ancestors, first to last, and the node itself."""
    path = [index]
    while parents[path[0]] >= 0:
        path.insert(0, parents[path[0]])
    return path


def check_trees(model: CachedModel, lengths: Sequence[int] = (WINDOW - 4, 2 * WINDOW + 5), share: float = 3e-5) -> None:
    """Texts that end shortly before the edge of the window, and beyond it; after each a few trees, read level by level as a drafter does
    or in arbitrary calls; then a path of scattered nodes is kept, and the text goes on."""
    rng = random.Random(0)  # noqa: S311  # a test must be reproducible
    for length in lengths:
        model.begin(128)
        text = [rng.randrange(2, VOCABULARY) for _ in range(length)]
        model.forward(torch.tensor(text), rows=1)
        model.keep(range(length))
        for by_level in (True, False):
            tokens: list[int] = []
            parents: list[int] = []
            rows: list[torch.Tensor] = []
            level = [-1]
            for _ in range(3):
                first = len(tokens)
                if by_level:
                    new = [parent for parent in level for _ in range(rng.randint(1, 2))][:6]
                    level = [first + i for i in range(len(new))]
                else:
                    new = [rng.randrange(-1, first + i) for i in range(rng.randint(1, 5))]
                parents += new
                tokens += [rng.randrange(2, VOCABULARY) for _ in new]
                rows += model.forward(torch.tensor(tokens[first:]), [parent - first for parent in new]).logits
            for leaf in set(range(len(parents))) - set(parents):
                path = path_to(parents, leaf)
                wanted = fresh_logits(model, [*text, *(tokens[i] for i in path)])[-len(path) :]
                within(torch.stack([rows[i] for i in path]), wanted, share)
            path = path_to(parents, rng.randrange(len(parents) // 2, len(parents)))
            model.keep(path)
            text += [tokens[i] for i in path]
            within(model.forward(torch.tensor([7, 9])).logits, fresh_logits(model, [*text, 7, 9])[-2:], share)
            model.keep([0])
            text.append(7)


def check_chains(model: CachedModel) -> None:
    """Chunks of a text of three windows, each rolled back by some tokens, have the scores of a fresh pass."""
    rng = random.Random(0)  # noqa: S311  # a test must be reproducible
    text = [rng.randrange(2, VOCABULARY) for _ in range(3 * WINDOW)]
    wanted = fresh_logits(model, text)
    model.begin(len(text))
    while model.length < len(text):
        begin, count = model.length, min(rng.choice([1, 2, 5, WINDOW + 3]), len(text) - model.length)
        within(model.forward(torch.tensor(text[begin : begin + count])).logits, wanted[begin : begin + count])
        model.keep(range(rng.randint(0, count)))


@pytest.mark.parametrize("name", typical(READ))
def test_a_tree_scores_as_its_paths_do(name: str) -> None:
    """On every architecture, before the window, across its edge and beyond it, in one call or in several."""
    raw = build(name)
    assert not tree_refusal(raw) or name not in WELL_KNOWN
    check_trees(stock(raw))


@pytest.mark.parametrize("name", typical(name for name, row in ARCHITECTURES.items() if row.kind is Kind.WINDOWED))
def test_chains_cross_a_window(name: str) -> None:
    """Our cache keeps all tokens of a layer with a window or with chunks; what it must not attend to stays hidden."""
    check_chains(stock(build(name)))


@pytest.mark.parametrize("name", typical(REFUSED))
def test_a_tree_that_masks_cannot_describe_is_read_path_by_path(name: str) -> None:
    """Where positions or windows follow from the index in the cache the reason is given, and a tree in one pass raises it as an
    error. The model itself then reads trees path by path."""
    raw = build(name)
    network = StockNetwork(raw)
    assert REFUSED[name] in network.tree_refusal
    network.begin(16)
    tree = positions_of(0, (-1, 0, 0), 3, torch.device("cpu"))
    with pytest.raises(PairError, match=f"{ARCHITECTURES[name].class_name} .*proposes chains"):
        network.read(torch.tensor([2, 3, 4]), tree)
    assert "path by path" in CachedModel(raw, VOCABULARY).decoder
    if name != "openai-gpt":  # it has no cache
        check_trees(stock(raw))


def test_half_precision() -> None:
    """In bfloat16 the masks have the form that the model's attention accepts."""
    with torch.no_grad():
        raw = build("gpt_oss")
        for weight in raw.parameters():
            weight.mul_(0.4 if weight.dim() > 1 else 1.0)  # bfloat16 rounds coarsely: no peaked softmax
    check_trees(stock(raw.to(torch.bfloat16)), share=0.1)


def test_eager_attention() -> None:
    """Attention that adds a mask of numbers reads trees as well as the fused kernel, which takes a mask of yes and no."""
    raw = build("gemma3_text")
    raw.set_attn_implementation("eager")
    check_trees(stock(raw))


def test_a_model_with_masks_of_its_own() -> None:
    """A model that builds no mask by transformers' rules would ignore the tree: the pass ends in an error."""
    tree = positions_of(0, [-1, 0, 0], 3, torch.device("cpu"))
    with pytest.raises(PairError, match="no attention mask"), tree_masks(tree):
        pass


@torch.inference_mode()
def test_other_passes_keep_their_masks() -> None:
    """A tree pass in one thread changes neither the masks of another thread nor later ones."""
    raw = build("gemma2")
    text = torch.arange(2, 34)[None]
    wanted = raw(text, use_cache=False).logits
    tree = positions_of(0, [-1, 0, *range(30)], 32, torch.device("cpu"))
    found: list[torch.Tensor] = []

    def read() -> None:
        with torch.inference_mode():
            found.append(raw(text, use_cache=False).logits)

    with tree_masks(tree):
        other = threading.Thread(target=read)
        other.start()
        other.join()
        assert not torch.equal(raw(text, use_cache=False).logits, wanted)
    read()
    assert all(torch.equal(each, wanted) for each in found)


@pytest.mark.parametrize(("name", "layers"), [("gemma3n_text", 2), ("deepseek_v3", 4)])
def test_only_what_is_stored_is_counted(name: str, layers: int) -> None:
    """A layer that shares another layer's keys and values allocates nothing, and the count of bytes knows how wide keys and
    values are. Before the first pass it may be too high, never too low."""
    model = CachedModel(build(name), VOCABULARY, lean=False)
    estimate = model.bytes_per_token
    model.begin(64)
    model.forward(torch.tensor([2, 3]))
    stored = model.network.buffers()
    assert len(stored) == 2 * layers
    assert model.bytes_per_token * 64 == sum(buffer.nbytes for buffer in stored)
    assert estimate == model.bytes_per_token * (2 if layers == 2 else 1)


def trees_of(name: str) -> Callable[[], None]:
    return lambda: check_trees(stock(build(name)))


PLANTS = [
    Plant("the full mask in every layer", trees_of(name), masks._TreePass, "rule", "own(batch, head, at[query], at[key]) & allowed", "allowed")
    for name in ("mistral_sliding", "gemma3_text", "llama4_text")
] + [
    Plant("a key is one position too early", trees_of("gemma2"), masks._TreePass, "rule", "at[key]) &", "at[key] - 1) &"),
    Plant("the slot's index for its position", trees_of("gemma2"), masks._TreePass, "rule", "at[query], at[key]", "query, key"),
    Plant("siblings are visible", trees_of("llama"), masks._TreePass, "rule", "& allowed[query - begin, key]", ""),
    Plant("a node is one position too late", trees_of("llama"), positions, "positions_of", "+ depths - 1", "+ depths"),
]  # fmt: skip


test_planted_bugs_are_found = caught(PLANTS, "The comparison above fails where a mask or a position is wrong.")
