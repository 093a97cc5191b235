"""Flitcast: forecasts of how interconnection networks perform, by model and by simulation.

>>> import flitcast as fc
>>> mesh = fc.Scenario(network={"topology": "mesh", "radix": [8, 8], "virtual_channels": 4},
...                    traffic={"rate": 0.005, "message_flits": 16})
>>> forecast = mesh.predict()
>>> forecast.outcome
'ok'
>>> forecast["latency"].unit
'cycles'

docs/guide/python.md is the guide.
"""

from .catalogue import Key, Method, PaperItem, keys, methods, paper, papers, version
from .errors import (
    Error,
    FileError,
    InputError,
    Interrupted,
    OutOfMemoryError,
    UnsupportedError,
)
from .forecast import Forecast, ForecastArrays, ForecastPoint, LoadRange
from .live import Delivery, Live
from .report import Plot, Report
from .results import Metric, Physical, Result, RunInfo, Table
from .scenario import Scenario
from .studies import (
    Candidate,
    Comparison,
    Curve,
    CurvePoint,
    Explanation,
    Lever,
    Optimum,
    PredictionError,
    Resource,
    Saturation,
    Saturations,
    Step,
    Sweep,
    SweepPoint,
)

__version__ = version()

__all__ = [
    "Candidate",
    "Comparison",
    "Curve",
    "CurvePoint",
    "Delivery",
    "Error",
    "Explanation",
    "FileError",
    "Forecast",
    "ForecastArrays",
    "ForecastPoint",
    "InputError",
    "Interrupted",
    "Key",
    "Lever",
    "Live",
    "LoadRange",
    "Method",
    "Metric",
    "Physical",
    "Optimum",
    "OutOfMemoryError",
    "PaperItem",
    "Plot",
    "PredictionError",
    "Report",
    "Resource",
    "Result",
    "RunInfo",
    "Saturation",
    "Saturations",
    "Scenario",
    "Step",
    "Sweep",
    "SweepPoint",
    "Table",
    "UnsupportedError",
    "keys",
    "methods",
    "paper",
    "papers",
]
