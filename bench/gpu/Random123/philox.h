/* Philox 4x32 with 10 rounds by the interface of Random123, for machines that have a compiler and
 * nothing else: see bench/gpu_check.sh. */
#ifndef FC_BENCH_PHILOX_H
#define FC_BENCH_PHILOX_H

#include <stdint.h>

typedef struct philox4x32_ctr_t {
    uint32_t v[4];
} philox4x32_ctr_t;
typedef struct philox4x32_key_t {
    uint32_t v[2];
} philox4x32_key_t;

static inline philox4x32_ctr_t philox4x32(philox4x32_ctr_t counter, philox4x32_key_t key) {
    for (int round = 0; round < 10; ++round) {
        const uint64_t first = (uint64_t)0xD2511F53u * counter.v[0];
        const uint64_t second = (uint64_t)0xCD9E8D57u * counter.v[2];
        counter = (philox4x32_ctr_t){
            {(uint32_t)(second >> 32) ^ counter.v[1] ^ key.v[0], (uint32_t)second,
             (uint32_t)(first >> 32) ^ counter.v[3] ^ key.v[1], (uint32_t)first}};
        key.v[0] += 0x9E3779B9u;
        key.v[1] += 0xBB67AE85u;
    }
    return counter;
}

#endif
