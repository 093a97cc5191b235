/* What core_rules.h takes from the rest of the program, for a GPU: random streams as in
 * base/random.h and simulators/arrivals.h, bins as in base/histogram.h, destinations as in
 * scenario/patterns/. Included again, in a namespace, for kernels that have few registers: with
 * FC_CORE_FEW_REGISTERS. */
#include "simulators/ensemble/core_types.h"

#define FC_CORE_DEVICE __device__ static __forceinline__
#define FC_SHARED_ADD(counter, value)                                                              \
    atomicAdd((unsigned long long *)&(counter), (unsigned long long)(value))

enum { FC_HISTOGRAM_BITS = 8, FC_HISTOGRAM_BINS = (1 << FC_HISTOGRAM_BITS) * 40 };

__device__ static __forceinline__ uint32_t fc_histogram_bin(uint32_t value) {
    if (value < (1u << FC_HISTOGRAM_BITS))
        return value;
    const int shift = 31 - __clz((int)value) - FC_HISTOGRAM_BITS;
    return ((uint32_t)shift << FC_HISTOGRAM_BITS) + (value >> shift);
}

typedef struct fc_random {
    uint32_t key[2], counter[4], block[4];
    uint32_t used;
} fc_random;

/* Philox 4x32 with 10 rounds (Salmon, Moraes, Dror and Shaw, SC 2011). */
__device__ static __forceinline__ void core_philox(fc_random *random) {
    uint32_t a = random->counter[0], b = random->counter[1], c = random->counter[2],
             d = random->counter[3], k = random->key[0], l = random->key[1];
    for (int round = 0; round < 10; ++round) {
        const uint32_t high = __umulhi(0xD2511F53u, a), low = 0xD2511F53u * a;
        const uint32_t high2 = __umulhi(0xCD9E8D57u, c), low2 = 0xCD9E8D57u * c;
        a = high2 ^ b ^ k;
        b = low2;
        c = high ^ d ^ l;
        d = low;
        k += 0x9E3779B9u;
        l += 0xBB67AE85u;
    }
    random->block[0] = a;
    random->block[1] = b;
    random->block[2] = c;
    random->block[3] = d;
    ++random->counter[0];
    random->used = 0;
}

__device__ static __forceinline__ fc_random fc_message_stream(uint64_t seed, uint32_t replication,
                                                              uint32_t node, uint32_t count) {
    fc_random random;
    random.key[0] = (uint32_t)seed;
    random.key[1] = (uint32_t)(seed >> 32);
    random.counter[0] = 0;
    random.counter[1] = count;
    random.counter[2] = 0x80000000u | node;
    random.counter[3] = replication;
    core_philox(&random);
    return random;
}

/* More than the first four words are seldom needed. */
#ifdef FC_CORE_FEW_REGISTERS
__device__ static __noinline__ fc_random core_next_block(fc_random random) {
#else
__device__ static __forceinline__ fc_random core_next_block(fc_random random) {
#endif
    core_philox(&random);
    return random;
}

__device__ static __forceinline__ uint32_t fc_random_word(fc_random *random) {
    if (random->used == 4)
        *random = core_next_block(*random);
    const uint32_t used = random->used++;
    return used == 0   ? random->block[0]
           : used == 1 ? random->block[1]
           : used == 2 ? random->block[2]
                       : random->block[3];
}

__device__ static __forceinline__ double fc_random_unit(fc_random *random) {
    const uint64_t high = fc_random_word(random) >> 5;
    const uint64_t low = fc_random_word(random) >> 6;
    return (double)(high << 26 | low) * 0x1p-53;
}

__device__ static __forceinline__ uint32_t fc_random_below(fc_random *random, uint32_t bound) {
    uint64_t product = (uint64_t)fc_random_word(random) * bound;
    if ((uint32_t)product < bound) {
        const uint32_t threshold = (0u - bound) % bound;
        while ((uint32_t)product < threshold)
            product = (uint64_t)fc_random_word(random) * bound;
    }
    return (uint32_t)(product >> 32);
}

__device__ static __forceinline__ uint64_t fc_message_gap(fc_geometric law, fc_random *random) {
    const uint64_t low = fc_random_word(random);
    return fc_geometric_gap(law, low | (uint64_t)fc_random_word(random) << 32);
}

__device__ static __forceinline__ uint32_t core_any_node(const fc_core_plan *plan,
                                                         fc_random *random, uint32_t source) {
    if (plan->to_self)
        return fc_random_below(random, plan->nodes);
    const uint32_t node = fc_random_below(random, plan->nodes - 1);
    return node + (node >= source ? 1u : 0u);
}

__device__ static __forceinline__ uint32_t core_destination(const fc_core_plan *plan,
                                                            fc_random *random, uint32_t source) {
    if (plan->pattern == FC_CORE_HOT_SPOT) {
        if ((source != plan->hot_node || plan->to_self) && fc_random_unit(random) < plan->share)
            return plan->hot_node;
    } else if (plan->pattern == FC_CORE_MATRIX) {
        const double *sums = plan->cumulative + (size_t)source * plan->nodes;
        const double draw = fc_random_unit(random) * sums[plan->nodes - 1];
        uint32_t low = 0, high = plan->nodes - 1;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (sums[middle] > draw)
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }
    return core_any_node(plan, random, source);
}
