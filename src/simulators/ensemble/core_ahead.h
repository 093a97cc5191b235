/* Messages drawn ahead, eight of a node at once: a stream of random numbers starts with ten
 * rounds of multiplications and a logarithm, each step of which needs the one before. The steps of
 * several messages are done side by side. The bits are those of core_draw.
 *
 * For builds with AVX2 or AVX-512; the others draw one by one. */
#if defined(__AVX512F__)
typedef __m512i core_row; /* 64 bits of each message of a step */
#define ROW_EACH _mm512_set1_epi64
#define ROW_LOAD(at) _mm512_loadu_si512((const void *)(at))
#define ROW_STORE(at, row) _mm512_storeu_si512((void *)(at), row)
#define ROW_MULTIPLY _mm512_mul_epu32 /* of the low halves */
#define ROW_ADD _mm512_add_epi64
#define ROW_SUBTRACT _mm512_sub_epi64
#define ROW_AND _mm512_and_si512
#define ROW_XOR _mm512_xor_si512
#define ROW_LEFT _mm512_slli_epi64
#define ROW_RIGHT _mm512_srli_epi64
static inline core_row row_if_negative(core_row sign, core_row row) {
    return _mm512_maskz_mov_epi64(_mm512_movepi64_mask(sign), row);
}
#else
typedef __m256i core_row;
#define ROW_EACH _mm256_set1_epi64x
#define ROW_LOAD(at) _mm256_loadu_si256((const __m256i *)(const void *)(at))
#define ROW_STORE(at, row) _mm256_storeu_si256((__m256i *)(void *)(at), row)
#define ROW_MULTIPLY _mm256_mul_epu32
#define ROW_ADD _mm256_add_epi64
#define ROW_SUBTRACT _mm256_sub_epi64
#define ROW_AND _mm256_and_si256
#define ROW_XOR _mm256_xor_si256
#define ROW_LEFT _mm256_slli_epi64
#define ROW_RIGHT _mm256_srli_epi64
static inline core_row row_if_negative(core_row sign, core_row row) {
    return _mm256_and_si256(_mm256_cmpgt_epi64(_mm256_setzero_si256(), sign), row);
}
#endif
enum { ROW = sizeof(core_row) / 8 };

/* The first four words of the streams of messages number .. number + ROW - 1, as philox4x32. */
static inline void row_of_blocks(const fc_core_lane *lane, uint32_t node, uint32_t number,
                                 uint64_t words[4][FC_CORE_AHEAD], uint32_t at) {
    static const uint64_t steps[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const core_row low = ROW_EACH(0xffffffff);
    core_row a = ROW_EACH(0), b = ROW_AND(ROW_ADD(ROW_EACH(number), ROW_LOAD(steps)), low),
             c = ROW_EACH(FC_STREAM_NODES | node), d = ROW_EACH(lane->replication);
    uint32_t key = (uint32_t)lane->seed, other = (uint32_t)(lane->seed >> 32);
    for (int round = 0; round < 10; ++round) {
        const core_row first = ROW_MULTIPLY(a, ROW_EACH(0xD2511F53));
        const core_row second = ROW_MULTIPLY(c, ROW_EACH(0xCD9E8D57));
        a = ROW_XOR(ROW_XOR(ROW_RIGHT(second, 32), b), ROW_EACH(key));
        b = ROW_AND(second, low);
        c = ROW_XOR(ROW_XOR(ROW_RIGHT(first, 32), d), ROW_EACH(other));
        d = ROW_AND(first, low);
        key += 0x9E3779B9u;
        other += 0xBB67AE85u;
    }
    ROW_STORE(&words[0][at], a);
    ROW_STORE(&words[1][at], b);
    ROW_STORE(&words[2][at], c);
    ROW_STORE(&words[3][at], d);
}

/* fc_multiply_high */
static inline core_row row_multiply_high(core_row a, core_row b) {
    const core_row low = ROW_EACH(0xffffffff);
    const core_row a_high = ROW_RIGHT(a, 32), b_high = ROW_RIGHT(b, 32);
    const core_row cross = ROW_MULTIPLY(a, b_high), other = ROW_MULTIPLY(a_high, b);
    const core_row middle = ROW_ADD(ROW_ADD(ROW_RIGHT(ROW_MULTIPLY(a, b), 32), ROW_AND(cross, low)),
                                    ROW_AND(other, low));
    core_row high = ROW_ADD(ROW_MULTIPLY(a_high, b_high), ROW_RIGHT(middle, 32));
    high = ROW_ADD(high, ROW_ADD(ROW_RIGHT(cross, 32), ROW_RIGHT(other, 32)));
    return ROW_SUBTRACT(ROW_SUBTRACT(high, row_if_negative(a, b)), row_if_negative(b, a));
}

static const int64_t fc_log2_coefficient[] = FC_LOG2_COEFFICIENTS;

/* The sums of fc_minus_log2 for FC_CORE_AHEAD numbers t, each times t. */
static inline void row_of_logarithms(int64_t *t) {
    for (uint32_t at = 0; at < FC_CORE_AHEAD; at += ROW) {
        const core_row x = ROW_LOAD(t + at);
        core_row sum = ROW_EACH(fc_log2_coefficient[11]);
        for (int k = 10; k >= 0; --k)
            sum = ROW_ADD(ROW_EACH(fc_log2_coefficient[k]), ROW_LEFT(row_multiply_high(sum, x), 1));
        ROW_STORE(t + at, row_multiply_high(sum, x));
    }
}

/* Messages number .. number + FC_CORE_AHEAD - 1 of a node. */
static __attribute__((noinline)) void core_draw_ahead(const fc_core_plan *plan,
                                                      const fc_core_lane *lane, uint32_t node,
                                                      uint32_t number, fc_core_message *drawn) {
    uint64_t words[4][FC_CORE_AHEAD];
    int64_t t[FC_CORE_AHEAD];
    uint32_t halvings[FC_CORE_AHEAD];
    for (uint32_t at = 0; at < FC_CORE_AHEAD; at += ROW)
        row_of_blocks(lane, node, number + at, words, at);
    for (uint32_t k = 0; k < FC_CORE_AHEAD; ++k)
        t[k] = fc_log2_argument(words[0][k] | words[1][k] << 32, &halvings[k]);
    row_of_logarithms(t);
    for (uint32_t k = 0; k < FC_CORE_AHEAD; ++k) {
        fc_random random = fc_message_stream(lane->seed, lane->replication, node, number + k);
        for (int i = 0; i < 4; ++i)
            random.block.v[i] = (uint32_t)words[i][k];
        random.counter.v[0] = 1;
        random.used = 2;
        drawn[k] = core_rest_of_message(plan, &random, node,
                                        fc_geometric_scaled(lane->law[lane->own_laws ? node : 0],
                                                            fc_log2_finish(t[k], halvings[k])));
    }
}
