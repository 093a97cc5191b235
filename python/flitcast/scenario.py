"""A network, its traffic and the settings of a run; and everything that can be asked about it."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Optional, Union

from . import _run
from ._native import ffi, lib
from ._run import Progress
from ._text import Names, Setting, Settings, c_text_or_null, encode, settings_of, written
from .errors import check, decode, new_error
from .forecast import Forecast
from .results import Result
from .studies import Axes, Comparison, Curve, Explanation, Optimum, Saturations, Sweep

Path = Union[str, "os.PathLike[str]"]
Vary = Mapping[str, Union[str, Iterable[Any]]]


class Scenario:
    """An immutable scenario.

    From a mapping, keywords or both; keys are those of scenario files (`flitcast keys` lists them),
    with `__` for the dot in keywords:

    >>> mesh = Scenario(network={"topology": "mesh", "radix": [8, 8]}, traffic__rate=0.005)
    >>> mesh["traffic.rate"]
    0.005
    >>> mesh.with_(traffic__rate=0.01)["traffic.rate"]
    0.01

    Files that a mapping names are looked for in the working folder.
    """

    _scenario: Any
    _origin: str  # beside which the files are that it names
    _files: Files | None  # those that were made for it
    #: Of a BookSim configuration: a sentence for each thing that means something else here.
    differences: Sequence[str]

    def __init__(self, settings: Mapping[str, Any] | None = None, /, **keywords: Any) -> None:
        given = settings_of({} if settings is None else settings, keywords)
        self._take(_read_text("{}", "scenario", given), "scenario")

    def _take(
        self, scenario: Any, origin: Path, differences: Sequence[str] = (), files: Files | None = None
    ) -> Scenario:
        self._scenario = ffi.gc(scenario, lib.fc_scenario_free)
        self._origin = os.path.abspath(origin)
        self._files = files
        self.differences = differences
        return self

    @classmethod
    def _new(
        cls, scenario: Any, origin: Path, differences: Sequence[str] = (), files: Files | None = None
    ) -> Scenario:
        return cls.__new__(cls)._take(scenario, origin, differences, files)

    # ---- reading ----

    @classmethod
    def read(
        cls,
        path: Path,
        settings: Mapping[str, Any] | None = None,
        /,
        *,
        booksim: Mapping[str, Any] | None = None,
        **keywords: Any,
    ) -> Scenario:
        """Reads a scenario file or a BookSim configuration (told apart by name and content).

        settings and keywords override what the file says; booksim overrides keys of BookSim:

            Scenario.read("mesh.yaml", traffic__rate=0.01)
            Scenario.read("mesh.cfg", booksim={"injection_rate": 0.2})
        """
        error, chosen = new_error(), list(settings_of(settings or {}, keywords))
        name = ffi.new("char[]", encode(path, "a path"))
        source = ffi.new("fc_input *")
        check(lib.fc_input_read(name, error, source), error)
        try:
            if source.booksim or booksim is not None:
                return cls._import(source, booksim or {}, chosen)
            text = ffi.buffer(source.text, source.length)[:]
            return cls._new(_read_text(text, path, chosen), path)
        finally:
            lib.fc_input_clear(source)

    @classmethod
    def _import(cls, source: Any, booksim: Mapping[str, Any], chosen: list[Setting]) -> Scenario:
        error, found, made = new_error(), ffi.new("fc_import **"), ffi.new("fc_scenario **")
        own = Settings((str(key), str(value)) for key, value in booksim.items())
        check(lib.fc_import_booksim(source, own.array, own.count, error, found), error)
        try:
            settings = Settings(chosen)
            check(
                lib.fc_import_scenario(found[0], settings.array, settings.count, error, made), error
            )
            sentences = [decode(found[0].differences[i]) for i in range(found[0].difference_count)]
            return cls._new(made[0], decode(source.origin), sentences)
        finally:
            lib.fc_import_free(found[0])

    @classmethod
    def from_yaml(
        cls, text: str, settings: Mapping[str, Any] | None = None, /, **keywords: Any
    ) -> Scenario:
        """Reads a scenario from the text of a file."""
        given = settings_of(settings or {}, keywords)
        return cls._new(_read_text(text, "scenario", given), "scenario")

    @classmethod
    def from_booksim(
        cls,
        configuration: str | Mapping[str, Any],
        settings: Mapping[str, Any] | None = None,
        /,
        **keywords: Any,
    ) -> Scenario:
        """From a BookSim configuration: the text of one, or its keys and values.

        >>> mesh = Scenario.from_booksim({"topology": "mesh", "k": 4, "n": 2,
        ...                               "routing_function": "dor", "injection_rate": 0.1})
        >>> mesh["network.radix.1"]
        4.0

        What means something else here is in `differences`. settings and keywords override what the
        configuration says; files that it names are looked for in the working folder.
        """
        text = configuration if isinstance(configuration, str) else ""
        overrides = {} if isinstance(configuration, str) else configuration
        source, content = ffi.new("fc_input *"), encode(text, "a configuration")
        kept = ffi.new("char[]", b"configuration"), ffi.new("char[]", content)
        source.origin, source.text, source.length, source.booksim = *kept, len(content), True
        booksim = {str(key): _booksim_value(value) for key, value in overrides.items()}
        return cls._import(source, booksim, list(settings_of(settings or {}, keywords)))

    @classmethod
    def from_networkx(
        cls, graph: Any, settings: Mapping[str, Any] | None = None, /, **keywords: Any
    ) -> Scenario:
        """A network whose routers are the nodes of a graph of NetworkX, joined by its edges.

        Attributes mean what they mean in a graph file: `hosts` (nodes at this router, default 1) and
        `pos` of a router, `delay` and `width` of a link. settings and keywords are the rest:

            Scenario.from_networkx(networkx.petersen_graph(), traffic={"rate": 0.01})
        """
        files = Files({"graph.json": json.dumps(_node_link(graph))})
        given = {"network.topology": "graph", "network.file": "graph.json"}
        chosen = [*given.items(), *settings_of(settings or {}, keywords)]
        return cls._new(_read_text("{}", files.origin, chosen), files.origin, (), files)

    @classmethod
    def default(cls, settings: Mapping[str, Any] | None = None, /, **keywords: Any) -> Scenario:
        """The scenario of `flitcast demo`."""
        error, made = new_error(), ffi.new("fc_scenario **")
        chosen = Settings(settings_of(settings or {}, keywords))
        check(lib.fc_scenario_read_default(chosen.array, chosen.count, error, made), error)
        return cls._new(made[0], "scenario")

    def with_(self, settings: Mapping[str, Any] | None = None, /, **keywords: Any) -> Scenario:
        """A scenario that differs from this one by the settings."""
        error, made = new_error(), ffi.new("fc_scenario **")
        chosen = Settings(settings_of(settings or {}, keywords))
        check(
            lib.fc_scenario_with(self._scenario, chosen.array, chosen.count, error, made), error
        )
        return type(self)._new(made[0], self._origin, self.differences, self._files)

    # ---- asking ----

    @property
    def name(self) -> str:
        """What the scenario calls itself."""
        return decode(lib.fc_scenario_name(self._scenario))

    @property
    def hash(self) -> str:
        """16 hexadecimal digits over everything that determines a result but the seed."""
        return decode(lib.fc_scenario_hash(self._scenario))

    @property
    def family(self) -> str:
        """The kind of network, as documentation and model lists name it."""
        return decode(lib.fc_scenario_family(self._scenario))

    @property
    def main_metric(self) -> str:
        """The metric that studies look at: "latency", "efficiency" or "duration"."""
        return decode(lib.fc_scenario_main_metric(self._scenario))

    @property
    def load_key(self) -> str | None:
        """The key that scales the offered load; None for closed traffic."""
        return decode(lib.fc_scenario_load_key(self._scenario)) or None

    def __getitem__(self, key: str) -> float:
        """The number of a key (the first of a list; "network.radix.1" is the second)."""
        error, value = new_error(), ffi.new("double *")
        name = ffi.new("char[]", encode(key, "a key"))
        check(lib.fc_scenario_number(self._scenario, name, error, value), error)
        return float(value[0])

    def to_yaml(self) -> str:
        """The whole scenario as a file: every key with its value in force."""
        return written(lambda stream: lib.fc_scenario_write(self._scenario, stream))

    def draw(self, result: Result | None = None) -> str:
        """The network as an SVG picture, its links coloured by their load if the result (of a
        simulation) has it. UnsupportedError for networks too large to draw."""
        error = new_error()
        loads = ffi.NULL if result is None else result._result

        def write(stream: Any) -> Any:
            status = lib.fc_scenario_draw(self._scenario, loads, error, stream)
            check(status, error)
            return status

        return written(write)

    def covered_by(self, method: str) -> bool:
        """Whether a model or simulator covers this scenario."""
        status = lib.fc_method_covers(encode(method, "a method"), self._scenario, ffi.NULL)
        if status == lib.FC_ERROR_UNSUPPORTED:
            return False
        error = new_error()
        check(lib.fc_method_covers(encode(method, "a method"), self._scenario, error), error)
        return True

    def __repr__(self) -> str:
        return f"<Scenario {self.name!r}>"

    def __str__(self) -> str:
        return self.to_yaml()

    # Two scenarios are equal if all keys have the same values and the files that they name the same
    # content; the name counts too.
    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scenario):
            return NotImplemented
        return self is other or self.to_yaml() == other.to_yaml()

    def __hash__(self) -> int:
        return hash((self.hash, self.name))

    def __copy__(self) -> Scenario:
        return self  # it never changes

    def __deepcopy__(self, memo: Any) -> Scenario:
        return self

    def __reduce__(self) -> Any:
        files = self._files and self._files.texts
        return _restored, (type(self), self.to_yaml(), self._origin, tuple(self.differences), files)

    # ---- methods ----

    def predict(self, model: str | None = None, *, detail: bool = False) -> Result:
        """Forecasts at the scenario's load; with the name of a model, by that model alone.

        detail: networks of routers get the table `pairs` too, latency by source and destination.
        """
        error, made = new_error(), ffi.new("fc_result **")
        name = c_text_or_null(model, "a model's name")
        check(lib.fc_predict(self._scenario, name, error, made), error)
        result = Result(made[0], self)
        if detail:
            check(lib.fc_result_add_pairs(made[0], self._scenario, error), error)
        return result

    def forecast(self, model: str | None = None) -> Forecast:
        """The forecast as a curve over the load, for many loads of one network."""
        return Forecast(self, model)

    def simulate(
        self,
        settings: Mapping[str, Any] | None = None,
        /,
        *,
        threads: int = 0,
        progress: Progress = None,
        **keywords: Any,
    ) -> Result:
        """Simulates to the precision that the scenario asks for (simulation.precision).

        settings and keywords are those of with_(); `precision`, `seed` and `max_cycles` are short
        for the keys of `simulation`. threads: 0 is one per core; the result does not depend on it.
        progress: True, False, None (where it can be seen) or a function of the share done and what
        is being done. After Ctrl-C the exception's `result` holds what was measured.
        """
        scenario = self._for_run(settings, keywords)
        made = ffi.new("fc_result **")
        found: Result = _run.call(
            lambda run, error: lib.fc_simulate(scenario._scenario, run, error, made),
            lambda: Result(made[0], scenario), threads=threads, progress=progress,
        )
        return found

    def _for_run(self, settings: Mapping[str, Any] | None, keywords: dict[str, Any]) -> Scenario:
        short = {"precision", "seed", "max_cycles"}
        named = {f"simulation.{k}" if k in short else k: v for k, v in keywords.items()}
        return self.with_(settings, **named) if settings or named else self

    def compare(
        self,
        settings: Mapping[str, Any] | None = None,
        /,
        *,
        threads: int = 0,
        progress: Progress = None,
        **keywords: Any,
    ) -> Comparison:
        """Every model that covers this beside the simulation, with the error of each. The arguments
        are those of simulate()."""
        scenario = self._for_run(settings, keywords)
        made = ffi.new("fc_comparison **")
        found: Comparison = _run.call(
            lambda run, error: lib.fc_compare(scenario._scenario, run, error, made),
            lambda: Comparison(made[0], scenario), threads=threads, progress=progress,
        )
        return found

    def curve(
        self,
        *,
        precision: float = 0.0,
        at: float | Iterable[float] = (),
        model: str | None = None,
        use_model: bool = True,
        store: Path | None = None,
        threads: int = 0,
        progress: Progress = None,
    ) -> Curve:
        """Latency and accepted load over the offered load, from zero to saturation (closed traffic:
        efficiency over the think time), each with a 95 % band, from a model and a few simulations.

        precision: half width of the band over the value (0: 0.02). at: loads that shall be among the
        points. model: the one that gives the shape; use_model=False: none. store: an SQLite file
        that keeps simulations.
        """
        chosen = ffi.new("fc_curve_settings *")
        name = c_text_or_null(model, "a model's name")
        loads = ffi.new("double[]", [float(load) for load in _listed(at)])
        kept = None if store is None else ffi.new("char[]", encode(store, "a store's path"))
        chosen.model, chosen.no_model, chosen.precision = name, not use_model, precision
        chosen.at, chosen.at_count = loads, len(loads)
        chosen.store = ffi.NULL if kept is None else kept
        made = ffi.new("fc_curve **")
        found: Curve = _run.call(
            lambda run, error: lib.fc_curve_run(self._scenario, chosen, run, error, made),
            lambda: Curve(made[0]), threads=threads, progress=progress,
        )
        return found

    def sweep(
        self,
        vary: Vary,
        *,
        models: str | Iterable[str] | None = None,
        simulate: bool = False,
        store: Path | None = None,
        threads: int = 0,
        progress: Progress = None,
    ) -> Sweep:
        """A grid of points; the last key of `vary` runs fastest.

        vary: values by key, as a list, an array or a text of the command line:
        {"traffic.rate": [0.001, 0.002]} or {"traffic.rate": "0.001:0.01:0.001"}. models: names; ()
        is none; without it, the most accurate model of each point. simulate: simulate every point
        too. store: an SQLite file that keeps results; the next run continues from there.
        """
        axes = Axes(vary)
        chosen = ffi.new("fc_sweep_settings *")
        names = Names([models] if isinstance(models, str) else models or (), "a model's name")
        chosen.axes, chosen.axis_count = axes.array, axes.count
        if names.count:
            chosen.models, chosen.model_count = names.array, names.count
        chosen.no_model = models is not None and not names.count
        chosen.simulate = bool(simulate)
        kept = None if store is None else ffi.new("char[]", encode(store, "a store's path"))
        chosen.store = ffi.NULL if kept is None else kept
        made = ffi.new("fc_sweep **")
        found: Sweep = _run.call(
            lambda run, error: lib.fc_sweep_run(self._scenario, chosen, run, error, made),
            lambda: Sweep(made[0]), threads=threads, progress=progress,
        )
        return found

    def saturate(
        self,
        *,
        model: str | None = None,
        simulate: bool = True,
        width: float = 0.0,
        threads: int = 0,
        progress: Progress = None,
    ) -> Saturations:
        """The load at which the network saturates: by forecast with its 90 % interval, by models
        alone, and by simulation as a bracket.

        model: one model only. width: relative width of the simulated bracket (0: 0.02).
        """
        chosen = ffi.new("fc_saturation_settings *")
        name = c_text_or_null(model, "a model's name")
        chosen.model, chosen.simulate, chosen.precision = name, bool(simulate), width
        made = ffi.new("fc_saturation **")
        found: Saturations = _run.call(
            lambda run, error: lib.fc_saturate(self._scenario, chosen, run, error, made),
            lambda: Saturations(made[0], self), threads=threads, progress=progress,
        )
        return found

    def optimize(
        self,
        vary: Vary,
        *,
        minimize: str | None = None,
        maximize: str | None = None,
        and_minimize: str | None = None,
        and_maximize: str | None = None,
        let: Mapping[str, str] | None = None,
        require: str | Iterable[str] = (),
        model: str | None = None,
        simulate: int = 0,
        candidates: int = 0,
        indifference: float = 0.0,
        threads: int = 0,
        progress: Progress = None,
    ) -> Optimum:
        """The best configuration of a grid, by model, and the best of those simulated.

        minimize or maximize: a metric, or arithmetic over metrics and keys; and_minimize or
        and_maximize: a second objective, for the Pareto front. let: keys computed from the varied
        ones. require: conditions such as "throughput >= 0.5". simulate: how many of the best to
        simulate. candidates: how many to list (0: 10). indifference: relative difference that does
        not matter (0: 0.005).
        """
        axes, chosen = Axes(vary), ffi.new("fc_optimize_settings *")
        first, second = _one_of(minimize, maximize, True), _one_of(and_minimize, and_maximize, False)
        derived = Settings((let or {}).items())
        conditions = Names([require] if isinstance(require, str) else require, "a condition")
        texts = [c_text_or_null(text, "an expression") for text in (first, second, model)]
        chosen.axes, chosen.axis_count = axes.array, axes.count
        chosen.derived, chosen.derived_count = derived.array, derived.count
        chosen.objective, chosen.second, chosen.model = texts
        chosen.maximize, chosen.second_maximize = maximize is not None, and_maximize is not None
        chosen.constraints, chosen.constraint_count = conditions.array, conditions.count
        chosen.simulate, chosen.candidates = simulate, candidates
        chosen.indifference = indifference
        made = ffi.new("fc_optimum **")
        found: Optimum = _run.call(
            lambda run, error: lib.fc_optimize(self._scenario, chosen, run, error, made),
            lambda: Optimum(made[0]), threads=threads, progress=progress,
        )
        return found

    def explain(
        self,
        *,
        model: str | None = None,
        simulate: bool = False,
        threads: int = 0,
        progress: Progress = None,
    ) -> Explanation:
        """Where the time goes, what is busiest, how far from saturation, and what would help.

        simulate: the parts and the channels by simulation, the rest by the model.
        """
        chosen = ffi.new("fc_explain_settings *")
        name = c_text_or_null(model, "a model's name")
        chosen.model, chosen.simulate = name, bool(simulate)
        made = ffi.new("fc_explanation **")
        found: Explanation = _run.call(
            lambda run, error: lib.fc_explain(self._scenario, chosen, run, error, made),
            lambda: Explanation(made[0], self), threads=threads, progress=progress,
        )
        return found


class Files:
    """Files in a folder of their own, which is removed with the last scenario that names them."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = dict(texts)
        self._folder = tempfile.TemporaryDirectory(prefix="flitcast-")
        self.origin = os.path.join(self._folder.name, "scenario")
        for name, text in self.texts.items():
            with open(os.path.join(self._folder.name, name), "w", encoding="utf-8") as file:
                file.write(text)


def _restored(
    kind: type[Scenario], text: str, origin: str, differences: tuple[str, ...],
    texts: dict[str, str] | None,
) -> Scenario:
    files = Files(texts) if texts else None
    place = files.origin if files else origin
    return kind._new(_read_text(text, place, ()), place, differences, files)


def _node_link(graph: Any) -> dict[str, Any]:
    """A graph of NetworkX as the object that a graph file in JSON holds."""
    names = {node: node if type(node) in (int, str) else str(node) for node in graph.nodes}
    return {
        "directed": graph.is_directed(),
        "multigraph": graph.is_multigraph(),
        "nodes": [{**data, "id": names[node]} for node, data in graph.nodes(data=True)],
        "links": [{**data, "source": names[a], "target": names[b]}
                  for a, b, data in graph.edges(data=True)],
    }


def _booksim_value(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, (list, tuple)):
        return "{" + ",".join(str(each) for each in value) + "}"
    return str(value)


def _listed(values: float | Iterable[float]) -> Iterable[float]:
    return values if isinstance(values, Iterable) else [values]


def _one_of(down: Optional[str], up: Optional[str], needed: bool) -> Optional[str]:
    if down is not None and up is not None:
        raise TypeError("an objective is minimized or maximized, not both")
    if needed and down is None and up is None:
        raise TypeError("optimize() needs an objective: minimize=... or maximize=...")
    return up if down is None else down


def _read_text(text: str | bytes, origin: Path, settings: Iterable[Setting]) -> Any:
    error, made, chosen = new_error(), ffi.new("fc_scenario **"), Settings(settings)
    if not isinstance(text, bytes):
        text = encode(text, "a scenario")
    name = ffi.new("char[]", encode(origin, "a path"))
    check(
        lib.fc_scenario_read_text(
            text, len(text), name, chosen.array, chosen.count, error, made
        ),
        error,
    )
    return made[0]
