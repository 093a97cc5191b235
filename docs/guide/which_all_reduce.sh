#!/bin/sh
# The study of collectives.md: four all-reduces on three networks, by the model.
#
#   docs/guide/which_all_reduce.sh build/flitcast FOLDER
#
# Writes FOLDER/which_all_reduce.svg and prints the table of the page: cycles, the fastest in bold.
set -eu
program=$(realpath "$1")
folder=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > all_reduce.yaml <<'YAML'
name: all-reduce of 64 accelerators
network: {topology: torus, radix: [4, 4, 4], virtual_channels: 4, buffer: 8}
traffic:
  ranks: 64
  workload: {all-reduce: {algorithm: ring, bytes: 65536}}
YAML
flitcast() { "$program" "$@"; }

flitcast sweep all_reduce.yaml --svg which_all_reduce.svg \
    --vary network='{topology: torus, radix: [4, 4, 4], virtual_channels: 4, buffer: 8},
                    {topology: dragonfly, hosts: 2, routers: 4, global_links: 2, virtual_channels: 4, buffer: 8},
                    {topology: fat-tree, arity: 4, levels: 3, virtual_channels: 4, buffer: 8}' \
    --vary \
    traffic.workload.all-reduce.algorithm=ring,recursive-doubling,halving-doubling,two-trees \
    --vary traffic.workload.all-reduce.bytes='1024:67108864:*16' \
    --quiet --format csv > sweep.csv

mv which_all_reduce.svg "$folder"
echo "| network | vector | ring | recursive doubling | halving-doubling | two trees |"
echo "|---|---|---|---|---|---|"
# "{topology: torus, ...}",ring,1024,model,ok,418,...
sed 's/^"{topology: \([a-z-]*\)[^"]*"/\1/' sweep.csv | awk -F, '
    function size(bytes) { return bytes < 1048576 ? bytes / 1024 " KiB" : bytes / 1048576 " MiB" }
    NR > 1 {
        if (!(($1, $3) in seen)) { seen[$1, $3] = 1; row[++rows] = $1 SUBSEP $3 }
        value[$1, $3, $2] = $6
    }
    END {
        count = split("ring recursive-doubling halving-doubling two-trees", algorithm, " ")
        for (i = 1; i <= rows; i++) {
            split(row[i], part, SUBSEP)
            best = ""
            for (a = 1; a <= count; a++)
                if (best == "" || value[row[i], algorithm[a]] + 0 < best + 0) best = value[row[i], algorithm[a]]
            line = "| " part[1] " | " size(part[2]) " |"
            for (a = 1; a <= count; a++) {
                cell = value[row[i], algorithm[a]]
                line = line " " (cell == best ? "**" cell "**" : cell) " |"
            }
            print line
        }
    }'
