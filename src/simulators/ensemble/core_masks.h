/* Sets of channels of a router as words with a bit for each, of one lane or of several: part of
 * core_rules.h, included once for each build. */
#if FC_WORD_BITS == 32
#define FC_WORD uint32_t
#else
#define FC_WORD uint64_t
#endif

#if FC_LANES == 1
typedef FC_WORD mask;
#define LANE(m, lane) (m)
FC_CORE_DEVICE int any(mask m) {
    return m != 0;
}
FC_CORE_DEVICE mask some(mask m) { /* all ones, or 0, in each lane */
    return m ? (mask)-1 : 0;
}
FC_CORE_DEVICE mask not_after(mask m, FC_WORD word) {
    return m <= word ? (mask)-1 : 0;
}
FC_CORE_DEVICE mask spread(mask m, uint32_t bit) { /* all ones where the bit is set */
    return 0 - (m >> bit & 1);
}
#else
typedef FC_WORD mask __attribute__((vector_size(FC_LANES * sizeof(FC_WORD))));
#define LANE(m, lane) (((FC_WORD *)&(m))[lane])
static inline int any(mask m) {
#if defined(__AVX512F__) && FC_WORD_BITS * FC_LANES == 512
    return _mm512_test_epi64_mask((__m512i)m, (__m512i)m) != 0;
#elif defined(__AVX__) && FC_WORD_BITS == 32
    return !_mm256_testz_si256((__m256i)m, (__m256i)m);
#else
    FC_WORD sum = 0;
    for (unsigned lane = 0; lane < FC_LANES; ++lane)
        sum |= m[lane];
    return sum != 0;
#endif
}
static inline mask some(mask m) {
    return (mask)(m != 0);
}
static inline mask not_after(mask m, FC_WORD word) {
    return (mask)(m <= word);
}
#if FC_WORD_BITS == 32
typedef int32_t signed_mask __attribute__((vector_size(FC_LANES * sizeof(FC_WORD))));
#else
typedef int64_t signed_mask __attribute__((vector_size(FC_LANES * sizeof(FC_WORD))));
#endif
static inline mask spread(mask m, uint32_t bit) {
    return (mask)((signed_mask)(m << (FC_WORD_BITS - 1 - bit)) >> (FC_WORD_BITS - 1));
}
#endif

/* value, in the lanes whose bit is set. */
FC_CORE_DEVICE mask if_bit(mask m, uint32_t bit, mask value) {
#ifdef __CUDACC__ /* several bits become conditions in one instruction */
    return m >> bit & 1 ? value : 0;
#else
    return value & spread(m, bit);
#endif
}

FC_CORE_DEVICE mask pick(mask which, mask yes, mask no) {
    return (yes & which) | (no & ~which);
}

FC_CORE_DEVICE mask lowest(mask m) {
    return m & -m;
}

/* The first of a set that is not before the turn, or the first of all. */
FC_CORE_DEVICE mask first_in_turn(mask set, mask turn) {
    const mask later = set & turn;
    return lowest(pick(some(later), later, set));
}

FC_CORE_DEVICE uint32_t index_of(FC_WORD bit) {
#ifdef __CUDA_ARCH__
    return (uint32_t)(sizeof bit == 4 ? __ffs((int)bit) : __ffsll((long long)bit)) - 1;
#else
    return (uint32_t)__builtin_ctzll(bit);
#endif
}

FC_CORE_DEVICE uint32_t highest_index(uint64_t bits) {
#ifdef __CUDA_ARCH__
    return 63 - (uint32_t)__clzll((long long)bits);
#else
    return 63 - (uint32_t)__builtin_clzll(bits);
#endif
}

/* For each bit of each lane of a mask. lane and i are names that it declares: no parentheses. */
/* NOLINTBEGIN(bugprone-macro-parentheses) */
#if FC_LANES == 1
#define EACH_BIT(set, lane, i)                                                                     \
    for (FC_WORD left_ = (set); left_; left_ &= left_ - 1) {                                       \
        const uint32_t lane = 0, i = index_of(left_);
#define EACH_BIT_END }
#else
/* listed first: whether a lane has another one cannot be foretold */
typedef uint16_t listed_bit;
FC_CORE_DEVICE uint32_t list_bits(mask set, listed_bit *list) {
    uint32_t count = 0;
    uint64_t words[sizeof set / 8];
    memcpy(words, &set, sizeof set);
#ifdef __AVX512VBMI2__ /* 64 bits at once, of which seldom more than 32 are set */
    const __m512i numbers = _mm512_set_epi64(
        0x3f3e3d3c3b3a3938, 0x3736353433323130, 0x2f2e2d2c2b2a2928, 0x2726252423222120,
        0x1f1e1d1c1b1a1918, 0x1716151413121110, 0x0f0e0d0c0b0a0908, 0x0706050403020100);
    for (uint32_t w = 0; w < sizeof set / 8; ++w) {
        const __m512i bytes = _mm512_maskz_compress_epi8(words[w], numbers);
        const __m512i first = _mm512_set1_epi16((short)(w * 64));
        const uint32_t bits = (uint32_t)__builtin_popcountll(words[w]);
        _mm512_storeu_si512(
            list + count,
            _mm512_add_epi16(first, _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes))));
        if (bits > 32)
            _mm512_storeu_si512(
                list + count + 32,
                _mm512_add_epi16(first, _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(bytes, 1))));
        count += bits;
    }
#else
    for (uint32_t w = 0; w < sizeof set / 8; ++w) {
        for (uint64_t left = words[w]; left; left &= left - 1)
            list[count++] = (listed_bit)(w * 64 + (uint32_t)__builtin_ctzll(left));
    }
#endif
    return count;
}
#define EACH_BIT(set, lane, i)                                                                     \
    {                                                                                              \
        listed_bit list_[FC_LANES * FC_WORD_BITS + 64];                                            \
        const uint32_t count_ = list_bits(set, list_);                                             \
        for (uint32_t k_ = 0; k_ < count_; ++k_) {                                                 \
            const uint32_t lane = list_[k_] / FC_WORD_BITS, i = list_[k_] % FC_WORD_BITS;
#define EACH_BIT_END                                                                               \
    }                                                                                              \
    }
#endif
/* The same where few lanes have one, or some. */
#if defined(__AVX512VBMI2__) && FC_LANES > 1 && FC_WORD_BITS == 32
FC_CORE_DEVICE uint32_t lanes_with_bits(mask m) {
#if FC_LANES == 16
    return _mm512_test_epi32_mask((__m512i)m, (__m512i)m);
#else
    return _mm256_test_epi32_mask((__m256i)m, (__m256i)m);
#endif
}
#define EACH_RARE_BIT(set, lane, i)                                                                \
    {                                                                                              \
        const mask set_ = (set);                                                                   \
        for (uint32_t lanes_ = lanes_with_bits(set_); lanes_; lanes_ &= lanes_ - 1) {              \
            const uint32_t lane = (uint32_t)__builtin_ctz(lanes_);                                 \
            for (FC_WORD left_ = LANE(set_, lane); left_; left_ &= left_ - 1) {                    \
                const uint32_t i = index_of(left_);
#define EACH_RARE_BIT_END                                                                          \
    }                                                                                              \
    }                                                                                              \
    }
#else
#define EACH_RARE_BIT EACH_BIT
#define EACH_RARE_BIT_END EACH_BIT_END
#endif
/* NOLINTEND(bugprone-macro-parentheses) */
