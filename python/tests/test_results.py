"""Predictions and simulations: values, mappings, tables, other formats."""

import json
import math
import os
import subprocess

import pytest
from conftest import ROOT, example

import flitcast as fc


def test_prediction(mesh):
    result = mesh.predict()
    assert (result.kind, result.outcome, result.method) == ("model", "ok", "torus-sharing")
    assert result["latency"].value == result.latency.value == float(result.latency) > 20
    assert result.latency.half_width is None and result.latency.unit == "cycles"
    assert sum(part.value for part in result.parts.values()) == pytest.approx(result.latency.value)
    assert "latency" in result and set(result) == set(result.metrics) and len(result) > 3
    assert result.validated and result.flags == [] and result.accuracy == ""
    assert "latency" in dir(result) and "torus-sharing" in repr(result)
    rings = fc.Scenario.read(example("rings_two_levels.yaml"))
    assert rings.predict("hamacher-jiang").method == "hamacher-jiang"


def test_calibration_is_told(mesh):
    result, alone = mesh.predict(), mesh.predict("torus-sharing")
    assert result.calibrated and not alone.calibrated
    assert result.latency.uncalibrated == pytest.approx(alone.latency.value)
    assert alone.latency.uncalibrated is None and result.throughput.uncalibrated is None
    low, high = result.interval
    assert low < result.latency.value < high


def test_results_in_nanoseconds(mesh):
    result = mesh.with_({"network.clock_ghz": 2, "network.flit_bytes": 16}).predict()
    assert result.latency.physical.unit == "ns"
    assert float(result.latency.physical) == pytest.approx(result.latency.value / 2)
    assert result.throughput.physical.unit == "GB/s"
    assert mesh.predict().latency.physical is None


def test_simulation_is_reproducible(mesh):
    first = mesh.simulate(precision=0.05, progress=False)
    again = mesh.simulate(precision=0.05, threads=1, progress=False)
    other = mesh.simulate(precision=0.05, seed=2, progress=False)
    assert first.kind == "simulator" and first.outcome == "ok" and first.accuracy == ""
    assert 0 < first.latency.half_width <= 0.05 * first.latency.value
    assert first.metrics == again.metrics != other.metrics
    assert first.run.seed == 1 and other.run.seed == 2 and first.run.cycles > 1000


def test_a_saturated_network_is_an_answer(mesh):
    result = mesh.with_(traffic__rate=0.1).predict()
    assert result.outcome == "saturated"
    with pytest.raises(AttributeError, match="saturated.*no metric 'latency'"):
        result.latency
    with pytest.raises(KeyError):
        result["latency"]


def test_tables(mesh):
    # a table holds what was counted, not what control variates make of it
    result = mesh.simulate(precision=0.01, progress=False)
    nodes = result.tables["nodes"]
    assert len(nodes) == 64 and nodes.labels[0] == "(0, 0)"
    assert len(nodes.values) == 64 and len(nodes.values[0]) == len(nodes.columns)
    assert result.to_dict(detail=True)["nodes"]
    column = nodes.columns.index("throughput")
    assert sum(row[column] for row in nodes.values) / 64 == pytest.approx(
        result.throughput.value, rel=0.05)
    del result
    assert math.isfinite(nodes.values[63][column]), "a table keeps its result alive"


def test_pairs_of_routers():
    routers = fc.Scenario({"network": {"topology": "mesh", "radix": [3, 3], "virtual_channels": 2,
                                       "router_delay": 1},
                           "traffic": {"rate": 0.03, "message_flits": 4}})
    assert "pairs" not in routers.predict().tables
    result = routers.predict(detail=True)
    pairs = result.tables["pairs"]
    share, latency = (pairs.columns.index(name) for name in ("share", "latency"))
    assert len(pairs) == 72 and pairs.labels[0] == "0 to 1"
    assert sum(row[share] * row[latency] for row in pairs.values) == pytest.approx(
        result.latency.value, rel=1e-9)


def test_frames(mesh):
    pytest.importorskip("pandas")
    result = mesh.simulate(precision=0.1, progress=False)
    frame = result.to_frame()
    assert frame.loc["latency", "value"] == result.latency.value
    assert result.tables["nodes"].to_frame().shape == (64, len(result.tables["nodes"].columns))
    assert result.tables["nodes"].to_numpy().shape == (64, len(result.tables["nodes"].columns))


def test_json_is_that_of_the_command_line(rings):
    program = os.path.join(os.environ.get("FLITCAST_BUILD_DIR", os.path.join(ROOT, "build")),
                           "flitcast")
    if not os.path.exists(program):
        pytest.skip("the program is not built")
    printed = json.loads(subprocess.run(
        [program, "predict", example("rings_two_levels.yaml"), "--format", "json"],
        check=True, stdout=subprocess.PIPE).stdout)
    ours = rings.predict().to_dict()
    del printed["run"]["seconds"], ours["run"]["seconds"]
    assert ours == printed


def test_text_csv_and_page(mesh):
    result = mesh.predict()
    assert "torus-sharing" in str(result) and "latency" in result.to_csv()
    page = result.report().html()
    assert page.startswith("<!doctype html>") and "8x8 mesh" in page
    assert f"{result['latency'].value:.5g}" in page
    assert result._repr_html_().startswith("<iframe")


def test_results_outlive_their_scenario():
    result = fc.Scenario.read(example("rings_two_levels.yaml")).predict()
    assert result.accuracy and result.latency.value > 30
