"""The lab's database: nothing measured is lost, and a file that cannot be used is set aside."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from time import process_time

import pytest

from specviz.errors import InputError, StoreError
from specviz.lab.axes import Axis
from specviz.lab.plan import tasks
from specviz.lab.results import LEFT_OUT, MEASURED, REPLANNED, Found
from specviz.lab.store import VERSION, Store, measured_elsewhere, text_of
from specviz.lab.tables import notes
from specviz.trace.files import to_json
from tests.lab.making import busy_of, found_of, plan_of

KS = Axis("k", ("1", "2", "3", "4"))


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    """Plan, figures and recording; a run that is measured again replaces the earlier one, and its recording with it."""
    store = Store(tmp_path / "new" / "lab.sqlite3")
    plan = plan_of(KS)
    assert store.begin("ks", plan, "here").tasks == tasks(plan)
    for task in (2, 0):
        store.keep("ks", found_of(task), '{"schema": "x"}' if task == 2 else None)
    again = Store(store.path)
    assert again.note == ""
    sweep = again.sweep("ks")
    assert (sweep.plan, sweep.machine) == (plan, "here")
    assert sweep.found == (found_of(0), found_of(2))
    assert not sweep.complete
    assert (again.recording("ks", 2), again.recording("ks", 0)) == ('{"schema": "x"}', None)
    again.keep("ks", found_of(2, 3.0))
    assert again.recording("ks", 2) is None
    assert [row.speedup.median for row in again.sweep("ks").rows] == [1.5, 3.0]
    (listed,) = again.listing()
    assert (listed.name, listed.axes, listed.runs, listed.done) == ("ks", ("k",), 8, 2)
    assert again.run_seconds() == pytest.approx(0.6)
    again.rename("ks", "renamed")
    assert again.free_name(plan) == "k"
    with pytest.raises(InputError, match="No sweep is called"):
        again.sweep("ks")
    for name in ("renamed", " "):
        with pytest.raises(InputError):
            again.begin(name, plan, "")


def test_a_figure_is_never_replaced_by_none(tmp_path: Path) -> None:
    """A run that is measured again on a busy machine, or is not over in time, keeps its earlier figure and its recording, and says why; also one
    without a trusted speedup keeps its counts. A new figure replaces it, and one that cannot be read."""
    store = Store(tmp_path / "lab.sqlite3")
    store.begin("ks", plan_of(KS), "here")
    busy = busy_of(found_of(0, 9.0))
    left_out = Found(0, LEFT_OUT, None, None, None, "It took too long.", 0.0, 0.0)
    for how in (REPLANNED, MEASURED):
        for newer, why in ((busy, "this machine is busy"), (left_out, "It took too long")):
            store.keep("ks", replace(found_of(0), how=how), '{"schema": "x"}')
            store.keep("ks", newer)
            (kept,) = store.sweep("ks").found
            assert (kept.how, kept.row, why in kept.why) == (how, found_of(0).row, True)
            assert store.recording("ks", 0) == '{"schema": "x"}'
            (cell,) = store.sweep("ks").cells
            assert kept.why == cell.why
            assert "earlier figure, because a newer measurement gave none: 1." in " ".join(notes(store.sweep("ks")))
    assert [row.speedup.median for row in store.sweep("ks").rows] == [1.5]
    store.keep("ks", found_of(0, 2.0))
    assert store.sweep("ks").found == (found_of(0, 2.0),)
    store.keep("ks", replace(busy, task=1))
    store.keep("ks", replace(left_out, task=1))
    assert store.sweep("ks").found[1].row == busy.row
    with closing(sqlite3.connect(store.path)) as db, db:
        db.execute("UPDATE runs SET found = '{}' WHERE task = 0")
    store.keep("ks", left_out)
    assert store.sweep("ks").found[0] == left_out


def test_ten_thousand_runs_are_listed_in_under_a_second(tmp_path: Path) -> None:
    """Opening the file with its check, the sweeps, and every run of them."""
    store = Store(tmp_path / "lab.sqlite3")
    text, row = json.dumps(to_json(found_of(0))), "at"
    for number in range(10):
        store.begin(f"sweep {number}", plan_of(KS), "here")
    insert = "INSERT INTO runs VALUES (?, ?, 'measured', ?, 'one', 0.5, 1.5, 0.6, ?)"
    with closing(sqlite3.connect(store.path)) as db, db:
        db.executemany(insert, ((1 + i % 10, i // 10, row, text) for i in range(10_000)))
        large = ((1 + i % 10, i // 10, os.urandom(4000)) for i in range(10_000))
        db.executemany("INSERT INTO recordings VALUES (?, ?, ?)", large)
    began = process_time()  # a busy machine must not fail it
    opened = Store(store.path)
    assert sum(each.done for each in opened.listing()) == 10_000
    assert process_time() - began < 1


KILLED = """
import sys
from pathlib import Path
from specviz.lab.store import Store
with Store(Path(sys.argv[1]))._database() as db:  # the run in hand: half of it is written
    db.execute("DELETE FROM runs WHERE task < 2")
    print("now", flush=True)
    sys.stdin.read()
"""


def test_a_killed_process_loses_the_run_in_hand_only(tmp_path: Path) -> None:
    """Killed in the middle of a write: what was stored before is there, the file is sound, and the sweep can go on."""
    path = tmp_path / "lab.sqlite3"
    Store(path).begin("ks", plan_of(KS), "here")
    for task in range(3):
        Store(path).keep("ks", found_of(task), "{}")
    program = [sys.executable, "-c", KILLED, str(path)]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "now\n"
        process.send_signal(signal.SIGKILL)
        process.wait()
    store = Store(path)
    assert store.note == ""
    assert [each.task for each in store.sweep("ks").found] == [0, 1, 2]
    store.keep("ks", found_of(3))
    assert len(store.sweep("ks").found) == 4


def test_what_cannot_be_used_is_set_aside_and_nothing_is_deleted(tmp_path: Path) -> None:
    """Of a newer version, damaged, no database, another program's: renamed with every byte, said in one sentence, and a new one begun."""
    path = tmp_path / "lab.sqlite3"
    Store(path).begin("ks", plan_of(KS), "here")
    sound = path.read_bytes()

    damaged = sound[:4096] + b"\xff" * (len(sound) - 4096)
    for begins, statement, reason in (
        (sound, f"PRAGMA user_version = {VERSION + 1}", "newer version"),
        (b"", "CREATE TABLE notes (words TEXT)", "not the lab's"),
        (damaged, "", "damaged"),
        (b"these are words, and no database at all" * 200, "", "damaged"),
    ):
        before = {each for each in tmp_path.iterdir() if each != path}
        path.write_bytes(begins)
        if statement:
            with closing(sqlite3.connect(path)) as db, db:
                db.execute(statement)
        data, store = path.read_bytes(), Store(path)
        (aside,) = {each for each in tmp_path.iterdir() if each != path} - before
        assert aside.read_bytes() == data, reason
        assert reason in store.note
        assert aside.name in store.note
        assert store.note.count(". ") == 0
        assert store.listing() == ()
        assert Store(path).note == "", "the new one is sound"


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    """A file in the place of the folder."""
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="could not be opened"):
        Store(tmp_path / "file" / "lab.sqlite3")


def test_a_sweep_of_another_machine_is_taken_over_and_not_mixed_with_this_one(tmp_path: Path) -> None:
    """The example that comes with specviz: every figure comes back, under a free name; and nothing measured here is added to it."""
    there = Store(tmp_path / "there.sqlite3")
    there.begin("example", plan_of(KS), "Far CPU, 2 threads, torch 2.0")
    for task in range(3):
        there.keep("example", found_of(task))
    here = Store(tmp_path / "here.sqlite3")
    sweep = there.sweep("example")
    assert here.adopt(text_of(sweep)) == "example"
    assert here.sweep("example") == sweep
    assert here.adopt(text_of(sweep)) == "k"
    wrong = [text_of(sweep).replace(*each) for each in (('"plan":', '"other":'), ('"task":0', '"task":"0"'))]
    for damaged in ("", "{}", "[]", *wrong):
        with pytest.raises(StoreError, match="could not be read"):
            here.adopt(damaged)
    assert [each.name for each in here.listing()] == ["k", "example"]
    assert "another machine (Far CPU)" in measured_elsewhere(sweep.machine, "Near CPU, 2 threads, torch 2.0")
    assert not measured_elsewhere(sweep.machine, "float32, Far CPU, 1 thread, torch 2.1")
    assert not measured_elsewhere("", "Near CPU, 2 threads, torch 2.0")
