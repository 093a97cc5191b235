"""Long calls: progress, Ctrl-C, threads, the end of the interpreter."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from conftest import example

import flitcast as fc


def interrupt_soon(seconds):
    timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def test_progress_function(rings):
    seen = []
    rings.simulate(precision=0.0005, max_cycles=3e5, threads=1,
                   progress=lambda done, what: seen.append((done, what)))
    assert all(0 <= done <= 1 and isinstance(what, str) for done, what in seen)


def test_ctrl_c_keeps_what_was_measured(endless):
    looks = 0

    def interrupt_when_measuring(done, what):
        nonlocal looks
        looks += what.startswith("measuring")
        if looks == 3:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as stopped:
        endless.simulate(threads=1, progress=interrupt_when_measuring)
    result = stopped.value.result
    assert isinstance(stopped.value, fc.Interrupted)
    assert result.latency.value > 30 and "Stopped early" in result.note


def test_ctrl_c_comes_through_without_progress(endless):
    timer = interrupt_soon(0.5)
    start = time.monotonic()
    with pytest.raises(fc.Interrupted):
        endless.simulate(threads=1, progress=False)
    timer.join()
    assert time.monotonic() - start < 30


def test_ctrl_c_keeps_the_points_that_are_done(endless):
    timer = interrupt_soon(1.0)
    with pytest.raises(fc.Interrupted) as stopped:
        endless.sweep({"traffic.rate": [0.001, 0.002]}, simulate=True, threads=1, progress=False)
    timer.join()
    found = stopped.value.result
    assert found is None or any(point.results[0] for point in found)


def test_an_exception_of_a_progress_function_stops_the_run(endless):
    def fail(done, what):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        endless.simulate(threads=1, progress=fail)


def test_an_exception_of_a_signal_handler_stops_the_run(endless):
    def too_late(number, frame):
        raise TimeoutError("too late")

    before = signal.signal(signal.SIGALRM, too_late)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with pytest.raises(TimeoutError):
            endless.simulate(threads=1, progress=False)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_threads_simulate_at_once_and_python_goes_on(rings):
    coarse = rings.with_(simulation__precision=0.02)
    alone = coarse.simulate(threads=1, progress=False).metrics
    found = {}

    def simulate(number):
        found[number] = coarse.simulate(threads=1, progress=False).metrics

    threads = [threading.Thread(target=simulate, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    counted = 0
    while any(thread.is_alive() for thread in threads):
        counted += 1
    for thread in threads:
        thread.join()
    assert counted > 1000, "Python's lock is free during a run"
    assert all(found[n] == alone for n in range(4))


def test_progress_on_a_terminal(endless):
    code = f"""
import flitcast as fc
s = fc.Scenario.read({example("rings_two_levels.yaml")!r})
s.simulate(precision=1e-5, max_cycles=1e6, threads=1, progress=True)
"""
    done = subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, check=True)
    assert b" %  " in done.stderr and done.stderr.endswith(b"\r\x1b[K")


END_DURING_A_RUN = """
import sys, threading, time
import flitcast as fc
s = fc.Scenario.read({path!r}, simulation={{"precision": 1e-5, "max_cycles": 1e12}})
for i in range(3):
    threading.Thread(target=lambda: s.simulate(threads=2, progress={progress}), daemon=True).start()
time.sleep(0.3)
{ending}
"""


@pytest.mark.parametrize("ending, code", [("", 0), ("sys.exit(3)", 3), ("raise SystemExit(4)", 4)])
@pytest.mark.parametrize("progress", ["False", "lambda *a: None"])
def test_the_interpreter_may_end_during_a_run(ending, code, progress):
    text = END_DURING_A_RUN.format(path=example("rings_two_levels.yaml"), ending=ending,
                                   progress=progress)
    done = subprocess.run([sys.executable, "-c", text], timeout=60, stderr=subprocess.PIPE)
    assert done.returncode == code, done.stderr


def test_objects_are_freed_in_any_order(rings, mesh):
    sweep = mesh.sweep({"traffic.rate": [0.001, 0.002]})
    points = list(sweep)
    compare = rings.compare(precision=0.2, progress=False)
    results = compare.results
    report = compare.report()
    plot = sweep.plot()
    del sweep, compare
    assert points[1].results[0].latency and results[0].latency and report.html() and plot.svg()
    del report, plot
    points.reverse()
    while points:
        points.pop()
