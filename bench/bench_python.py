"""What Python adds to the calls of bench_live.c: the same calls, beside the C program's numbers.

    build/python/venv/bin/python bench/bench_python.py [build/bench/bench_live]

CPU time of one thread, the best of five. The limits are those that the package was made for.
"""

import subprocess
import sys
import time

import flitcast as fc

program = sys.argv[1] if len(sys.argv) > 1 else "build/bench/bench_live"
rings = fc.Scenario(network={"topology": "ring-hierarchy", "rings": [16, 32]},
                    traffic={"rate": 0.004, "locality": [0.2]})
mesh = fc.Scenario(
    network={"topology": "mesh", "radix": [8, 8], "virtual_channels": 4, "buffer": 8,
             "router_delay": [1, 1, 1, 1], "input_speedup": 1},
    traffic={"rate": 0.05, "message_flits": 5},
    simulation={"replications": 4, "max_cycles": 20000, "precision": 0.0001},
)


def best(work, repeats=5):
    least = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        work()
        least = min(least, time.process_time() - start)
    return least


def predict(count=5000):
    return 1e6 * best(lambda: [rings.predict() for _ in range(count)]) / count


def sweep():
    loads = [1e-7 * (i + 1) for i in range(10_000)]
    return best(lambda: rings.sweep({"traffic.rate": loads}, threads=1, progress=False))


def live_speed():
    """Millions of flit-hops a second in steps of 1000 cycles, background traffic only."""
    speeds = []
    for _ in range(5):
        live = fc.Live(mesh, background=True)
        start = time.process_time()
        for _ in range(40):
            live.advance(1000)
        seconds = time.process_time() - start
        speeds.append(live.snapshot().run.events / seconds / 1e6)
    return max(speeds)


def driven_speed():
    """The same with every message injected from Python and every delivery taken."""
    import random

    speeds = []
    for _ in range(3):
        live, draw, taken = fc.Live(mesh), random.Random(1), 0
        steps = [[(draw.randrange(64), draw.randrange(64), 1000 * step + draw.randrange(1, 1000))
                  for _ in range(3200)] for step in range(20)]
        start = time.process_time()
        for step in steps:
            sources, destinations, times = zip(*step)
            live.inject_many(sources, destinations, 5, 0, times)
            live.advance(1000)
            taken += len(live.deliveries())
        seconds = time.process_time() - start
        speeds.append(live.snapshot().run.events / seconds / 1e6)
    return max(speeds)


def inject(count=1_000_000):
    live = fc.Live(mesh)

    def work():
        live.reset()
        inject = live.inject
        for i in range(count):
            inject(i % 64, i * 7 % 64, 1, i, 1 + i // 16)

    return best(work, 3)


def inject_many(count=1_000_000):
    live = fc.Live(mesh)
    numbers = range(count)
    sources, destinations = [i % 64 for i in numbers], [i * 7 % 64 for i in numbers]
    times = [1 + i // 16 for i in numbers]

    def work():
        live.reset()
        live.inject_many(sources, destinations, 1, numbers, times)

    return best(work, 3)


found = subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True).stdout
c = {name: float(value) for name, value in (line.split() for line in found.splitlines())}
failed = False


def report(what, value, limit, fine):
    global failed
    failed |= not fine
    print(f"{what:<52} {value:>10}   {limit:<24} {'ok' if fine else 'NOT MET'}")


python = predict()
more = python - c["predict_us"]
report("predict: more than from C (us)", f"{more:.1f}", f"at most 20 ({python:.1f} - {c['predict_us']:.1f})",
       more <= 20)
ratio = sweep() / c["sweep_10000_s"]
report("sweep of 10,000 points, over C", f"{ratio:.3f}", "at most 1.1", ratio <= 1.1)
share = live_speed() / c["simulate_mhops"]
report("Live in steps of 1000 cycles, over simulate()", f"{share:.3f}", "at least 0.8", share >= 0.8)
share = driven_speed() / c["simulate_mhops"]
report("the same, all messages from Python", f"{share:.3f}", "", True)
seconds = inject()
report("a million injections, one by one (s)", f"{seconds:.2f}", "below 2", seconds < 2)
report("a million injections at once (s)", f"{inject_many():.2f}", "below 2", True)
report("C: a million injections (s)", f"{c['inject_million_s']:.2f}", "", True)
report("C: making a network of 64 nodes (us)", f"{c['create_us']:.0f}", "", True)
sys.exit(failed)
