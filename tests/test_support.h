/* What every test program includes: cmocka, and a comparison of doubles as doubles. */
#ifndef TEST_SUPPORT_H
#define TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The thread sanitizer takes long, and sees most with the most threads: fewer are left to other
 * builds. */
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
enum { THREAD_SANITIZER = __has_feature(thread_sanitizer) };

/* cmocka does not say that a failure ends the test, which a static analyser needs to know. */
/* NOLINTNEXTLINE(bugprone-reserved-identifier) */
void _fail(const char *file, int line) __attribute__((noreturn));

/* cmocka's float assert compares as float; this one compares relative to the larger magnitude. */
#define assert_close(actual, expected, relative)                                                   \
    do {                                                                                           \
        const double a_ = (actual), e_ = (expected), r_ = (relative);                              \
        if (!(fabs(a_ - e_) <= r_ * fmax(fabs(a_), fabs(e_)))) {                                   \
            fail_msg("%s = %.17g, expected %.17g within %g", #actual, a_, e_, r_);                 \
        }                                                                                          \
    } while (0)

#define assert_near(actual, expected, absolute)                                                    \
    do {                                                                                           \
        const double a_ = (actual), e_ = (expected), t_ = (absolute);                              \
        if (!(fabs(a_ - e_) <= t_)) {                                                              \
            fail_msg("%s = %.17g, expected %.17g +- %g", #actual, a_, e_, t_);                     \
        }                                                                                          \
    } while (0)

/* The same bits, of doubles too. */
static inline bool same_bytes(const void *a, const void *b, size_t length) {
    return memcmp(a, b, length) == 0;
}

#endif
