#!/bin/bash
# The table of which_network.md: six networks with equal wiring under equal load.
#   docs/guide/which_network.sh build/flitcast 64 0.02        (program, nodes: 64 or 1024, precision)
# A node's share of the wires is 1; a message is 4 times as long as that is wide. A network with k
# links per node has links of width 1/k, so a message takes 4k cycles to cross one.
set -eu
program=$(realpath "$1")
nodes=$2
precision=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export LC_ALL=C

case $nodes in
64) loads="0.001 0.005 0.015" two="[8, 8]" three="[4, 4, 4]" rings="[8, 8] [16, 4] [4, 16] [4, 4, 4]" stages=3 ;;
1024) loads="0.0002 0.002 0.008" two="[32, 32]" three="[8, 8, 16]" rings="[32, 32] [16, 64] [8, 8, 16] [16, 8, 8]" stages=5 ;;
*) echo "nodes: 64 or 1024" >&2; exit 2 ;;
esac

# run NAME LINKS TICK: the scenario is in network.yaml; LINKS per node; TICK cycles a time unit
run() {
    local rates="" load
    for load in $loads; do rates="$rates,$(awk -v l="$load" -v t="$3" 'BEGIN { printf "%.8g", l * t }')"; done
    "$program" sweep network.yaml --vary traffic.rate="${rates#,}" --no-calibration --quiet --format csv >model.csv
    "$program" sweep network.yaml --vary traffic.rate="${rates#,}" --no-model --quiet --format csv \
        --precision "$precision" >simulation.csv
    awk -F, -v name="$1" -v links="$2" -v tick="$3" -v loads="$loads" '
        function show(value) { return value < 100 ? sprintf("%.1f", value) : sprintf("%.0f", value) }
        FNR == 1 { file++; split(loads, load, " ")
                   for (i = 1; i <= NF; i++) column[file, $i] = i; next }
        { value = $column[file, "latency"]
          half = file == 2 ? $column[file, "latency_half_width"] : 0
          cell[file, FNR - 1] = $3 != "ok" || value == "" ? "saturated" : show(value * tick)
          if (file == 2 && $3 == "ok") cell[file, FNR - 1] = cell[file, FNR - 1] " ± " sprintf(half * tick < 1 ? "%.2f" : "%.1f", half * tick) }
        END { line = "| " name " | " links " |"
              for (i = 1; i in load; i++)
                  line = line " " ((1, i) in cell ? cell[1, i] : "-") " | " ((2, i) in cell ? cell[2, i] : "-") " |"
              print line }' model.csv simulation.csv
}

torus() { # NAME RADIX LINKS EXTRA
    printf 'network: {topology: torus, radix: %s, %s}\ntraffic: {rate: 0.0001, message_flits: %d}\n' \
        "$2" "$4" $((4 * $3)) >network.yaml
    run "$1" "$3" 1
}

printf '| network, %d nodes | links per node |' "$nodes"
for load in $loads; do printf ' model, %s | simulation, %s |' "$load" "$load"; done
printf '\n|---|---|'
for load in $loads; do printf -- '---|---|'; done
echo

torus "torus $two, unidirectional, 2 virtual channels (Adve and Vernon)" "$two" 4 \
    "links: unidirectional, virtual_channels: 2, channel_rule: high-low"
torus "torus $two, unidirectional, 4 virtual channels (Najaf-abadi and Sarbazi-azad)" "$two" 4 \
    "links: unidirectional, virtual_channels: 4, channel_rule: escape, handover: next-cycle, ejection_channels: 4"
torus "torus $two, bidirectional, scouting, 4 virtual channels, K = 3 (Safaei et al.)" "$two" 6 \
    "switching: scouting, scouting_distance: 3, virtual_channels: 4"
torus "torus $two, bidirectional, dimension order, 4 virtual channels" "$two" 6 \
    "virtual_channels: 4, channel_rule: dateline, ejection_channels: 4"
torus "torus $three, bidirectional, dimension order, 4 virtual channels" "$three" 8 \
    "virtual_channels: 4, channel_rule: dateline, ejection_channels: 4"

printf 'network: {topology: multistage, ports: %d, switch: 4, buffer: 4, contention: output-port}\ntraffic: {rate: 0.01}\n' \
    "$nodes" >network.yaml
run "multistage, $stages stages of 4 x 4 (Mohapatra and Das)" $((stages + 1)) $((4 * (stages + 1)))

# rings: L + 1 links in a local ring, M + 1 in a middle one, G in the global one
echo "$rings" | tr ']' '\n' | tr -d '[,' | while read -r l m g; do
    [ -n "$l" ] || continue
    [ -n "$g" ] || { g=$m; m=""; }
    links=$(awk -v l="$l" -v m="$m" 'BEGIN { printf "%.8g", 1 + 2 / l + (m ? 2 / (l * m) : 0) }')
    shape="[$l, ${m:+$m, }$g]"
    printf 'network: {topology: ring-hierarchy, rings: %s}\ntraffic: {rate: 0.0001}\n' "$shape" >network.yaml
    run "rings $shape (Hamacher and Jiang)" "$links" "$(awk -v k="$links" 'BEGIN { printf "%.8g", 4 * k }')"
done
