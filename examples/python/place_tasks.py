"""Co-simulation: places the tasks of a pipeline on the nodes of a mesh so that it finishes early.

The tasks are simulated here, the messages between them by the network. A task starts when all its
inputs have arrived, computes, and sends its output on. Random swaps of two nodes are kept if the
whole set finishes earlier.

    python place_tasks.py [TRIALS]
"""

import random
import sys

import flitcast as fc

trials = int(sys.argv[1]) if len(sys.argv) > 1 else 300
side = 6
mesh = fc.Scenario(
    network={"topology": "mesh", "radix": [side, side], "virtual_channels": 2, "buffer": 8,
             "router_delay": [0, 1, 1, 1], "input_speedup": 1},
    traffic={"rate": 0.01, "message_flits": 4},
)
live = fc.Live(mesh)

# A layered graph: every task feeds three of the next layer. (from, to, flits)
draw = random.Random(7)
layers, width, work = 5, side * side // 5, 40
tasks = layers * width
edges = [(layer * width + i, (layer + 1) * width + j, draw.choice([8, 64]))
         for layer in range(layers - 1) for i in range(width) for j in draw.sample(range(width), 3)]
outputs = {task: [edge for edge in edges if edge[0] == task] for task in range(tasks)}


def finish(node_of):
    """Cycles until the last task is done, with the tasks on these nodes."""
    live.reset()
    missing = [0] * tasks
    for _, to, _ in edges:
        missing[to] += 1
    last = 0

    def run(task, start):
        nonlocal last
        done = start + work
        last = max(last, done)
        for _, to, flits in outputs[task]:
            live.inject(node_of[task], node_of[to], flits, tag=to, time=done)

    for task in range(tasks):
        if missing[task] == 0:
            run(task, 0)
    while live.advance_until():
        for message in live.deliveries():
            missing[message.tag] -= 1
            if missing[message.tag] == 0:
                run(message.tag, message.delivered + 1)
    return last


nodes = list(range(side * side))
draw.shuffle(nodes)
before = best = finish(nodes)
for _ in range(trials):
    a, b = draw.randrange(tasks), draw.randrange(side * side)
    nodes[a], nodes[b] = nodes[b], nodes[a]
    cycles = finish(nodes)
    if cycles <= best:
        best = cycles
    else:
        nodes[a], nodes[b] = nodes[b], nodes[a]

print(f"{tasks} tasks, {len(edges)} messages, {trials} trials")
print(f"placed at random: {before} cycles; after the search: {best} cycles "
      f"({100 * (best / before - 1):+.0f} %); computing alone: {layers * work}")
