"""No leak: a process that predicts and simulates for long stays as large as it is.

By default a tenth of the full count, so that the suite is quick; FLITCAST_LEAK_TEST=full runs
100,000 predictions and 1,000 simulations.
"""

import gc
import os
import resource

import flitcast as fc

SHARE = 1 if os.environ.get("FLITCAST_LEAK_TEST") == "full" else 0.1


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def growth(step, count):
    """Bytes by which the process grows in `count` steps, after as many as fill its caches."""
    for _ in range(count // 10 + 10):
        step()
    gc.collect()
    before = resident()
    for _ in range(count):
        step()
    gc.collect()
    return resident() - before


def test_predictions_do_not_leak(rings):
    def step():
        result = rings.predict()
        assert result.latency.value > 30

    count = int(100_000 * SHARE)
    # A leak of one metric (88 bytes) a step would be 880 kB at the least.
    assert growth(step, count) < max(500_000, 5 * count)


def test_simulations_do_not_leak(rings):
    short = rings.with_(simulation={"precision": 0.5, "max_cycles": 2000})

    def step():
        assert short.simulate(progress=False).metrics

    count = int(1_000 * SHARE)
    assert growth(step, count) < max(1_500_000, 2_000 * count)


def test_scenarios_errors_and_texts_do_not_leak(rings):
    def step():
        changed = rings.with_(traffic__rate=0.002)
        changed.to_yaml()
        try:
            rings.with_(traffic__rate=-1)
        except fc.InputError:
            pass

    count = int(20_000 * SHARE)
    assert growth(step, count) < max(500_000, 50 * count)
