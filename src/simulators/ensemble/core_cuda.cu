/* libflitcast_cuda.so: the core of ensembles on a GPU. The rules are those of core_rules.h, once
 * for words of 32 bits, once for words of 64, and once for the most frequent routers. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "simulators/ensemble/core_cuda.h"
#include "simulators/ensemble/core_device.h"

#define FC_LANES 1

enum { MOST_THREADS = 512 };
/* Of the frequent kernel: a thread has 128 registers, or 64 where a network fills a multiprocessor.
 */
enum { FEW_ROUTERS = 256, FEW_BLOCKS = 2, MANY_ROUTERS = 1024 };

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

struct fc_cuda {
    fc_cuda_job job;
    fc_core core;        /* of the device */
    fc_core_plan plan;   /* its tables are on the device */
    bool frequent;       /* core_frequent.h serves it */
    void *tables;        /* the same */
    fc_geometric *law;   /* the same */
    double *cumulative;  /* the same */
    uint64_t *histogram; /* the same: networks x bins */
    fc_core_tally *sums; /* the same: networks */
    uint32_t *near;      /* the same, of the frequent kernel: its shared memory between two runs */
    bool queues;         /* the frequent kernel has queues in shared memory */
    uint32_t shared;     /* bytes of shared memory of a block; 0: none */
    uint32_t time;
    char problem[200];
};

static char general_problem[200];

static const char *explain(char *problem, const char *doing, cudaError_t code) {
    snprintf(problem, sizeof general_problem, "the GPU failed while %s: %s", doing,
             cudaGetErrorString(code));
    return problem;
}

static const char *check(void) {
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    if (code != cudaSuccess || count == 0) {
        snprintf(general_problem, sizeof general_problem, "there is no usable NVIDIA GPU (%s)",
                 code == cudaSuccess ? "none was found" : cudaGetErrorString(code));
        return general_problem;
    }
    return NULL;
}

/* ---- memory ---- */

/* Copies an array of the host to the device; keeps the first failure. */
template <typename type>
static void copy(cudaError_t *code, type **device, const type *host, size_t count) {
    if (*code != cudaSuccess || count == 0)
        return;
    *code = cudaMalloc((void **)device, count * sizeof(type));
    if (*code == cudaSuccess && host)
        *code = cudaMemcpy(*device, host, count * sizeof(type), cudaMemcpyHostToDevice);
    else if (*code == cudaSuccess)
        *code = cudaMemset(*device, 0, count * sizeof(type));
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
    copy(&code, (char **)&c->tables, (const char *)job->tables, job->table_bytes);
    if (plan.pattern == FC_CORE_MATRIX && plan.cumulative)
        copy(&code, &c->cumulative, plan.cumulative, nodes * nodes);
    plan.cumulative = c->cumulative;
    plan.traffic = NULL;
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
    MOVE(way);
    MOVE(image);
#undef MOVE
    plan.pool = plan.nodes * FC_CUDA_RECORDS;
    c->plan = plan;
    c->frequent = job->word_bits == 32 && frequent::serves(job->plan);
    if (c->frequent) /* the front is among them: those with flits in the buffer, and one to come */
        c->plan.places -= 1;
    return code;
}

static cudaError_t copy_lanes(fc_cuda *c) {
    const fc_cuda_job *job = &c->job;
    cudaError_t code = cudaSuccess;
    copy(&code, &c->law, job->core.lane[0].law, job->laws);
    copy(&code, &c->histogram, (const uint64_t *)NULL, (size_t)job->networks * FC_HISTOGRAM_BINS);
    fc_core_lane *lanes = (fc_core_lane *)malloc(job->networks * sizeof *lanes);
    if (!lanes)
        return cudaErrorMemoryAllocation;
    for (uint32_t n = 0; n < job->networks; ++n) {
        lanes[n] = job->core.lane[n];
        lanes[n].law = c->law;
        lanes[n].histogram = c->histogram + (size_t)n * FC_HISTOGRAM_BINS;
    }
    copy(&code, (fc_core_lane **)&c->core.lane, lanes, job->networks);
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
    copy(&code, (char **)&x->state, (const char *)host->state, routers * p->size * word);
    copy(&code, (char **)&x->sent, (const char *)NULL, routers * p->ring * word);
    copy(&code, (char **)&x->left, (const char *)NULL, routers * p->ring * word);
    copy(&code, (char **)&x->injected, (const char *)NULL, routers * p->ring * word);
    copy(&code, &x->channel, (const fc_core_channel *)NULL, ins);
    copy(&code, &x->front, (const uint32_t *)NULL, ins);
    copy(&code, &x->queue, (const uint32_t *)NULL, ins * p->places);
    copy(&code, &x->record, (const fc_core_header *)NULL, networks * p->pool);
    copy(&code, &x->cursor, host->cursor, networks * p->nodes);
    copy(&code, &x->late, (const fc_core_late *)NULL, routers * p->lates);
    copy(&code, &x->late_count, (const uint32_t *)NULL, routers);
    copy(&code, &x->tally, (const fc_core_tally *)NULL, routers);
    copy(&code, &x->node, (const fc_core_node *)NULL, networks * p->nodes);
    copy(&code, &x->output, (const fc_core_output *)NULL, networks * p->outputs);
    copy(&code, &c->sums, (const fc_core_tally *)NULL, networks);
    if (c->frequent)
        copy(&code, &c->near, (const uint32_t *)NULL, routers * frequent::NEAR_SIZE);
    return code;
}

static const void *kernel_of(const fc_cuda *c) {
    if (c->frequent)
        return c->plan.routers > FEW_ROUTERS
                   ? (const void *)frequent::advance<MANY_ROUTERS, 1, false>
               : c->queues ? (const void *)frequent::advance<FEW_ROUTERS, FEW_BLOCKS, true>
                           : (const void *)frequent::advance<FEW_ROUTERS, FEW_BLOCKS, false>;
    return c->job.word_bits == 32 ? (const void *)narrow::advance : (const void *)wide::advance;
}

/* State and rings in shared memory, if a multiprocessor has room for them. */
static cudaError_t choose_memory(fc_cuda *c) {
    const fc_core_plan *p = &c->plan;
    const size_t whole = (size_t)p->routers * (p->size + 3 * p->ring) * (c->job.word_bits / 8);
    int device = 0, most = 0;
    cudaError_t code = cudaGetDevice(&device);
    if (code == cudaSuccess)
        code = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    /* Short messages: worth more than the networks for which there is then no room. */
    c->queues = p->routers <= FEW_ROUTERS && p->flits[0] < 4 &&
                4 * frequent::near_words(p, true) <= (size_t)most;
    const size_t near = 4 * frequent::near_words(p, c->queues);
    c->frequent = c->frequent && near <= (size_t)most;
    const size_t bytes = c->frequent ? near : whole;
    if (code != cudaSuccess || bytes > (size_t)most)
        return code;
    c->shared = (uint32_t)bytes;
    return cudaFuncSetAttribute(kernel_of(c), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                (int)bytes);
}

static void stop(fc_cuda *c) {
    if (!c)
        return;
    const fc_core *x = &c->core;
    void *const blocks[] = {x->state, x->sent,       x->left,      x->injected,     x->channel,
                            x->front, x->queue, x->record,     x->cursor,    x->late,         x->late_count,
                            x->tally, x->node,       x->output,    (void *)x->lane, c->tables,
                            c->law,   c->cumulative, c->histogram, c->sums,         c->near};
    for (void *block : blocks)
        cudaFree(block);
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
    cudaError_t code = copy_plan(c);
    if (code == cudaSuccess)
        code = copy_arrays(c);
    if (code == cudaSuccess)
        code = copy_lanes(c);
    if (code == cudaSuccess)
        code = choose_memory(c);
    if (code != cudaSuccess) {
        explain(general_problem, "it took the networks over", code);
        stop(c);
        return general_problem;
    }
    *cuda = c;
    return NULL;
}

/* ---- running ---- */

static const char *run(fc_cuda *c, uint32_t until, fc_core_tally *tallies) {
    const uint32_t networks = c->job.networks, whole = (c->plan.routers + 31) / 32 * 32;
    const uint32_t threads = c->frequent || whole < MOST_THREADS ? whole : MOST_THREADS;
    uint32_t shared = c->shared != 0;
    void *last = c->frequent ? (void *)&c->near : (void *)&shared;
    void *arguments[] = {&c->plan, &c->core, &c->sums, &c->time, &until, last};
    cudaError_t code = cudaMemset(c->sums, 0, networks * sizeof *c->sums);
    if (code == cudaSuccess)
        code = cudaLaunchKernel(kernel_of(c), networks, threads, arguments, c->shared, 0);
    if (code == cudaSuccess)
        code = cudaMemcpy(tallies, c->sums, networks * sizeof *tallies, cudaMemcpyDeviceToHost);
    c->time = until;
    for (uint32_t n = 0; code == cudaSuccess && n < networks; ++n) {
        if (tallies[n].overflow)
            return "more messages of a node are under way than the GPU has room for";
    }
    return code == cudaSuccess ? NULL : explain(c->problem, "it simulated", code);
}

static const char *read(fc_cuda *c, uint32_t n) {
    const fc_core_plan *p = c->job.plan;
    const fc_core *x = &c->core, *host = &c->job.core;
    const size_t bytes = (size_t)p->routers * p->size * (c->job.word_bits / 8);
    const size_t node = (size_t)n * p->nodes, output = (size_t)n * p->outputs;
    cudaError_t code = cudaMemcpy((char *)host->state + n * bytes, (char *)x->state + n * bytes,
                                  bytes, cudaMemcpyDeviceToHost);
    if (code == cudaSuccess)
        code = cudaMemcpy(host->node + node, x->node + node, p->nodes * sizeof *x->node,
                          cudaMemcpyDeviceToHost);
    if (code == cudaSuccess)
        code = cudaMemcpy(host->output + output, x->output + output, p->outputs * sizeof *x->output,
                          cudaMemcpyDeviceToHost);
    return code == cudaSuccess ? NULL : explain(c->problem, "its counters were read", code);
}

static const char *clear(fc_cuda *c, uint32_t n) {
    const fc_core_plan *p = c->job.plan;
    cudaError_t code =
        cudaMemset(c->core.node + (size_t)n * p->nodes, 0, p->nodes * sizeof *c->core.node);
    if (code == cudaSuccess)
        code = cudaMemset(c->core.output + (size_t)n * p->outputs, 0,
                          p->outputs * sizeof *c->core.output);
    if (code == cudaSuccess)
        code = cudaMemset(c->histogram + (size_t)n * FC_HISTOGRAM_BINS, 0,
                          FC_HISTOGRAM_BINS * sizeof *c->histogram);
    return code == cudaSuccess ? NULL : explain(c->problem, "its counters were cleared", code);
}

static const char *histogram(fc_cuda *c, uint32_t n, uint64_t *counts) {
    const cudaError_t code = cudaMemcpy(counts, c->histogram + (size_t)n * FC_HISTOGRAM_BINS,
                                        FC_HISTOGRAM_BINS * sizeof *counts, cudaMemcpyDeviceToHost);
    return code == cudaSuccess ? NULL : explain(c->problem, "latencies were read", code);
}

extern "C" const fc_cuda_functions *fc_cuda_library(void) {
    static const fc_cuda_functions functions = {
        FC_CUDA_REVISION, check, start, stop, run, read, clear, histogram};
    return &functions;
}
