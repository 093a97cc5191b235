/* Functions that are compiled for three sets of instructions, for the widest vectors among them.
 * Products and sums stay apart (no fused ones), so that each gives the same bits. */
#ifndef FC_BASE_WIDE_VECTORS_H
#define FC_BASE_WIDE_VECTORS_H

#include <stdbool.h>

#define FC_INLINE static inline __attribute__((always_inline))

/* The function of this name, compiled for three sets of instructions and chosen when it is called.
 */
#if defined(__x86_64__)
#define FC_FOR_ALL(name, declaration, arguments)                                                   \
    __attribute__((                                                                                \
        target("avx512f,avx512vl,avx512dq,avx512bw"))) static void name##_wide declaration {       \
        name##_any arguments;                                                                      \
    }                                                                                              \
    __attribute__((target("avx2"))) static void name##_middle declaration {                        \
        name##_any arguments;                                                                      \
    }                                                                                              \
    static void name##_plain declaration {                                                         \
        name##_any arguments;                                                                      \
    }                                                                                              \
    static void name declaration {                                                                 \
        if (fc_has_wide_vectors())                                                                 \
            name##_wide arguments;                                                                 \
        else if (__builtin_cpu_supports("avx2"))                                                   \
            name##_middle arguments;                                                               \
        else                                                                                       \
            name##_plain arguments;                                                                \
    }
static inline bool fc_has_wide_vectors(void) {
    return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw");
}
#else
#define FC_FOR_ALL(name, declaration, arguments)                                                   \
    static void name declaration {                                                                 \
        name##_any arguments;                                                                      \
    }
static inline bool fc_has_wide_vectors(void) {
    return false;
}
#endif

#endif
