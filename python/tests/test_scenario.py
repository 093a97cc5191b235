"""Scenarios from mappings, keywords, files and BookSim configurations."""

import math
import pathlib

import pytest
from conftest import example

import flitcast as fc


def test_mapping_keywords_and_file_mean_the_same(tmp_path, mesh):
    file = tmp_path / "mesh.yaml"
    file.write_text("name: 8x8 mesh\nnetwork: {topology: mesh, radix: [8, 8], virtual_channels: 4}\n"
                    "traffic: {rate: 0.005, message_flits: 16}\n")
    dotted = fc.Scenario({"network.topology": "mesh", "network.radix": [8, 8],
                          "network.virtual_channels": 4, "traffic.rate": 0.005,
                          "traffic.message_flits": 16}, name="8x8 mesh")
    keywords = fc.Scenario(name="8x8 mesh", network__topology="mesh", network__radix=(8, 8),
                           network__virtual_channels=4, traffic__rate=0.005,
                           traffic__message_flits=16)
    read = fc.Scenario.read(file)
    text = fc.Scenario.from_yaml(file.read_text())
    assert {s.hash for s in (mesh, dotted, keywords, read, text)} == {mesh.hash}
    assert {s.name for s in (mesh, dotted, keywords, read, text)} == {"8x8 mesh"}
    assert fc.Scenario.from_yaml(mesh.to_yaml()).hash == mesh.hash


def test_with_changes_a_copy(mesh):
    changed = mesh.with_(traffic__rate=0.01)
    assert (mesh["traffic.rate"], changed["traffic.rate"]) == (0.005, 0.01)
    assert mesh.with_({"traffic.rate": 0.01}).hash == changed.hash
    assert mesh.with_(traffic={"rate": 0.01}).hash == changed.hash
    assert mesh.with_({"network.radix.1": 4})["network.radix.1"] == 4
    assert mesh.with_().hash == mesh.hash


def test_asking(mesh):
    assert mesh.family == "torus"
    assert mesh.main_metric == "latency"
    assert mesh.load_key == "traffic.rate"
    assert mesh.covered_by("torus-sharing") and not mesh.covered_by("ring-trains")
    assert "8x8 mesh" in repr(mesh)
    closed = fc.Scenario.read(example("closed_8x8.yaml"))
    assert (closed.main_metric, closed.load_key) == ("efficiency", None)


def test_infinity_is_the_word_of_scenarios():
    closed = fc.Scenario.read(example("closed_8x8.yaml"))
    assert closed.with_(network__buffer=math.inf)["network.buffer"] == math.inf


def test_values_of_numpy(mesh):
    numpy = pytest.importorskip("numpy")
    assert mesh.with_(traffic__rate=numpy.float64(0.01))["traffic.rate"] == 0.01
    assert mesh.with_(network__radix=numpy.array([4, 4]))["network.radix.0"] == 4


def test_files_named_by_a_file_are_found_beside_it():
    assert fc.Scenario.read(pathlib.Path(example("torus_matrix.yaml"))).name


def test_booksim_configurations():
    mesh = fc.Scenario.read(example("booksim_mesh.cfg"))
    assert mesh["network.radix.0"] == 8
    smaller = fc.Scenario.read(example("booksim_mesh.cfg"), booksim={"k": 4}, traffic__rate=0.01)
    assert smaller["network.radix.0"] == 4
    assert smaller["traffic.rate"] == 0.01
    assert list(smaller.differences) == list(mesh.differences)


def test_drawing(routers):
    assert "<svg" in routers.draw()
    coloured = routers.draw(routers.simulate(precision=0.2, progress=False))
    assert "<svg" in coloured and coloured != routers.draw()
    with pytest.raises(fc.UnsupportedError):
        routers.with_(network__radix=[100, 100]).draw()


def test_default():
    assert fc.Scenario.default(traffic__rate=0.001)["traffic.rate"] == 0.001


def test_catalogue():
    assert {m.kind for m in fc.methods()} == {"model", "simulator"}
    assert "traffic.rate" in {k.path for k in fc.keys()}
    distance = next(k for k in fc.keys() if k.path == "network.scouting_distance")
    assert distance.only_if == "network.switching: scouting"
    assert "hamacher-jiang/figure-4" in {p.name for p in fc.papers()}
