#!/bin/bash
# The GPU engine on this machine: is it equal to the processor, is it clean, how fast is it?
# Needs nvcc, gcc and an NVIDIA GPU; no library and no cmake. FOLDER (default build/gpu) takes what is built.
#   bench/gpu_check.sh [FOLDER]
# With FLITCAST_EMULATED=1 the GPU is played by the processor (gpu/emulated; needs g++ instead): equality only, slowly.
# With FLITCAST_BUILD_ONLY=1 it only builds. FOLDER/gpu_check time [ROW] then times rows of the table of speeds on the GPU alone.
set -eu
cd "$(dirname "$0")/.."
folder=${1:-build/gpu}
mkdir -p "$folder/objects"
if [ -n "${FLITCAST_EMULATED:-}" ]; then
    g++ -std=c++17 -O1 -w -fPIC -shared -Ibench/gpu/emulated -Isrc bench/gpu/emulated/emulated_cuda.cpp -o "$folder/libflitcast_cuda.so"
else
    bench/build_cuda.sh "$folder/libflitcast_cuda.so"
fi

# The parts of the library that know networks, without what needs other libraries: what is missing is never called.
sources=$(ls src/base/*.c src/network/*.c src/workloads/*.c src/registry/metrics.c src/registry/result.c src/scenario/*.c \
    src/scenario/*/*.c src/importers/*.c src/simulators/arrivals.c src/simulators/calendar.c src/simulators/router/*.c src/simulators/ensemble/*.c |
    grep -vE 'core_wide|document.c|rapidchiplet.c|graph_json.c|trace_line.c|_simulator.c|_report.c|router_ensemble.c|avx')
flags="-std=c17 -O3 -D_GNU_SOURCE -DFLITCAST_VERSION=\"0\" -w -Wno-psabi -Iinclude -Isrc -Ibench/gpu"
[ "$(uname -m)" = x86_64 ] && flags="$flags -DFC_CORE_X86"
compile() { # SOURCE [OPTION...]
    local source=$1
    shift
    gcc $flags "$@" -c "$source" -o "$folder/objects/$(basename "$source" .c).o"
}
running=0
for source in $sources bench/gpu_check.c; do
    compile "$source" &
    running=$((running + 1))
    [ $((running % $(nproc))) -ne 0 ] || wait
done
wait
if [ "$(uname -m)" = x86_64 ]; then
    avx2="-mavx2 -mbmi -mbmi2 -mlzcnt"
    for word in 32 64; do
        compile src/simulators/ensemble/core_avx2_$word.c $avx2
        compile src/simulators/ensemble/core_avx512_$word.c $avx2 -mavx512f -mavx512vl -mavx512dq -mavx512bw -mavx512cd -mavx512vbmi2
    done
    compile src/simulators/ensemble/core_wide_32.c $avx2 -mavx512f -mavx512vl -mavx512dq -mavx512bw -mavx512cd -mavx512vbmi2
fi
gcc -o "$folder/gpu_check" "$folder"/objects/*.o -Wl,--unresolved-symbols=ignore-all -no-pie -lm -lpthread -ldl

[ -z "${FLITCAST_BUILD_ONLY:-}" ] || exit 0
if [ -n "${FLITCAST_EMULATED:-}" ]; then
    exec "$folder/gpu_check" equal 40
fi

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || true
grep -m1 'model name' /proc/cpuinfo || true
"$folder/gpu_check" lanes 20
"$folder/gpu_check" equal 200
"$folder/gpu_check" speed "$(nproc)"
if command -v compute-sanitizer >/dev/null 2>&1 || [ -x /usr/local/cuda/bin/compute-sanitizer ]; then
    sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
    for tool in memcheck racecheck; do
        echo "$tool:"
        timeout 300 "$sanitizer" --tool $tool "$folder/gpu_check" equal 10 2>&1 | tail -3
    done
fi
