#!/bin/sh
# Builds the GPU's part of the simulator: build_cuda.sh OUTPUT [NVCC]. Needs nvcc and a C++ compiler, nothing else.
# The architecture is that of the machine's GPU, or sm_90 where there is none; FLITCAST_CUDA_ARCH sets another.
set -eu
output=$1
nvcc=${2:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
source=$(dirname "$0")/../src
arch=${FLITCAST_CUDA_ARCH:-}
if [ -z "$arch" ] && command -v nvidia-smi >/dev/null 2>&1; then
    arch=sm_$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -1 | tr -d '. ') || arch=
fi
case $arch in sm_[0-9]*) ;; *) arch=sm_90 ;; esac
"$nvcc" -O3 -std=c++17 -arch="$arch" -Xcompiler -fPIC,-Wall -I"$source" -shared \
    "$source/simulators/ensemble/core_cuda.cu" -o "$output"
