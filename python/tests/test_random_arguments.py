"""Whatever it is called with, the package answers or raises an exception: the interpreter never
crashes. `scripts/python build-asan sanitize` runs this with the address sanitizer.

Calls and arguments are drawn from a seed: FLITCAST_RANDOM_SEED chooses another, FLITCAST_RANDOM_CALLS
how many.
"""

import math
import os
import random
import warnings

import pytest
from conftest import example

import flitcast as fc

CALLS = int(os.environ.get("FLITCAST_RANDOM_CALLS", "2000"))
PART = CALLS // 8
SEED = int(os.environ.get("FLITCAST_RANDOM_SEED", "1"))

WORDS = ["", "mesh", "torus", "latency", "traffic.rate", "network.radix", "network.radix.0", "x" * 3000,
         "a\0b", "\ud800", "größe", "{", "[", "]", "0.01", "0:1:0.5", "1:2", "ring-trains", "nan",
         "traffic", "network.topology", "simulation.seed", "traffic.destinations", "%s%n", "../..",
         "torus-sharing", "hamacher-jiang/figure-4", "/dev/null", "/", "-1", "infinite", "latency <= 3"]


class Odd:
    """An object that is nothing in particular."""

    def __len__(self):
        return 3

    def __getitem__(self, index):
        raise IndexError


class Draw(random.Random):
    def value(self, depth=0):
        kind = self.randrange(16 if depth < 3 else 10)
        if kind == 0:
            return None
        if kind == 1:
            return self.random() < 0.5
        if kind == 2:
            return self.choice([0, 1, 2, 3, 5, 16, 63, 64, 1000])
        if kind == 3:
            return self.choice([-1, -2**31, 2**31, 2**32, 2**63, 2**64 - 1, 2**64, -2**70, 10**30])
        if kind == 4:
            return self.choice([math.nan, math.inf, -math.inf, 0.0, -0.0, 1e-300, 1e300, 0.01, 0.3])
        if kind in (5, 6, 7):
            return self.choice(WORDS)
        if kind == 8:
            return self.choice([b"", b"bytes\xff", bytearray(3), memoryview(b"abc")])
        if kind == 9:
            return self.choice([Odd(), object(), Odd, len, 3 + 4j, range(5), frozenset({1, 2})])
        if kind in (10, 11, 12):
            return [self.value(depth + 1) for _ in range(self.randrange(4))]
        if kind == 13:
            return tuple(self.value(depth + 1) for _ in range(self.randrange(4)))
        return {self.key(): self.value(depth + 1) for _ in range(self.randrange(4))}

    def key(self):
        return self.choice(WORDS) if self.random() < 0.9 else self.choice([None, 3, b"k", (1, 2)])

    def near(self, *right):
        """Mostly what is expected, so that a call gets far, at times anything."""
        return self.choice(right) if self.random() < 0.7 else self.value()


def axes(draw):
    return draw.near({"traffic.rate": [0.001, draw.near(0.002)]}, {"traffic.rate": "0.001,0.002"},
                     {"network.virtual_channels": [draw.near(2), 4]}, {}, {draw.key(): draw.value()})


def calls(base):
    """Every call of the package that takes arguments, as functions of what draws them."""
    mesh, rings, live = base["mesh"], base["rings"], base["live"]
    result, sweep, plot = base["result"], base["sweep"], base["plot"]
    comparison, saturations = base["comparison"], base["saturations"]
    some = {"progress": False, "threads": 1}
    return [
        lambda d: fc.Scenario(d.value()),
        lambda d: fc.Scenario(network=d.value(), traffic=d.value()),
        lambda d: fc.Scenario({"network": {"topology": d.near("mesh"), "radix": d.near([4, 4])},
                               "traffic": {"rate": d.near(0.01), "message_flits": d.near(4)}}),
        lambda d: fc.Scenario.read(d.value()),
        lambda d: fc.Scenario.read(example("booksim_mesh.cfg"), booksim=d.value()),
        lambda d: fc.Scenario.from_yaml(d.value()),
        lambda d: fc.Scenario.from_yaml(d.near("network: {topology: mesh, radix: [4, 4]}"), d.value()),
        lambda d: mesh.with_(d.value()),
        lambda d: mesh.with_({d.key(): d.value()}),
        lambda d: mesh.with_(traffic__rate=d.near(0.01), traffic__destinations=d.value()),
        lambda d: mesh[d.value()],
        lambda d: mesh.covered_by(d.value()),
        lambda d: mesh.predict(d.value()),
        lambda d: rings.predict(d.near("ring-trains", "hamacher-jiang")),
        lambda d: rings.simulate(d.near({}), precision=d.near(0.5), seed=d.near(1), **some),
        lambda d: rings.simulate(progress=d.value(), threads=d.near(1, 2)),
        lambda d: rings.compare(d.value(), **some),
        lambda d: mesh.sweep(axes(d), models=d.near(None, (), "torus-sharing"), store=None,
                             simulate=d.near(False), **some),
        lambda d: mesh.sweep(axes(d), store=d.near("/nonexistent/store.db", "/dev/null")),
        lambda d: mesh.saturate(model=d.near(None), simulate=False, width=d.near(0.1)),
        lambda d: mesh.optimize(axes(d), minimize=d.near("latency", None), let=d.near(None),
                                require=d.near((), "latency <= 30"), candidates=d.near(0, 3),
                                indifference=d.near(0.0), model=d.near(None)),
        lambda d: rings.curve(precision=d.near(0.5), at=d.near(0.001, [0.002]), model=d.near(None),
                              use_model=d.near(True), store=d.near(None), **some),
        lambda d: mesh.explain(model=d.near(None, "torus-sharing")),
        lambda d: fc.paper(d.near("x", "hamacher-jiang/nothing")),
        lambda d: result[d.value()],
        lambda d: getattr(result, str(d.value())),
        lambda d: (str(result), result.to_dict(d.near(True)), result.report().html(), repr(result)),
        lambda d: comparison.error(d.value(), d.value()),
        lambda d: saturations.of(d.value()),
        lambda d: saturations[d.value()],
        lambda d: sweep[d.value()],
        lambda d: sweep.plot(d.value()),
        lambda d: fc.Plot(d.near("t"), d.near("x"), d.near("y")).svg(),
        lambda d: plot.add(d.near("s"), d.near([1, 2]), d.near([1, 2]), d.near(None), d.near("line")),
        lambda d: plot.marker(d.near("m"), d.near(1.0)),
        lambda d: (plot.log(d.value(), d.value()), plot.svg(), str(plot), plot.gnuplot()),
        lambda d: plot.y_limit(d.value()),
        lambda d: fc.Live(d.near(mesh, rings, base["routers"]), background=d.value()),
        lambda d: live.inject(d.near(1), d.near(2), d.near(3), d.near(4)),
        lambda d: live.inject(d.near(1), d.near(2), d.near(3), d.near(4), d.value(), reply=d.value()),
        lambda d: live.inject_many(d.near([1, 2]), d.near([2, 3], 5), d.near(1, [1, 2]), d.value(),
                                   d.near(None)),
        lambda d: live.advance(d.near(0, 10, 100)),
        lambda d: live.advance_until(d.near(live.time + 5, None), delivery=d.near(True, None)),
        lambda d: (live.deliveries(), live.snapshot(restart=d.value()).tables),
        lambda d: d.random() < 0.1 and live.reset(),
    ]


@pytest.fixture(scope="module")
def base():
    mesh = fc.Scenario(network={"topology": "mesh", "radix": [4, 4], "virtual_channels": 2},
                       traffic={"rate": 0.01, "message_flits": 4},
                       simulation={"max_cycles": 2000, "precision": 0.5})
    rings = fc.Scenario.read(example("rings_two_levels.yaml"),
                             simulation={"max_cycles": 2000, "precision": 0.5})
    routers = mesh.with_(network__router_delay=1)
    return {
        "mesh": mesh, "rings": rings, "routers": routers, "live": fc.Live(routers),
        "result": rings.simulate(progress=False), "sweep": mesh.sweep({"traffic.rate": [0.001, 0.01]}),
        "plot": fc.Plot("t", "x", "y"), "comparison": rings.compare(progress=False),
        "saturations": rings.saturate(simulate=False),
    }


@pytest.mark.parametrize("part", range(8))
def test_random_arguments(base, part, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # whatever a path is drawn for
    draw, made = Draw(1000 * SEED + part), calls(base)
    answered = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(PART):
            try:
                draw.choice(made)(draw)
                answered += 1
            except Exception as problem:
                # The sentence, or the word of a check that Python itself makes.
                assert not isinstance(problem, (SystemError, RecursionError, AssertionError)), problem
                if isinstance(problem, fc.Error):
                    assert str(problem)
    assert answered > PART // 20, "most calls fail: they test too little"
