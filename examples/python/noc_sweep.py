"""A network on chip over its load: forecasts of two meshes and a torus in a data frame, and a plot.

    python noc_sweep.py [FOLDER]      writes noc_sweep.csv and noc_sweep.svg there
"""

import sys
from pathlib import Path

import flitcast as fc

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")

base = fc.Scenario(
    name="64 cores",
    network={"topology": "mesh", "radix": [8, 8], "virtual_channels": 4},
    traffic={"rate": 0.005, "message_flits": 16},
)
candidates = {
    "8x8 mesh": base,
    "4x16 mesh": base.with_(network__radix=[4, 16]),
    "8x8 torus": base.with_(network__topology="torus"),
}

rows = []
plot = fc.Plot("64 cores, messages of 16 flits", "messages per node and cycle", "latency (cycles)")
for name, network in candidates.items():
    limit = network.saturate(simulate=False)[0].load
    loads = [limit * step / 20 for step in range(1, 19)]
    sweep = network.sweep({"traffic.rate": loads})
    rows += [{"network": name, "saturation": limit, **row} for row in sweep.records()]
    latencies = [point.results[0]["latency"].value for point in sweep]
    plot.add(name, loads, latencies, style="line")

    # A simulation at half of the load shows how far the forecast is off.
    there = network.with_(traffic__rate=limit / 2)
    simulated = there.simulate(precision=0.03)
    error = there.predict().latency.value / simulated.latency.value - 1
    print(f"{name}: saturates at {limit:.4f}; at half of that {simulated.latency}, "
          f"forecast {100 * error:+.1f} %")
    plot.add(f"{name}, simulated", [limit / 2], [simulated.latency.value],
             [simulated.latency.half_width], style="points")

plot.y_limit(120).save(folder / "noc_sweep.svg")
try:
    import pandas

    table = pandas.DataFrame(rows)
    table.to_csv(folder / "noc_sweep.csv", index=False)
    print(table.groupby("network")["latency"].describe()[["min", "50%", "max"]])
except ImportError:
    print(f"{len(rows)} rows; with pandas they would be a data frame")
