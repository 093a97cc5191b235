/* The GPU's library with an emulated GPU (cuda_runtime.h beside this file): all of core_cuda.cu,
 * compiled for the processor. Blocks run one after the other; the threads of a block are contexts
 * with stacks of their own. */
#undef _FORTIFY_SOURCE /* jumps between stacks are meant */
#include <mutex>
#include <setjmp.h>
#include <string.h>
#include <ucontext.h>
#define __CUDACC__ 1
#include "simulators/ensemble/core_cuda.cu"

enum { MOST = 1024, STACK = 64 << 10, SHARED = 227 << 10 };

emulated_index threadIdx, blockIdx, blockDim, gridDim;

/* Shared memory, by the names that kernels have for it. */
namespace narrow {
uint64_t memory[SHARED / 8];
}
namespace wide {
uint64_t memory[SHARED / 8];
}
namespace frequent {
uint32_t near_memory[SHARED / 4];
}
namespace single {
uint32_t near_memory[SHARED / 4];
}
namespace few_single {
uint32_t near_memory[SHARED / 4];
}
namespace few_free_single {
uint32_t near_memory[SHARED / 4];
}
namespace free_frequent {
uint32_t near_memory[SHARED / 4];
}
namespace many {
uint32_t near_memory[SHARED / 4];
}
namespace many_single {
uint32_t near_memory[SHARED / 4];
}

typedef void (*kernel_function)(fc_core_plan, fc_core, core_stops, uint32_t *);

static struct {
    kernel_function kernel;
    void **arguments;
    ucontext_t start[MOST]; /* contexts to begin with; jumps are faster afterwards */
    jmp_buf back, again[MOST];
    bool started[MOST];
    bool finished[MOST];
    uint32_t waiting, barriers; /* of the block */
    uint32_t voted[MOST / 32], votes[MOST / 32], result[MOST / 32], vote_count[MOST / 32];
    uint32_t sum[MOST / 32][2];
} block;
static char stacks[MOST][STACK];

static void pass_on(void) {
    const uint32_t thread = threadIdx.x;
    if (!_setjmp(block.again[thread]))
        _longjmp(block.back, 1);
    threadIdx.x = thread;
}

void emulated_barrier(void) {
    const uint32_t number = block.barriers;
    if (++block.waiting == blockDim.x) {
        block.waiting = 0;
        ++block.barriers;
    }
    while (block.barriers == number)
        pass_on();
}

uint32_t emulated_vote(uint32_t members, bool value) {
    const uint32_t warp = threadIdx.x / 32, bit = 1u << threadIdx.x % 32;
    const uint32_t number = block.vote_count[warp];
    block.voted[warp] |= bit;
    block.votes[warp] |= value ? bit : 0;
    if (block.voted[warp] == members) {
        block.result[warp] = block.votes[warp];
        block.voted[warp] = block.votes[warp] = 0;
        ++block.vote_count[warp];
    }
    while (block.vote_count[warp] == number)
        pass_on();
    return block.result[warp];
}

uint32_t emulated_sum(uint32_t members, uint32_t value) {
    const uint32_t warp = threadIdx.x / 32, number = block.vote_count[warp] / 2 % 2;
    uint32_t *sum = &block.sum[warp][number]; /* the next sum is the other one */
    *sum += value;
    emulated_vote(members, false);
    const uint32_t result = *sum;
    emulated_vote(members, false);
    *sum = 0;
    return result;
}

static void run_thread(void) {
    void **a = block.arguments;
    block.kernel(*(fc_core_plan *)a[0], *(fc_core *)a[1], *(core_stops *)a[2], *(uint32_t **)a[3]);
    block.finished[threadIdx.x] = true;
    _longjmp(block.back, 1);
}

/* A thread, up to where it waits or ends. */
static void resume(uint32_t thread) {
    threadIdx.x = thread;
    if (_setjmp(block.back))
        return;
    if (block.started[thread])
        _longjmp(block.again[thread], 1);
    block.started[thread] = true;
    setcontext(&block.start[thread]);
}

static void run_block(uint32_t threads) {
    block.waiting = 0;
    for (uint32_t i = 0; i < threads; ++i) {
        block.finished[i] = block.started[i] = false;
        getcontext(&block.start[i]);
        block.start[i].uc_stack.ss_sp = stacks[i];
        block.start[i].uc_stack.ss_size = STACK;
        block.start[i].uc_link = NULL; /* it does not return */
        makecontext(&block.start[i], run_thread, 0);
    }
    for (uint32_t left = threads; left;) {
        left = 0;
        for (uint32_t i = 0; i < threads; ++i) {
            if (block.finished[i])
                continue;
            resume(i);
            left += !block.finished[i];
        }
    }
}

cudaError_t cudaLaunchKernel(const void *kernel, uint32_t blocks, uint32_t threads,
                             void **arguments, size_t, cudaStream_t) {
    static std::mutex one_at_a_time; /* programs have several threads */
    const std::lock_guard<std::mutex> guard(one_at_a_time);
    block.kernel = (kernel_function)kernel;
    block.arguments = arguments;
    gridDim.x = blocks;
    blockDim.x = threads;
    for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x)
        run_block(threads);
    return cudaSuccess;
}

cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t) {
    *memory = malloc(bytes);
    return *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaFreeAsync(void *memory, cudaStream_t) {
    free(memory);
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, int, cudaStream_t) {
    memcpy(to, from, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t) {
    memset(memory, value, bytes);
    return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int *count) {
    *count = 1;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *value, int, int) {
    *value = SHARED;
    return cudaSuccess;
}
const char *cudaGetErrorString(cudaError_t) {
    return "out of memory";
}
cudaError_t cudaSetDeviceFlags(unsigned) {
    return cudaSuccess;
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *, int) {
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, int, void *) {
    return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void *, int, int) {
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
    *stream = 0;
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t) {
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
    return cudaSuccess;
}
