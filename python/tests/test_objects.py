"""Scenarios, results and forecasts as objects: copied, compared, pickled, made of other objects."""

import copy
import glob
import inspect
import multiprocessing
import os
import pickle

import pytest
from conftest import ROOT, example

import flitcast as fc

EXAMPLES = sorted(glob.glob(os.path.join(ROOT, "examples", "*.yaml")))


@pytest.mark.parametrize("path", EXAMPLES, ids=os.path.basename)
def test_a_pickled_scenario_is_the_same(path):
    scenario = fc.Scenario.read(path)
    again = pickle.loads(pickle.dumps(scenario))
    assert again == scenario and hash(again) == hash(scenario)
    assert (again.hash, again.to_yaml()) == (scenario.hash, scenario.to_yaml())


def test_scenarios_are_equal_by_what_they_say(mesh):
    assert mesh == mesh.with_() and mesh != mesh.with_(traffic__rate=0.01) and mesh != "8x8 mesh"
    assert mesh != mesh.with_(name="another") and mesh != mesh.with_(simulation__seed=2)
    assert len({mesh, mesh.with_(), mesh.with_(traffic__rate=0.01)}) == 2
    assert copy.copy(mesh) is mesh and copy.deepcopy([mesh])[0] is mesh


def test_a_booksim_configuration_keeps_its_differences():
    scenario = fc.Scenario.read(example("booksim_mesh.cfg"))
    again = pickle.loads(pickle.dumps(scenario))
    assert again == scenario and list(again.differences) == list(scenario.differences)


def predicted(scenario):
    return scenario.predict()


def test_results_come_back_from_other_processes(mesh):
    loads = [mesh.with_(traffic__rate=rate) for rate in (0.002, 0.004)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(predicted, loads) == [predicted(each) for each in loads]


@pytest.mark.parametrize("name", ["broken_mesh.yaml", "all_reduce.yaml", "classes.yaml"])
def test_a_pickled_result_has_its_tables(name):
    result = fc.Scenario.read(example(name)).simulate(precision=0.2, progress=False)
    again = pickle.loads(pickle.dumps(result))
    assert again == result and hash(again) == hash(result)
    assert again.to_dict(detail=True) == result.to_dict(detail=True) and result.tables
    first = next(iter(result.tables.values()))
    assert repr(again.tables[first.name].values) == repr(first.values)
    assert str(again) and again.report() and copy.copy(result) is result


def test_results_are_equal_by_what_they_say(mesh):
    assert mesh.predict() == mesh.predict() != mesh.with_(traffic__rate=0.006).predict()
    first, again = (mesh.simulate(precision=0.1, progress=False) for _ in range(2))
    assert first == again and first.run.seconds != 0 and len({first, again}) == 1
    assert first != mesh.simulate(precision=0.1, seed=2, progress=False) and first != 5


def test_accuracy_survives(rings):
    result = rings.predict("hamacher-jiang")
    assert result.accuracy and pickle.loads(pickle.dumps(result)).accuracy == result.accuracy


def test_studies_say_that_they_are_not_pickled(mesh):
    sweep = mesh.sweep({"traffic.rate": [0.001]})
    assert copy.copy(sweep) is sweep and copy.deepcopy(sweep) is sweep
    with pytest.raises(TypeError, match="Sweep cannot be pickled; its to_dict"):
        pickle.dumps(sweep)


def test_forecasts_as_arrays(mesh):
    numpy = pytest.importorskip("numpy")
    forecast = pickle.loads(pickle.dumps(mesh.forecast()))
    loads = numpy.linspace(0.001, 0.05, 24).reshape(4, 6)
    found, points = forecast.arrays(loads), mesh.forecast().points(loads.ravel())
    for name in ("load", "outcome", "value", "low", "high", "p99", "throughput"):
        column = getattr(found, name)
        assert column.shape == (4, 6)
        numpy.testing.assert_array_equal(column.ravel(), [getattr(p, name) for p in points])
    assert {"ok", "saturated"} == set(found.outcome.ravel())
    assert forecast.arrays([]).value.shape == (0,) and float(forecast.arrays(0.002).value) > 20
    for wrong in (float("nan"), -0.001):
        with pytest.raises(fc.Error, match="a load is a number that is not negative"):
            forecast.arrays([0.002, wrong])
        with pytest.raises(fc.Error, match="a load is a number"):
            forecast.at(wrong)
    with pytest.raises((TypeError, ValueError)):
        forecast.arrays(["fast"])


def test_booksim_from_text_and_from_keys():
    keys = {"topology": "mesh", "k": 4, "n": 2, "routing_function": "dor", "num_vcs": 4,
            "injection_rate": 0.1, "use_read_write": False}
    text = "topology = mesh;\nk = 4;\nn = 2;\nrouting_function = dor;\nnum_vcs = 4;\ninjection_rate = 0.1;\n"
    scenario = fc.Scenario.from_booksim(keys)
    assert scenario.hash == fc.Scenario.from_booksim(text).hash
    assert fc.Scenario.from_booksim(text, traffic__rate=0.02)["traffic.rate"] == 0.02
    assert pickle.loads(pickle.dumps(scenario)) == scenario and fc.Scenario.from_booksim({**keys, "vc_buf_size": 4}) != scenario
    with pytest.raises(fc.InputError, match="sphere"):
        fc.Scenario.from_booksim({"topology": "sphere"})
    with pytest.raises(fc.Error):
        fc.Scenario.from_booksim("topology = ")


def test_networkx_graphs():
    networkx = pytest.importorskip("networkx")
    rest = {"network": {"virtual_channels": 4, "routing": "up-down"}, "traffic": {"rate": 0.01, "message_flits": 4}}
    petersen = fc.Scenario.from_networkx(networkx.petersen_graph(), rest)
    assert petersen.predict().outcome == "ok" and "graph" in petersen.to_yaml()
    busier = petersen.with_(traffic__rate=0.02)
    again = pickle.loads(pickle.dumps(busier))
    del petersen
    assert again == busier and again.with_(traffic__rate=0.03)["traffic.rate"] == 0.03
    folder = os.path.dirname(busier._origin)
    assert os.path.exists(folder)
    del busier
    assert not os.path.exists(folder)
    grid = networkx.grid_2d_graph(3, 3)  # its nodes are pairs
    networkx.set_edge_attributes(grid, 7, "delay")
    slow = fc.Scenario.from_networkx(grid, rest).predict()
    networkx.set_edge_attributes(grid, 1, "delay")
    assert slow.latency.value > fc.Scenario.from_networkx(grid, rest).predict().latency.value + 5
    with pytest.raises(fc.Error):
        fc.Scenario.from_networkx(networkx.Graph(), rest)


def test_everything_public_has_a_sentence():
    for name in fc.__all__:
        each = getattr(fc, name)
        assert each.__doc__, name
        for member, value in vars(each).items() if inspect.isclass(each) else ():
            described = inspect.isfunction(value) or isinstance(value, (property, classmethod))
            if described and not member.startswith("_"):
                assert inspect.getdoc(getattr(each, member)), f"{name}.{member} has no docstring"
