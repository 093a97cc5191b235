/* Counter-based random streams: Philox 4x32-10, keyed by (seed, replication, stream).
 *
 * A stream is a pure function of its key and a counter, so a result does not depend on the number
 * of threads or on the order in which streams are used. Give each source of randomness that must
 * stay the same when another changes (arrivals, destinations, ties) a stream of its own. */
#ifndef FC_BASE_RANDOM_H
#define FC_BASE_RANDOM_H

#include <math.h>
#include <stdint.h>
/* Philox 4x32 needs no vector instructions; the headers of all intrinsics take longer to read than
 * most files. */
#define R123_USE_SSE 0
#define R123_USE_X86INTRIN_H 0
#include <Random123/philox.h>

typedef struct fc_random {
    philox4x32_key_t key;
    philox4x32_ctr_t counter;
    philox4x32_ctr_t block;
    unsigned used; /* words of the block already given out */
} fc_random;

static inline fc_random fc_random_stream(uint64_t seed, uint32_t replication, uint32_t stream) {
    fc_random random;
    random.key.v[0] = (uint32_t)seed;
    random.key.v[1] = (uint32_t)(seed >> 32);
    random.counter.v[0] = 0;
    random.counter.v[1] = 0;
    random.counter.v[2] = stream;
    random.counter.v[3] = replication;
    random.block = random.counter;
    random.used = 4;
    return random;
}

/* Whose random numbers: of a replication of a seed. */
typedef struct fc_random_key {
    uint64_t seed;
    uint32_t replication;
} fc_random_key;

/* Uniform over all 32-bit words. */
static inline uint32_t fc_random_word(fc_random *random) {
    if (random->used == 4) {
        random->block = philox4x32(random->counter, random->key);
        random->used = 0;
        if (++random->counter.v[0] == 0)
            ++random->counter.v[1];
    }
    return random->block.v[random->used++];
}

/* Whether anything was drawn from a stream between two states of it. */
static inline int fc_random_used(const fc_random *before, const fc_random *after) {
    return before->used != after->used || before->counter.v[0] != after->counter.v[0];
}

/* Uniform over [0, 1), 53 bits. */
static inline double fc_random_unit(fc_random *random) {
    const uint64_t high = fc_random_word(random) >> 5;
    const uint64_t low = fc_random_word(random) >> 6;
    return (double)(high << 26 | low) * 0x1p-53;
}

/* Uniform over 0 .. bound-1, bound >= 1, without bias. */
static inline uint32_t fc_random_below(fc_random *random, uint32_t bound) {
    uint64_t product = (uint64_t)fc_random_word(random) * bound;
    if ((uint32_t)product < bound) {
        const uint32_t threshold = (uint32_t)(0u - bound) % bound;
        while ((uint32_t)product < threshold)
            product = (uint64_t)fc_random_word(random) * bound;
    }
    return (uint32_t)(product >> 32);
}

/* Exponential with mean 1. */
static inline double fc_random_exponential(fc_random *random) {
    return -log1p(-fc_random_unit(random));
}

/* Geometric over 1, 2, ... with the given mean (>= 1). */
static inline uint64_t fc_random_geometric(fc_random *random, double mean) {
    if (mean <= 1.0)
        return 1;
    const double draw = floor(-fc_random_exponential(random) / log1p(-1.0 / mean));
    return 1 + (draw < 0x1p62 ? (uint64_t)draw : (uint64_t)1 << 62);
}

#endif
