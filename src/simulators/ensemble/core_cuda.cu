/* libflitcast_cuda.so: the core of ensembles on a GPU. The rules are those of core_rules.h, once
 * for words of 32 bits, once for words of 64, and once for the most frequent routers. */
#include <cuda_runtime.h>
#include <mutex>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "simulators/ensemble/core_cuda.h"
#include "simulators/ensemble/core_device.h"

#define FC_LANES 1

/* From a cycle on, up to the last of the stops, at each of which sums are written. */
struct core_stops {
    uint32_t from, count;
    const uint32_t *at;
    fc_core_tally *tallies; /* stops x networks: 0 at the start */
    uint32_t *crossed;      /* stops x outputs, of the first network */
};

enum { MOST_THREADS = 512 };
/* Of the frequent kernels: networks of up to so many routers, and how many of the largest of these a
 * multiprocessor should have room for. The fewer, the more registers a thread has; single flits need
 * shared memory, and there is room for 6 networks of 64 routers with buffers of 8 flits. */
enum { FEW_ROUTERS = 64, FEW_SINGLE = 6 };
enum { SOME_ROUTERS = 256, SOME_NETWORKS = 2, MANY_ROUTERS = 1024 };
enum { MOST_FAR_SIZE = 64 }; /* words of a router in `near` below */
enum { BLOCK_BYTES = 1024 }; /* of shared memory, that a block takes beside its own */

namespace narrow {
#define FC_WORD_BITS 32
#include "simulators/ensemble/core_kernel.h"
} // namespace narrow

namespace wide {
#define FC_WORD_BITS 64
#include "simulators/ensemble/core_kernel.h"
} // namespace wide

namespace frequent {
#define FC_WORD_BITS 32
#include "simulators/ensemble/core_frequent.h"
} // namespace frequent

namespace single {
#define FC_CORE_SINGLE
#define FC_WORD_BITS 32
#include "simulators/ensemble/core_frequent.h"
} // namespace single

/* The same for networks of up to FEW_ROUTERS: a router's number has fewer bits. */
namespace few_single {
#define FC_CORE_SINGLE
#define FC_CORE_NARROW
#define FC_WORD_BITS 32
#include "simulators/ensemble/core_frequent.h"
} // namespace few_single

/* Both where messages may take any virtual channel. */
namespace few_free_single {
#define FC_CORE_SINGLE
#define FC_CORE_NARROW
#define FC_CORE_FREE
#define FC_WORD_BITS 32
#include "simulators/ensemble/core_frequent.h"
} // namespace few_free_single

namespace free_frequent {
#define FC_CORE_FREE
#define FC_WORD_BITS 32
#include "simulators/ensemble/core_frequent.h"
} // namespace free_frequent

/* The same for networks that fill a multiprocessor: a thread has 64 registers. */
#define FC_CORE_FEW_REGISTERS
namespace many {
#define FC_WORD_BITS 32
#include "simulators/ensemble/core_device.h"
#include "simulators/ensemble/core_frequent.h"
} // namespace many

namespace many_single {
#define FC_CORE_SINGLE
#define FC_WORD_BITS 32
#include "simulators/ensemble/core_device.h"
#include "simulators/ensemble/core_frequent.h"
} // namespace many_single

struct fc_cuda {
    fc_cuda_job job;
    fc_core core;        /* of the device */
    fc_core_plan plan;   /* its tables are on the device */
    enum { GENERAL, FREQUENT, SINGLE } kind; /* of kernel: the others are of core_frequent.h */
    void *tables;        /* the same */
    fc_geometric *law;   /* the same */
    double *cumulative;  /* the same */
    uint64_t *histogram; /* the same: networks x bins */
    cudaStream_t stream; /* ensembles of other threads run beside this one */
    uint32_t *near;      /* the same, of the frequent kernels: shared memory between two runs, and
                            registers that have no place in the state */
    bool queues;         /* the frequent kernel has queues in shared memory */
    uint32_t shared;     /* bytes of shared memory of a block; 0: none */
    uint32_t time;
    /* What a run has counted, on the device: of the largest number of stops so far. */
    uint32_t stops;
    uint32_t *stop, *crossed;
    fc_core_tally *tallies;
    char problem[200];
};

static char general_problem[200];
static std::mutex general_lock; /* of general_problem, which is the same for all who ask */

static const char *explain(char *problem, const char *doing, cudaError_t code) {
    snprintf(problem, sizeof general_problem, "the GPU failed while %s: %s", doing,
             cudaGetErrorString(code));
    return problem;
}

/* Threads that wait leave their core to others, streams do not share a queue, and memory that was
 * given back is kept for the next ensemble. */
static cudaError_t set_up(int *count) {
    cudaMemPool_t pool;
    uint64_t all = UINT64_MAX;
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
    cudaError_t code = cudaGetDeviceCount(count);
    if (code == cudaSuccess && *count > 0)
        code = cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync);
    if (code == cudaSuccess && *count > 0)
        code = cudaDeviceGetDefaultMemPool(&pool, 0);
    if (code == cudaSuccess && *count > 0)
        code = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
    return code;
}

static const char *check(void) {
    static bool done = false;
    static const char *found = NULL;
    const std::lock_guard<std::mutex> guard(general_lock);
    if (done)
        return found;
    int count = 0;
    const cudaError_t code = set_up(&count);
    done = true;
    if (code != cudaSuccess || count == 0) {
        snprintf(general_problem, sizeof general_problem, "there is no usable NVIDIA GPU (%s)",
                 code == cudaSuccess ? "none was found" : cudaGetErrorString(code));
        found = general_problem;
    }
    return found;
}

/* ---- memory ---- */

/* Copies an array of the host to the device; keeps the first failure. */
template <typename type>
static void copy(fc_cuda *c, cudaError_t *code, type **device, const type *host, size_t count) {
    const size_t bytes = count * sizeof(type);
    if (*code != cudaSuccess || count == 0)
        return;
    *code = cudaMallocAsync((void **)device, bytes, c->stream);
    if (*code == cudaSuccess && host)
        *code = cudaMemcpyAsync(*device, host, bytes, cudaMemcpyHostToDevice, c->stream);
    else if (*code == cudaSuccess)
        *code = cudaMemsetAsync(*device, 0, bytes, c->stream);
}

static void give_back(fc_cuda *c, void *block) {
    if (block)
        cudaFreeAsync(block, c->stream);
}

/* The plan with its tables where they are on the device. */
static cudaError_t copy_plan(fc_cuda *c) {
    const fc_cuda_job *job = &c->job;
    const size_t nodes = job->plan->nodes;
    cudaError_t code = cudaSuccess;
    fc_core_plan plan = *job->plan;
    const uint32_t delays[] = {plan.flit_delay, plan.credit_delay, plan.node_delay,
                               plan.node_credit_delay};
    plan.ring = 2; /* no longer than needed: it is in scarce memory */
    for (uint32_t delay : delays)
        while (plan.ring <= delay)
            plan.ring *= 2;
    copy(c, &code, (char **)&c->tables, (const char *)job->tables, job->table_bytes);
    if (plan.pattern == FC_CORE_MATRIX && plan.cumulative)
        copy(c, &code, &c->cumulative, plan.cumulative, nodes * nodes);
    plan.cumulative = c->cumulative;
    plan.traffic = NULL;
    plan.ahead = NULL;
#define MOVE(field)                                                                                \
    if (plan.field)                                                                                \
    plan.field = (decltype(plan.field))((char *)c->tables +                                        \
                                        ((const char *)plan.field - (const char *)job->tables))
    MOVE(router);
    MOVE(from);
    MOVE(to);
    MOVE(word);
    MOVE(digit);
    MOVE(radix);
    MOVE(bit_dimension);
    MOVE(direction_port);
    MOVE(node_router);
    MOVE(node_port);
    MOVE(output_first);
    MOVE(route);
    MOVE(fork);
    MOVE(journey);
    MOVE(image);
#undef MOVE
    plan.pool = plan.nodes * FC_CUDA_RECORDS;
    plan.output_shift = 26;
    plan.kind_shift = 31;
    c->plan = plan;
    return code;
}

static cudaError_t copy_lanes(fc_cuda *c) {
    const fc_cuda_job *job = &c->job;
    cudaError_t code = cudaSuccess;
    copy(c, &code, &c->law, job->core.lane[0].law, job->laws);
    copy(c, &code, &c->histogram, (const uint64_t *)NULL, (size_t)job->networks * FC_HISTOGRAM_BINS);
    fc_core_lane *lanes = (fc_core_lane *)malloc(job->networks * sizeof *lanes);
    if (!lanes)
        return cudaErrorMemoryAllocation;
    for (uint32_t n = 0; n < job->networks; ++n) {
        lanes[n] = job->core.lane[n];
        lanes[n].law = c->law;
        lanes[n].histogram = c->histogram + (size_t)n * FC_HISTOGRAM_BINS;
    }
    copy(c, &code, (fc_core_lane **)&c->core.lane, lanes, job->networks);
    if (code == cudaSuccess) /* they are the host's until then */
        code = cudaStreamSynchronize(c->stream);
    free(lanes);
    return code;
}

static cudaError_t copy_arrays(fc_cuda *c) {
    const fc_cuda_job *job = &c->job;
    const fc_core_plan *p = &c->plan;
    const size_t networks = job->networks, routers = networks * p->routers;
    const size_t word = job->word_bits / 8, ins = routers * p->in_ports * p->channels;
    const fc_core *host = &job->core;
    fc_core *x = &c->core;
    cudaError_t code = cudaSuccess;
    copy(c, &code, (char **)&x->state, (const char *)host->state, routers * p->size * word);
    copy(c, &code, (char **)&x->sent, (const char *)NULL, routers * p->ring * word);
    copy(c, &code, (char **)&x->left, (const char *)NULL, routers * p->ring * word);
    copy(c, &code, (char **)&x->injected, (const char *)NULL, routers * p->ring * word);
    copy(c, &code, &x->channel, (const fc_core_channel *)NULL, ins);
    copy(c, &code, &x->front, (const uint32_t *)NULL, ins);
    copy(c, &code, &x->queue, (const uint32_t *)NULL, ins * p->places);
    copy(c, &code, &x->record, (const fc_core_header *)NULL, networks * p->pool);
    copy(c, &code, &x->cursor, host->cursor, networks * p->nodes);
    copy(c, &code, &x->late, (const fc_core_late *)NULL, routers * p->lates);
    copy(c, &code, &x->late_count, (const uint32_t *)NULL, routers);
    copy(c, &code, &x->tally, (const fc_core_tally *)NULL, routers);
    copy(c, &code, &x->node, (const fc_core_node *)NULL, networks * p->nodes);
    copy(c, &code, &x->output, (const fc_core_output *)NULL, networks * p->outputs);
    if (c->kind != c->GENERAL)
        copy(c, &code, &c->near, (const uint32_t *)NULL,
             routers * (size_t)MOST_FAR_SIZE);
    return code;
}

/* Of single flits: the bits that narrow kernels have are enough: six for a router's number and for
 * the word with its digits, five for the routers of a path, 51 for the trials of a gap. Only grids
 * have words; other networks are of another kind. */
static bool is_small(const fc_cuda *c) {
    const fc_core_plan *p = c->job.plan;
    uint64_t words = 0;
    if (c->kind != c->SINGLE)
        return false;
    for (uint32_t r = 0; r < p->routers && r < FEW_ROUTERS; ++r)
        words |= p->word[r];
    return p->routers <= FEW_ROUTERS && words < FEW_ROUTERS && p->radix[0] + p->radix[1] <= 32 &&
           p->trial_bits <= 20;
}

static const void *kernel_of(const fc_cuda *c) {
    const bool few = is_small(c), many = c->plan.routers > SOME_ROUTERS;
    const bool free = c->job.plan->kinds == 1;
    if (c->kind == c->GENERAL)
        return c->job.word_bits == 32 ? (const void *)narrow::advance : (const void *)wide::advance;
    if (c->kind == c->SINGLE)
        return many         ? (const void *)many_single::advance<MANY_ROUTERS, 1, false>
               : !c->queues ? (const void *)single::advance<SOME_ROUTERS, SOME_NETWORKS, false>
               : !few       ? (const void *)single::advance<SOME_ROUTERS, 1, true>
               : free ? (const void *)few_free_single::advance<FEW_ROUTERS, FEW_SINGLE, true>
                      : (const void *)few_single::advance<FEW_ROUTERS, FEW_SINGLE, true>;
    return many         ? (const void *)many::advance<MANY_ROUTERS, 1, false>
           : !c->queues ? (const void *)frequent::advance<SOME_ROUTERS, SOME_NETWORKS, false>
           : free       ? (const void *)free_frequent::advance<SOME_ROUTERS, SOME_NETWORKS, true>
                        : (const void *)frequent::advance<SOME_ROUTERS, SOME_NETWORKS, true>;
}

static size_t near_bytes(const fc_cuda *c, const fc_core_plan *p, bool queues) {
    const bool few = queues && is_small(c), many = p->routers > SOME_ROUTERS;
    return 4 * (c->kind == c->SINGLE
                    ? many  ? many_single::near_words(p, queues)
                      : few ? few_single::near_words(p, queues)
                            : single::near_words(p, queues)
                : many ? many::near_words(p, queues)
                       : frequent::near_words(p, queues));
}

/* The most headers of an input channel: the front and those behind it, all of whose flits are in the
 * buffer, and one to come, which a single flit brings along. */
static uint32_t most_headers(const fc_core_plan *p, bool single) {
    uint32_t shortest = p->flits[0];
    for (uint32_t sort = 1; sort < p->sorts; ++sort)
        shortest = p->flits[sort] < shortest ? p->flits[sort] : shortest;
    return (p->buffer - 1) / shortest + (single ? 1 : 2);
}

/* Networks for whose blocks a multiprocessor has shared memory. */
static size_t fitting(const fc_cuda *c, const fc_core_plan *p, bool queues, size_t most) {
    return (most + BLOCK_BYTES) / (near_bytes(c, p, queues) + BLOCK_BYTES);
}

/* A frequent kernel, if one serves and a multiprocessor has room. */
static bool choose_frequent(fc_cuda *c, size_t most) {
    fc_core_plan p = c->plan;
    if (c->job.word_bits != 32 || !frequent::serves(c->job.plan))
        return false;
    c->kind = single::serves(c->job.plan) ? c->SINGLE : c->FREQUENT;
    p.places = most_headers(&p, c->kind == c->SINGLE);
    /* Places of narrow kernels are bits of counters. */
    while (is_small(c) && (p.places & (p.places - 1)))
        ++p.places;
    /* Of short messages queues are worth more than the networks for which there is then no room. */
    const bool many = p.routers > SOME_ROUTERS;
    const uint32_t together =
        many || p.flits[0] < 4 ? 1 : SOME_ROUTERS * SOME_NETWORKS / p.routers;
    c->queues = !many && fitting(c, &p, true, most) >= together;
    fc_core_plan longer = p;
    longer.ring *= 2;
    const size_t before = fitting(c, &p, c->queues, most);
    const size_t after = fitting(c, &longer, c->queues, most);
    if (frequent::core_pace(&longer) == 2 && (after == before || (together > 1 && after >= together)))
        p = longer;
    c->shared = (uint32_t)near_bytes(c, &p, c->queues);
    if (c->shared > most) {
        c->kind = c->GENERAL;
        return false;
    }
    c->plan = p;
    return true;
}

/* The kernel, with state and rings in shared memory if a multiprocessor has room for them. */
static cudaError_t choose_kernel(fc_cuda *c) {
    const fc_core_plan *p = &c->plan;
    int device = 0, most = 0;
    cudaError_t code = cudaGetDevice(&device);
    if (code == cudaSuccess)
        code = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (code != cudaSuccess)
        return code;
    if (!choose_frequent(c, (size_t)most)) {
        const size_t whole = (size_t)p->routers * (p->size + 3 * p->ring) * (c->job.word_bits / 8);
        c->shared = whole <= (size_t)most ? (uint32_t)whole : 0;
    }
    /* Threads beside this one may be launching the same kernel with more than is needed here. */
    return cudaFuncSetAttribute(kernel_of(c), cudaFuncAttributeMaxDynamicSharedMemorySize, most);
}

static void stop(fc_cuda *c) {
    if (!c)
        return;
    const fc_core *x = &c->core;
    void *const blocks[] = {x->state,     x->sent,       x->left,        x->injected,
                            x->channel,   x->front,      x->queue,       x->record,
                            x->cursor,    x->late,       x->late_count,  x->tally,
                            x->node,      x->output,     (void *)x->lane, c->tables,
                            c->law,       c->cumulative, c->histogram,   c->near,
                            c->stop,      c->tallies,    c->crossed};
    for (void *block : blocks)
        give_back(c, block);
    if (c->stream)
        cudaStreamDestroy(c->stream); /* when what it was asked for is done */
    free(c);
}

static const char *start(const fc_cuda_job *job, fc_cuda **cuda) {
    const char *problem = check();
    if (problem)
        return problem;
    fc_cuda *c = (fc_cuda *)calloc(1, sizeof *c);
    if (!c)
        return "there is not enough memory";
    c->job = *job;
    cudaError_t code = cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking);
    if (code == cudaSuccess)
        code = copy_plan(c);
    if (code == cudaSuccess)
        code = choose_kernel(c);
    if (code == cudaSuccess)
        code = copy_arrays(c);
    if (code == cudaSuccess)
        code = copy_lanes(c);
    if (code != cudaSuccess) {
        static thread_local char problem[sizeof general_problem];
        stop(c);
        return explain(problem, "it took the networks over", code);
    }
    *cuda = c;
    return NULL;
}

/* ---- running ---- */

static cudaError_t make_room(fc_cuda *c, uint32_t stops) {
    cudaError_t code = cudaSuccess;
    if (stops <= c->stops)
        return code;
    give_back(c, c->stop);
    give_back(c, c->tallies);
    give_back(c, c->crossed);
    c->stop = c->crossed = NULL;
    c->tallies = NULL;
    c->stops = stops;
    copy(c, &code, &c->stop, (const uint32_t *)NULL, stops);
    copy(c, &code, &c->tallies, (const fc_core_tally *)NULL, (size_t)stops * c->job.networks);
    copy(c, &code, &c->crossed, (const uint32_t *)NULL, (size_t)stops * c->plan.outputs);
    return code;
}

static cudaError_t launch(fc_cuda *c, uint32_t stops) {
    const uint32_t networks = c->job.networks, whole = (c->plan.routers + 31) / 32 * 32;
    const uint32_t threads = c->kind != c->GENERAL || whole < MOST_THREADS ? whole : MOST_THREADS;
    uint32_t shared = c->shared != 0;
    void *last = c->kind != c->GENERAL ? (void *)&c->near : (void *)&shared;
    core_stops where = {c->time, stops, c->stop, c->tallies, c->crossed};
    void *arguments[] = {&c->plan, &c->core, &where, last};
    return cudaLaunchKernel(kernel_of(c), networks, threads, arguments, c->shared, c->stream);
}

static cudaError_t bring(fc_cuda *c, void *to, const void *from, size_t bytes) {
    const cudaError_t code = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, c->stream);
    return code == cudaSuccess ? cudaStreamSynchronize(c->stream) : code;
}

static const char *run(fc_cuda *c, const uint32_t *stop, uint32_t stops, fc_core_tally *tallies,
                       uint32_t *crossed) {
    const size_t all = (size_t)stops * c->job.networks, sums = all * sizeof *tallies;
    const size_t counts = (size_t)stops * c->plan.outputs * sizeof *crossed;
    cudaError_t code = make_room(c, stops);
    if (code == cudaSuccess)
        code = cudaMemcpyAsync(c->stop, stop, stops * sizeof *stop, cudaMemcpyHostToDevice,
                               c->stream);
    if (code == cudaSuccess)
        code = cudaMemsetAsync(c->tallies, 0, sums, c->stream);
    if (code == cudaSuccess)
        code = launch(c, stops);
    if (code == cudaSuccess)
        code = cudaStreamSynchronize(c->stream);
    if (code == cudaSuccess)
        code = bring(c, tallies, c->tallies, sums);
    if (code == cudaSuccess)
        code = bring(c, crossed, c->crossed, counts);
    c->time = stop[stops - 1];
    for (size_t i = 0; code == cudaSuccess && i < all; ++i) {
        if (tallies[i].overflow)
            return "more messages of a node are under way than the GPU has room for";
    }
    return code == cudaSuccess ? NULL : explain(c->problem, "it simulated", code);
}

static const char *read(fc_cuda *c) {
    const fc_core_plan *p = c->job.plan;
    const fc_core *x = &c->core, *host = &c->job.core;
    const size_t networks = c->job.networks;
    const size_t bytes = networks * p->routers * p->size * (c->job.word_bits / 8);
    cudaError_t code = bring(c, host->state, x->state, bytes);
    if (code == cudaSuccess)
        code = bring(c, host->node, x->node, networks * p->nodes * sizeof *x->node);
    if (code == cudaSuccess)
        code = bring(c, host->output, x->output, networks * p->outputs * sizeof *x->output);
    return code == cudaSuccess ? NULL : explain(c->problem, "its counters were read", code);
}

static const char *clear(fc_cuda *c) {
    const fc_core_plan *p = c->job.plan;
    const fc_core *x = &c->core;
    const size_t networks = c->job.networks;
    cudaError_t code =
        cudaMemsetAsync(x->node, 0, networks * p->nodes * sizeof *x->node, c->stream);
    if (code == cudaSuccess)
        code =
            cudaMemsetAsync(x->output, 0, networks * p->outputs * sizeof *x->output, c->stream);
    if (code == cudaSuccess)
        code = cudaMemsetAsync(c->histogram, 0,
                               networks * FC_HISTOGRAM_BINS * sizeof *c->histogram, c->stream);
    return code == cudaSuccess ? NULL : explain(c->problem, "its counters were cleared", code);
}

static const char *histogram(fc_cuda *c, uint32_t n, uint64_t *counts) {
    const cudaError_t code = bring(c, counts, c->histogram + (size_t)n * FC_HISTOGRAM_BINS,
                                   FC_HISTOGRAM_BINS * sizeof *counts);
    return code == cudaSuccess ? NULL : explain(c->problem, "latencies were read", code);
}

extern "C" const fc_cuda_functions *fc_cuda_library(void) {
    static const fc_cuda_functions functions = {
        FC_CUDA_REVISION, check, start, stop, run, read, clear, histogram};
    return &functions;
}
