"""Wrong calls are exceptions of the right kind, with a sentence that says what was expected."""

import pytest

import flitcast as fc


def test_kinds():
    assert issubclass(fc.InputError, fc.Error) and issubclass(fc.InputError, ValueError)
    assert issubclass(fc.UnsupportedError, fc.Error)
    assert issubclass(fc.FileError, fc.Error) and issubclass(fc.FileError, OSError)
    assert issubclass(fc.OutOfMemoryError, MemoryError)
    assert issubclass(fc.Interrupted, KeyboardInterrupt)


@pytest.mark.parametrize("call, kind, sentence", [
    (lambda m: fc.Scenario({"network": {"topology": "mesh"}}), fc.InputError,
     "'network.radix' is missing"),
    (lambda m: m.with_(traffic__rat=1), fc.InputError, "did you mean 'traffic.rate'"),
    (lambda m: m.with_(traffic__rate="fast"), fc.InputError, "^traffic.rate: .*expected a number"),
    (lambda m: m.with_(traffic__rate=None), fc.InputError, "None is not a value"),
    (lambda m: m.with_({3: 4}), TypeError, "a key must be a text"),
    (lambda m: m.with_({"traffic.rate\0": 4}), fc.InputError, "zero character"),
    (lambda m: fc.Scenario.read("/no/such/file"), fc.FileError, "No such file"),
    (lambda m: fc.Scenario.read(3), TypeError, "a path must be a text"),
    (lambda m: fc.Scenario.from_yaml("network: ["), fc.InputError, "scenario:2:1: this is not YAML"),
    (lambda m: m.predict("torus-sharin"), fc.InputError, "torus-sharing"),
    (lambda m: m.predict("ring-trains"), fc.UnsupportedError, "ring-hierarchy"),
    (lambda m: m.predict(7), TypeError, "must be a text"),
    (lambda m: m.covered_by("nobody"), fc.InputError, "there is no model 'nobody'"),
    (lambda m: m.simulate(threads=-1), OverflowError, ""),
    (lambda m: m.simulate(threads="two"), TypeError, ""),
    (lambda m: m.simulate(progress=3), TypeError, "progress must be"),
    (lambda m: m.simulate(precision=-1), fc.InputError, "simulation.precision"),
    (lambda m: m.sweep({"traffic.rate": []}), fc.InputError, "no values"),
    (lambda m: m.sweep({"traffic.rate": ""}), fc.InputError, "traffic.rate"),
    (lambda m: m.sweep([1]), TypeError, "mapping"),
    (lambda m: m.sweep({"x" * 500: [1]}), fc.InputError, "there is no key"),
    (lambda m: m.sweep({"traffic.rate": [1e-3]}, models=["nobody"]), fc.InputError, "no model"),
    (lambda m: m.optimize({"traffic.rate": [1e-3]}), TypeError, "objective"),
    (lambda m: m.optimize({"traffic.rate": [1e-3]}, minimize="a", maximize="b"), TypeError, "both"),
    (lambda m: m.optimize({"traffic.rate": [1e-3]}, minimize="latenci"), fc.InputError, "latenci"),
    (lambda m: m["traffic.destinations"], fc.InputError, "not a number"),
    (lambda m: fc.paper("nobody"), fc.InputError, "there is no paper"),
    (lambda m: fc.paper(None), TypeError, "text"),
])
def test_sentences(mesh, call, kind, sentence):
    with pytest.raises(kind, match=sentence):
        call(mesh)


def test_a_file_that_names_its_line(tmp_path):
    file = tmp_path / "wrong.yaml"
    file.write_text("network:\n  topology: mesh\n  radix: [8, 8]\ntraffic:\n  rates: 1\n")
    with pytest.raises(fc.InputError, match="wrong.yaml:5:3: unknown key 'traffic.rates'"):
        fc.Scenario.read(file)
