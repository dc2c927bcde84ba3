"""Our plain and speculative decoding beside transformers' plain and assisted `generate`, in turn in one process. Run nothing else meanwhile.

.venv/bin/python -m tools.peers [PAIR] [--k 5] [--tokens 64] [--repeats 3] [--dtype float32]

transformers has copies of the same checkpoints of its own: same ids, number format, device, threads, limit, draft length and
end-of-text ids, greedy. Times are by wall clock from the prompt's ids to the last token, the prefill included. The exit code is 1
where a text differs from our plain one.
"""

import argparse
import gc
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

import torch
from transformers import AutoModelForCausalLM, GenerationConfig

from specviz.cli.output import progress_messages
from specviz.cli.show import table
from specviz.decoding.clock import wait
from specviz.known_pairs import EMBEDDED
from specviz.model_choice import chosen_models
from specviz.models import Pair, load_pair
from specviz.models.devices import machine_words
from specviz.models.quiet import quiet
from specviz.models.sources import local_path
from specviz.reporting.prompts import prompt_family, ready_prompts
from specviz.reporting.terminal import Screen
from specviz.runs.load_watch import watching
from specviz.runs.run import Run
from specviz.settings import Settings
from tools.measurement import figure, in_turn, ratios

PLAIN, SPECULATIVE, THEIRS, ASSISTED = (
    "ours, plain",
    "ours, speculative",
    "transformers, plain",
    "transformers, assisted",
)
_RATIOS = ((PLAIN, THEIRS), (SPECULATIVE, ASSISTED), (SPECULATIVE, PLAIN), (ASSISTED, THEIRS))
Ids = tuple[int, ...]
Timed = tuple[float, Ids]  # seconds and new ids of a run


class Peer:
    """A target and its assistant as transformers loads them; the checkpoints' own penalties and sampling defaults are removed."""

    def __init__(self, pair: Pair, k: int, target: str, draft: str) -> None:
        dtype = pair.target.network.dtype
        self.target, self.draft = (_stock(folder, dtype).to(pair.target.device).eval() for folder in (target, draft))
        ends = sorted(pair.target.end_ids) or None
        for model in (self.target, self.draft):
            model.generation_config = GenerationConfig(do_sample=False, eos_token_id=ends, pad_token_id=0)
        self.draft.generation_config.update(
            num_assistant_tokens=k, num_assistant_tokens_schedule="constant", assistant_confidence_threshold=0.0
        )
        # transformers requires equal numbers of output rows; only the tokenizers must match, which loading the pair has checked
        self.draft.config.get_text_config().vocab_size = self.target.config.get_text_config().vocab_size

    @quiet()
    def generate(self, prompt_ids: Ids, tokens: int, **assistant: Any) -> Ids:
        """The new ids."""
        ids = torch.tensor([prompt_ids], device=self.target.device)
        with torch.inference_mode():
            text = self.target.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=tokens, **assistant)
        return tuple(text[0, len(prompt_ids) :].tolist())


@quiet()
def _stock(folder: str, dtype: torch.dtype) -> Any:
    return AutoModelForCausalLM.from_pretrained(folder, dtype=dtype, use_safetensors=True, local_files_only=True)


def timed_decoders(pair: Pair, peer: Peer, prompt: str, settings: Settings, repeats: int) -> dict[str, list[Timed]]:
    """Each decoder once to warm up, then all of them in turn."""

    def ours(*, plain: bool) -> Timed:
        run = Run(pair, prompt, settings, plain=plain)
        run.warm_up()
        return _timed(pair, lambda: run.finish().token_ids)

    prompt_ids = Run(pair, prompt, settings, plain=True).finish().prompt_ids
    tokens = settings.max_new_tokens
    decoders: dict[str, Callable[[], Timed]] = {
        PLAIN: lambda: ours(plain=True),
        SPECULATIVE: lambda: ours(plain=False),
        THEIRS: lambda: _timed(pair, lambda: peer.generate(prompt_ids, tokens)),
        ASSISTED: lambda: _timed(pair, lambda: peer.generate(prompt_ids, tokens, assistant_model=peer.draft)),
    }
    return in_turn(decoders, repeats)


def _rates(runs: list[Timed]) -> list[float]:
    return [len(ids) / seconds for seconds, ids in runs]


def _timed(pair: Pair, decode: Callable[[], Ids]) -> Timed:
    gc.collect()
    wait(pair.target.device)
    began = perf_counter()
    text = decode()
    wait(pair.target.device)
    return perf_counter() - began, text


def main() -> int:
    """Measure the first ready-made prompt of each kind, and print the medians with the lowest and the highest prompt."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pair", nargs="?", default=EMBEDDED)
    for option, value in (("--k", 5), ("--tokens", 64), ("--repeats", 3), ("--prompts", 9)):
        parser.add_argument(option, type=int, default=value)
    parser.add_argument("--dtype", default="float32")
    args = parser.parse_args()
    models = chosen_models(args.pair)
    kinds = {ready.category: ready for ready in reversed(ready_prompts(prompt_family(args.pair)))}
    prompts = [*reversed(kinds.values())][: args.prompts]
    results: list[dict[str, list[Timed]]] = []
    pair = load_pair(args.pair, dtype=args.dtype)
    with progress_messages() as say, watching(on_cpu=pair.target.device.type == "cpu"):  # one number of threads for all
        peer = Peer(pair, args.k, *(str(local_path(model)) for model in (models.target, models.draft or "")))
        for ready in prompts:
            say(ready.title)
            settings = Settings(k=args.k, max_new_tokens=args.tokens)
            results.append(timed_decoders(pair, peer, ready.text, settings, args.repeats))
    rates = [{name: _rates(runs) for name, runs in timed.items()} for timed in results]
    rows = {f"{name}, tokens a second": figure(median(rate[name]) for rate in rates) for name in rates[0]}
    for over, under in _RATIOS:
        rows[f"{over} / {under}"] = figure(ratios(rate[over], rate[under]).median for rate in rates)
    cells = [[name, *(f"{value:.2f}" for value in (row.median, row.low, row.high))] for name, row in rows.items()]
    different = [
        f"{ready.title}: {name}"
        for ready, timed in zip(prompts, results, strict=True)
        for name, runs in timed.items()
        if runs[0][1] != timed[PLAIN][0][1]
    ]
    screen = Screen()
    screen.print(f"{machine_words(pair.target.device)}; {args.pair}, {args.dtype}, k = {args.k}")
    screen.lines(table([["", "median", "lowest", "highest"], *cells]))
    screen.print(f"Texts that differ from our plain one: {'; '.join(different) or 'none'}.")
    return int(bool(different))


if __name__ == "__main__":
    raise SystemExit(main())
