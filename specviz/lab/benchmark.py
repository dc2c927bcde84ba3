"""Carries out the benchmark: in each number format every decoder on every prompt, what passes cost, and rounds after long prompts."""

import gc
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import partial
from statistics import median
from time import perf_counter

import torch

from specviz.decoding.recorder import LIGHT
from specviz.lab.axes import DTYPE, Axis
from specviz.lab.cell import outcome_of
from specviz.lab.contenders import Benchmark, Contenders
from specviz.lab.contestants import contestants
from specviz.lab.decoders import Library, measure_together
from specviz.lab.measuring import Bench, Say, run_seconds_of
from specviz.lab.plan import Models, SweepPlan, Task, tasks, values_at
from specviz.lab.profile import Profile
from specviz.lab.profiling import alone_of, sensible
from specviz.lab.results import MEASURED, Found, Sweep
from specviz.lab.sweep import load
from specviz.model_choice import chosen_models
from specviz.models import Pair
from specviz.models.devices import pick_device
from specviz.models.loading import format_of
from specviz.models.number_format import dtype_name, pick_dtype
from specviz.models.pair import Role
from specviz.models.sources import folder_of
from specviz.reporting.cost_curve import cost_curve
from specviz.reporting.figures import CostCurve
from specviz.reporting.machine import this_machine
from specviz.runs.load_watch import Watchman
from specviz.runs.race import warm
from specviz.runs.run import Run
from specviz.trace import theory


def measure(plan: SweepPlan, contexts: SweepPlan | None, say: Say) -> Benchmark:
    """Load and measure one number format after the other; only one is in memory at a time. Nothing else should run on the machine meanwhile.

    Args:
        plan: over number formats alone.
        contexts: over number formats and lengths of the prompt.
        say: called with the next step, never during a measurement.

    Raises:
        PromptError: a prompt and its new tokens do not fit the models' context.
    """
    device = pick_device(plan.models.device)
    formats = tuple(dict.fromkeys(_resolved(name, plan.models, device, say) for name in plan.axes[0].values))
    plan = replace(plan, axes=(Axis(DTYPE, formats),))
    contexts = None if contexts is None else replace(contexts, axes=(*plan.axes, contexts.axes[1]))
    found: list[Found] = []
    further: list[Found] = []
    contenders: list[Contenders] = []
    curves: dict[str, CostCurve] = {}
    profiles: dict[str, Profile] = {}
    created = datetime.now(UTC).isoformat(timespec="seconds")
    for dtype in formats:

        def step(what: str, dtype: str = dtype) -> None:
            say(f"{dtype}, {what}")

        pair = load(plan.models, step, dtype=dtype)
        prompts = [Run(pair, ready.text, plan.settings).prompt_ids for ready in plan.prompts]
        step("loading copies for transformers")
        library = _library(plan.models, pair, dtype, step)
        typical = int(median(map(len, prompts))) + plan.settings.max_new_tokens // 2
        k, sweeps = plan.settings.k, plan.repeats
        with Watchman(device.type == "cpu"):
            step("warming up")
            warm(pair)
            step("costs of a pass")
            curves[dtype], profiles[dtype] = sensible(
                partial(cost_curve, pair.target, pair.require_draft(), cached=typical, in_a_row=k, sweeps=sweeps),
                partial(alone_of, pair, name="", by="specviz bench"),
            )
        for task in _of(plan, dtype):
            ready = plan.prompts[task.prompt]
            step(f"prompt {task.prompt + 1} of {len(plan.prompts)}, {ready.title}")
            one, beside = _prompt(pair, library, plan, task, profiles[dtype], step)
            found.append(one)
            contenders.append(beside)
        bench = Bench(pair, step)
        for task in _of(contexts, dtype) if contexts else ():
            assert contexts is not None, "it has this task"
            step(f"context of {task.at[1]} tokens")
            further.append(bench.one(contexts, task)[0])
        del pair, library, bench
        gc.collect()
        if device.type == "cuda":
            torch.cuda.empty_cache()
    machine = this_machine(device)
    return Benchmark(
        machine=asdict(machine),
        sweep=Sweep("bench", created, machine.words, plan, tasks(plan), tuple(found)),
        contenders=tuple(contenders),
        curves=curves,
        profiles=profiles,
        contexts=None
        if contexts is None
        else Sweep("contexts", created, machine.words, contexts, tasks(contexts), tuple(further)),
    )


def _of(plan: SweepPlan, dtype: str) -> list[Task]:
    return [task for task in tasks(plan) if values_at(plan, task)[DTYPE] == dtype]


def _prompt(
    pair: Pair, library: Library, plan: SweepPlan, task: Task, profile: Profile, say: Callable[[str], None]
) -> tuple[Found, Contenders]:
    """All decoders on one prompt."""
    ready, settings = plan.prompts[task.prompt], plan.settings
    began = perf_counter()
    together = measure_together(pair, library, ready, settings, plan.repeats, say)
    (contestant,) = contestants((settings.drafter,), pair.name, settings)
    drafter = Run(pair, ready.text, settings, recorder=LIGHT).drafter
    outcome = outcome_of(pair, contestant, ready, drafter, together.pairs, together.conditions)
    own, _ = outcome.kept
    drafted = [len(round_.drafted) for round_ in own.rounds]
    predicted = theory.speedup_of_rounds(len(own.token_ids), drafted, profile.c, profile.v_at)
    decoding = sum(run_seconds_of(trace) for both in together.pairs for trace in both)
    wall = perf_counter() - began
    found = Found(task.index, MEASURED, outcome.row, predicted, outcome.row.ledger, "", decoding, wall)
    return found, together.contenders


def _resolved(name: str, models: Models, device: torch.device, say: Say) -> str:
    """A number format by its own name; `auto` is the one in which the pair would be loaded."""
    if name != "auto":
        return dtype_name(pick_dtype(name, device))
    sources: dict[Role, str] = dict(zip(("target", "draft"), _sources(models), strict=True))
    folders = {role: folder_of(source, lambda what, share: say(what)) for role, source in sources.items()}
    return dtype_name(format_of(name, device, sources, folders).dtype)


def _library(models: Models, pair: Pair, dtype: str, say: Say) -> Library:
    target, draft = (folder_of(source, lambda what, share: say(what)) for source in _sources(models))
    return Library(target, draft, pair.target.device, pick_dtype(dtype, pair.target.device), pair.target.end_ids)


def _sources(models: Models) -> tuple[str, str]:
    """Where target and draft are."""
    chosen = chosen_models(models.pair or None, models.target or None, models.draft or None)
    assert chosen.draft is not None, "checked with the options"
    return chosen.target, chosen.draft
