"""The commands, the object behind them and this package give one answer, to the last digit."""

import csv
import io
import json
import math
import os
import subprocess

import pytest

import flitcast as fc
from conftest import ROOT

PROGRAM = os.path.join(os.environ.get("FLITCAST_BUILD_DIR", os.path.join(ROOT, "build")), "flitcast")
ROUTERS = {"virtual_channels": 4, "buffer": 8, "router_delay": [1, 1, 1, 1]}
SCENARIOS = [
    ({"topology": "mesh", "radix": [8, 8], **ROUTERS}, {"rate": 0.06, "message_flits": 8}),
    ({"topology": "mesh", "radix": [8, 8], **ROUTERS},
     {"rate": 0.045, "destinations": "transpose",
      "message_mix": [{"share": 0.5, "flits": 1}, {"share": 0.5, "flits": 5}]}),
    ({"topology": "torus", "radix": [8, 8], **ROUTERS}, {"rate": 0.13, "message_flits": 5}),
    ({"topology": "mesh", "radix": [8, 8], "routing": "adaptive", **ROUTERS},
     {"rate": 0.04, "message_flits": 5, "destinations": "bit-complement"}),
    ({"topology": "dragonfly", "hosts": 2, "routers": 4, "global_links": 2, **ROUTERS},
     {"rate": 0.02, "message_flits": 8}),
    ({"topology": "mesh", "radix": [8, 8], **ROUTERS},
     {"rate": 0.045, "message_flits": 5, "injection": {"on-off": {"on": 400, "off": 1200}}}),
    ({"topology": "torus", "radix": [6, 6], "virtual_channels": 4},
     {"rate": 0.001, "message_flits": 16}),
    ({"topology": "ring-hierarchy", "rings": [6, 4]}, {"rate": 0.001}),
]
SHARES = [0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97, 1, 1.03, 1.2, 1.5]


@pytest.fixture(scope="module", params=range(len(SCENARIOS)))
def asked(request, tmp_path_factory):
    network, traffic = SCENARIOS[request.param]
    scenario = fc.Scenario(network=network, traffic=traffic)
    path = tmp_path_factory.mktemp("one") / "scenario.yaml"
    path.write_text(str(scenario))
    return scenario, str(path)


def told(path, command, *arguments, text="json"):
    done = subprocess.run([PROGRAM, command, path, "--format", text, *arguments], check=True,
                          capture_output=True, text=True)
    return json.loads(done.stdout) if text == "json" else list(csv.DictReader(io.StringIO(done.stdout)))


def test_saturation_load(asked):
    scenario, path = asked
    expected = scenario.forecast().saturation
    found = told(path, "saturate", "--no-simulation")["saturation"][0]
    assert found["kind"] == "model"
    assert (found["load"], found.get("low", found["load"]), found.get("high", found["load"])) == (
        expected.load, expected.low, expected.high)
    explained = told(path, "explain")["saturation"]
    assert explained["load"] == expected.load


def test_every_load(asked):
    scenario, path = asked
    forecast = scenario.forecast()
    saturation = forecast.saturation
    loads = [share * saturation.load for share in SHARES]
    rows = told(path, "sweep", "--vary", "traffic.rate=" + ",".join(repr(x) for x in loads),
                text="csv")
    last = 0.0
    for load, point, row in zip(loads, forecast.points(loads), rows):
        at = told(path, "predict", "--set", f"traffic.rate={load!r}")
        assert at["outcome"] == point.outcome == row["outcome"]
        result = forecast.at(load)
        if point.outcome != "ok":
            assert load >= saturation.low
            assert at["metrics"]["throughput"]["value"] == result["throughput"].value
            assert at["metrics"]["throughput"]["value"] <= saturation.load
            continue
        latency = at["metrics"]["latency"]["value"]
        assert latency == point.value == result["latency"].value == float(row["latency"])
        assert latency >= last
        last = latency
        assert math.isclose(sum(part["value"] for part in at["parts"]), latency, rel_tol=1e-6)
