/* A GPU played by the processor, to test kernels where there is none: the threads of a block take
 * turns and change at barriers and votes. It is slow, and finds no race. */
#ifndef EMULATED_CUDA_RUNTIME_H
#define EMULATED_CUDA_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __shared__
#define __align__(bytes) __attribute__((aligned(bytes)))

struct emulated_index {
    uint32_t x;
};
extern emulated_index threadIdx, blockIdx, blockDim, gridDim;

void emulated_barrier(void);
uint32_t emulated_vote(uint32_t members, bool value);

static inline void __syncthreads(void) {
    emulated_barrier();
}
static inline uint32_t __ballot_sync(uint32_t members, bool value) {
    return emulated_vote(members, value);
}
static inline bool __any_sync(uint32_t members, bool value) {
    return emulated_vote(members, value) != 0;
}
uint32_t emulated_sum(uint32_t members, uint32_t value);
static inline uint32_t __reduce_add_sync(uint32_t members, uint32_t value) {
    return emulated_sum(members, value);
}
static inline void __syncwarp(uint32_t members = 0xffffffffu) {
    emulated_vote(members, false);
}
static inline int __popc(uint32_t word) {
    return __builtin_popcount(word);
}
static inline int __ffs(int word) {
    return __builtin_ffs(word);
}
static inline int __clz(int word) {
    return word ? __builtin_clz((unsigned)word) : 32;
}
static inline uint32_t __umulhi(uint32_t a, uint32_t b) {
    return (uint32_t)((uint64_t)a * b >> 32);
}
template <typename type> static inline type atomicAdd(type *where, type value) {
    const type before = *where;
    *where += value;
    return before;
}
typedef enum { cudaSuccess, cudaErrorMemoryAllocation } cudaError_t;
typedef int cudaStream_t;
typedef int cudaMemPool_t;
enum { cudaDeviceScheduleBlockingSync, cudaMemPoolAttrReleaseThreshold, cudaStreamNonBlocking };
enum { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
enum { cudaDevAttrMaxSharedMemoryPerBlockOptin, cudaFuncAttributeMaxDynamicSharedMemorySize };

const char *cudaGetErrorString(cudaError_t code);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, int attribute, void *value);
cudaError_t cudaDeviceGetAttribute(int *value, int attribute, int device);
cudaError_t cudaFuncSetAttribute(const void *kernel, int attribute, int value);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaMallocAsync(void **block, size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *block, cudaStream_t stream);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind,
                            cudaStream_t stream);
cudaError_t cudaMemsetAsync(void *block, int value, size_t bytes, cudaStream_t stream);
cudaError_t cudaLaunchKernel(const void *kernel, uint32_t blocks, uint32_t threads,
                             void **arguments, size_t shared, cudaStream_t stream);

#endif
