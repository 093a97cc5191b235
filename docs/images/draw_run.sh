#!/bin/sh
# Draws the run of collectives.md, in which nothing is left to chance: its network, its links and its
# ranks over time; the run of chip.md; and a mesh with failures.
#
#   FLITCAST=build/flitcast docs/images/draw_run.sh FOLDER
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/phases.yaml" <<'YAML'
name: all-reduce, then all-to-all, on a 4 x 4 mesh
network: {topology: mesh, radix: [4, 4], virtual_channels: 4, buffer: 8}
traffic:
  workload: [{all-reduce: {algorithm: halving-doubling, bytes: 32768}}, {compute: 400}, {all-to-all: {bytes: 2048}}]
YAML
"$FLITCAST" simulate "$work/phases.yaml" --quiet --svg "$1/run-network.svg" --windows "$1/run-links.svg" \
    --progress "$1/run-ranks.svg" > /dev/null
"$FLITCAST" simulate "$(dirname "$0")/../../examples/chips/wormhole.yaml" --quiet --svg "$1/chip.svg" > /dev/null
"$FLITCAST" simulate "$(dirname "$0")/../../examples/broken_mesh.yaml" --quiet --svg "$1/broken_mesh.svg" > /dev/null
