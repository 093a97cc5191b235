"""Comparisons, sweeps, saturation loads, optima, explanations, papers."""

import pytest

import flitcast as fc


def test_compare(rings):
    found = rings.compare(precision=0.05, progress=False)
    assert set(found.models) == {"ring-trains", "hamacher-jiang"}
    simulated = found.simulation.latency
    expected = found.models["ring-trains"].latency.value / simulated.value - 1
    assert found.error("ring-trains") == pytest.approx(expected)
    assert found.to_dict()["errors"][0]["model"] == "ring-trains"
    assert "hamacher-jiang" in str(found) and found.note == ""
    kept = found.results[0]
    del found
    assert kept.latency.value > 30, "a result keeps its comparison alive"
    with pytest.raises(KeyError):
        rings.compare(precision=0.2, progress=False).error("nobody")


def test_curve(rings):
    found = rings.curve(precision=0.1, at=[0.001, 0.003], progress=False)
    assert found.key == "traffic.rate" and found.model in rings.compare(
        precision=0.2, progress=False).models
    loads = [point.load for point in found]
    assert loads == sorted(loads) and len(loads) == len(found) == len(found.records())
    asked = found.at(0.003)
    assert asked.asked and asked.metrics["latency"].half_width > 0 and asked.outcome == "ok"
    assert asked.metrics["latency"].value > found.at(0.001).metrics["latency"].value
    low, high = found.bracket
    assert low <= found.saturation <= high and any(point.simulated for point in found)
    assert found.to_dict()["key"] == "traffic.rate" and "latency" in str(found)
    assert found.plot().svg().startswith("<?xml") and "<svg" in found.report().html()
    with pytest.raises(KeyError, match="no point at 5"):
        found.at(5)
    with pytest.raises(ValueError):
        rings.curve(at="high", progress=False)


def test_sweep(mesh):
    found = mesh.sweep({"network.topology": ["mesh", "torus"], "traffic.rate": [0.001, 0.002, 0.5]})
    assert len(found) == 6 and found.methods == ["model"]
    assert found.axes == {"network.topology": ["mesh", "torus"], "traffic.rate": [0.001, 0.002, 0.5]}
    assert found[1].settings == {"network.topology": "mesh", "traffic.rate": 0.002}
    assert found[-1].settings == {"network.topology": "torus", "traffic.rate": 0.5}
    assert found[1].results[0].latency.value == mesh.with_(traffic__rate=0.002).predict().latency.value
    assert [len(found[2:4]), found[2].results[0].outcome] == [2, "saturated"]
    rows = found.records()
    assert len(rows) == 6 and rows[0]["latency"] == found[0].results[0].latency.value
    assert len(found.to_csv().splitlines()) == 7
    point = found[0]
    del found
    assert point.results[0].latency.value > 0, "a result keeps its sweep alive"


def test_points_without_a_result_say_why(mesh):
    found = mesh.sweep({"network.virtual_channels": [0, 2]})
    assert found[0].results == [None] and found[0].gaps[0].startswith("network.virtual_channels")
    assert found[1].results[0].latency and found[1].gaps == [""]
    assert "virtual_channels" in found.records()[0]["reason"]


def test_sweep_with_simulation_text_and_store(rings, tmp_path):
    store = tmp_path / "rings.db"
    vary = {"traffic.rate": "0.001:0.003:0.001"}
    coarse = rings.with_(simulation__precision=0.1)
    found = coarse.sweep(vary, models="hamacher-jiang", simulate=True, store=store, progress=False)
    assert found.methods == ["hamacher-jiang", "simulation"] and len(found) == 3
    again = coarse.sweep(vary, models=["hamacher-jiang"], simulate=True, store=store,
                         progress=False)
    assert again.records() == found.records() and "latency_half_width" in found.records()[1]
    alone = coarse.sweep(vary, models=(), simulate=True, store=store, progress=False)
    assert alone.methods == ["simulation"]


def test_sweep_frame_and_plot(mesh):
    found = mesh.sweep({"traffic.rate": [0.001, 0.002, 0.003]})
    assert found.plot().svg().startswith("<?xml") and "latency" in found.plot("latency").svg()
    assert "<svg" in found.report().html()
    with pytest.raises(fc.InputError):
        found.plot("nonsense")
    pytest.importorskip("pandas")
    assert list(found.to_frame()["traffic.rate"]) == [0.001, 0.002, 0.003]


def test_sweep_over_values_of_numpy(mesh):
    numpy = pytest.importorskip("numpy")
    found = mesh.sweep({"traffic.rate": numpy.linspace(0.001, 0.003, 5)})
    assert found.axes["traffic.rate"] == list(numpy.linspace(0.001, 0.003, 5))


def test_saturate(rings):
    found = rings.saturate(width=0.2, progress=False)
    assert found[0].method == "ring-trains" and found[0].load == found[0].low == found[0].high
    simulated = found[len(found) - 1]
    assert simulated.kind == "simulator" and simulated.low <= simulated.load <= simulated.high
    assert found.of("hamacher-jiang").load == pytest.approx(found[0].load)
    assert len(rings.saturate(simulate=False, model="hamacher-jiang")) == 1
    assert "ring-trains" in str(found) and found.to_dict()


def test_optimize(rings):
    found = rings.optimize({"network.rings.0": "2:100:1"},
                           let={"network.rings.1": "500 / network.rings.0"}, minimize="latency",
                           require="latency <= 1000", candidates=3)
    assert len(found.candidates) == 3 and found.winner == found.candidates[0]
    assert found.winner.settings["network.rings.0"] * found.winner.settings[
        "network.rings.1"] == pytest.approx(500)
    assert found.evaluated == 99 and found.winner.simulated is None
    assert "latency" in str(found) and repr(found)
    front = rings.optimize({"network.rings.0": [4, 8, 16]}, minimize="latency",
                           and_maximize="throughput").front
    assert front
    simulated = rings.with_(simulation__precision=0.1).optimize(
        {"network.rings.0": [8, 16]}, minimize="latency", simulate=2, progress=False)
    assert simulated.winner.simulated > 0


def test_explain(mesh):
    found = mesh.explain()
    assert found.result.method == "torus-sharing" and found.busiest[0].utilisation > 0
    assert found.saturation > 0.005 and any("saturates" in s for s in found.sentences)
    keys = {lever.key for lever in found.levers}
    assert "traffic.message_flits" in keys
    assert all(step.saturation > found.saturation for _, step in found.carriers)
    assert found.to_dict()["busiest"] and "<table" in found.report().html()


def test_paper():
    report = fc.paper("hamacher-jiang/figure-4", precision=0.2, progress=False)
    assert report.plots[0].svg().startswith("<?xml")
    assert "hamacher" in report.html().lower() and report.claims >= report.claims_failed >= 0


def test_plot_of_ones_own(tmp_path):
    plot = fc.Plot("squares", "x", "y").add("x * x", [1, 2, 3], [1, 4, float("nan")], [0, 1, 0])
    plot.marker("here", 2).log(y=True).y_limit(10)
    plot.save(tmp_path / "squares.svg")
    assert "squares" in (tmp_path / "squares.svg").read_text() and str(plot) and plot.gnuplot()
    with pytest.raises(fc.InputError):
        plot.add("short", [1, 2], [1])
    with pytest.raises(fc.InputError):
        plot.add("style", [1], [1], style="dotted")
