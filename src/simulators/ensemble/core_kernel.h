/* The kernel for words of FC_WORD_BITS bits: a block for each network, a thread for each router (or
 * for several, where a block cannot have as many). One barrier a cycle is enough: routers know of
 * each other only what was sent in earlier cycles. With FC_CORE_FREQUENT only what all kernels
 * share: core_frequent.h has the kernel. */
#include "simulators/ensemble/core_rules.h"

/* Copies masks between the network's arrays and shared memory. */
__device__ static __forceinline__ void core_copy(mask *to, const mask *from, uint32_t masks) {
    for (uint32_t i = threadIdx.x; i < masks; i += blockDim.x)
        to[i] = from[i];
}

__device__ static __forceinline__ void core_clear_tally(fc_core_tally *tally) {
    for (uint32_t i = 0; i < sizeof *tally / sizeof(uint64_t); ++i)
        ((uint64_t *)tally)[i] = 0;
}

/* Sums that were added to in memory are read where they are. */
__device__ static __forceinline__ void core_add_tally(fc_core_tally *sum, fc_core_tally *own) {
    unsigned long long *to = (unsigned long long *)sum, *from = (unsigned long long *)own;
    for (uint32_t i = 0; i < sizeof *own / sizeof *from; ++i) {
        const unsigned long long value = atomicAdd(&from[i], 0ull);
        if (value)
            atomicAdd(&to[i], value);
    }
}

#ifndef FC_CORE_FREQUENT

/* The arrays of one network. */
__device__ static __forceinline__ fc_core core_network(const fc_core_plan *plan, const fc_core *all,
                                                       uint32_t n) {
    const size_t routers = plan->routers, channels = routers * plan->in_ports * plan->channels;
    fc_core x = *all;
    x.state = (mask *)all->state + n * routers * plan->size;
    x.sent = (mask *)all->sent + n * routers * plan->ring;
    x.left = (mask *)all->left + n * routers * plan->ring;
    x.injected = (mask *)all->injected + n * routers * plan->ring;
    x.channel += n * channels;
    x.front += n * channels;
    x.queue += n * channels * plan->places;
    x.record += (size_t)n * plan->pool;
    x.cursor += (size_t)n * plan->nodes;
    x.late += n * routers * plan->lates;
    x.late_count += n * routers;
    x.tally += n * routers;
    x.node += (size_t)n * plan->nodes;
    x.output += (size_t)n * plan->outputs;
    x.lane += n;
    return x;
}

/* shared: masks of state and rings that are kept in shared memory while the kernel runs; 0: all
 * stay where they are. */
__global__ void __launch_bounds__(MOST_THREADS, 1)
    advance(const __grid_constant__ fc_core_plan plan_of_all, const __grid_constant__ fc_core all,
            const __grid_constant__ core_stops stops, uint32_t shared) {
    extern __shared__ uint64_t memory[];
    const fc_core_plan *plan = &plan_of_all;
    fc_core x = core_network(plan, &all, blockIdx.x);
    mask *near = (mask *)memory,
         *far[4] = {(mask *)x.state, (mask *)x.sent, (mask *)x.left, (mask *)x.injected};
    const uint32_t ring = plan->routers * plan->ring, state = plan->routers * plan->size;
    x.plan = plan;
    if (shared) {
        core_copy(near, far[0], state);
        for (uint32_t i = 0; i < 3; ++i)
            core_copy(near + state + i * ring, far[1 + i], ring);
        x.state = near;
        x.sent = near + state;
        x.left = near + state + ring;
        x.injected = near + state + 2 * ring;
    }
    for (uint32_t stop = 0, time = stops.from; stop < stops.count; ++stop) {
        const uint32_t until = stops.at[stop];
        for (uint32_t r = threadIdx.x; r < plan->routers; r += blockDim.x) {
            core_clear_tally(&x.tally[r]);
            core_begin_stretch(&x, r, until);
        }
        __syncthreads();
        for (; time < until; ++time) {
            const core_moment moment = core_moment_of(plan, time, until);
            for (uint32_t r = threadIdx.x; r < plan->routers; r += blockDim.x)
                core_step_router(&x, r, &moment);
            __syncthreads();
        }
        for (uint32_t r = threadIdx.x; r < plan->routers; r += blockDim.x) {
            const core_state *state = (const core_state *)x.state + r;
            core_end_stretch(&x, r, until);
            core_add_tally(&stops.tallies[stop * gridDim.x + blockIdx.x], &x.tally[r]);
            const uint32_t outputs = plan->router[r].links_out + plan->router[r].receivers;
            for (uint32_t o = 0; blockIdx.x == 0 && o < outputs; ++o)
                stops.crossed[stop * plan->outputs + plan->output_first[r] + o] =
                    (uint32_t)STATE(plan->at_crossed + o);
        }
        __syncthreads();
    }
    if (shared) {
        core_copy(far[0], near, state);
        for (uint32_t i = 0; i < 3; ++i)
            core_copy(far[1 + i], near + state + i * ring, ring);
    }
}

#include "simulators/ensemble/core_undefine.h"
#endif
