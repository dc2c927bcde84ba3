"""What the tests of the recipe share: documents that are written once, folders that are built once a run, and commands with what they print."""

import contextlib
import fcntl
import io
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import pytest
import torch
from transformers import LlamaForCausalLM

from recipes.embedded import architecture
from recipes.embedded.__main__ import main
from recipes.embedded.recipe import Shape

WriteCorpus = Callable[..., Path]
"""The fixture `corpus_of`: writes a corpus folder, with the documents that are given for some classes."""


def seeded(seed: int) -> Random:
    """A random source for one document."""
    return Random(seed)  # noqa: S311  # text, not secrets


@cache
def documents(write: Callable[[Random], str], count: int) -> tuple[str, ...]:
    """What a generator writes from the seeds 0 to count - 1, written once in a process."""
    return tuple(write(seeded(seed)) for seed in range(count))


def said(*asked: str) -> tuple[int, str, str]:
    """The exit code of a command, and what it wrote to stdout and stderr."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = main(asked)
    return code, out.getvalue(), err.getvalue()


def once(factory: pytest.TempPathFactory, name: str, build: Callable[[Path], object]) -> Path:
    """A folder that `build` has filled, once in a test run: the first worker that needs it builds it, the others wait. Not to be changed."""
    base = factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, done = shared / name, shared / f"{name}.done"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            folder.mkdir()
            build(folder)
            done.touch()
    return folder


def roughened(shape: Shape, vocabulary: int = 50, seed: int = 1) -> LlamaForCausalLM:
    """A network in which every layer and every norm matters, as after training: fresh weights hardly change what passes through."""
    model = architecture.build(shape, vocabulary, 64, seed)
    noise = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(torch.randn(weight.shape, generator=noise), alpha=0.3)
    return model
