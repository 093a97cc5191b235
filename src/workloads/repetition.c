#include "workloads/repetition.h"

#include <math.h>

static const double error_most = 0.005; /* of the length of a pass */

/* The pass so many before; NULL: not all ranks have ended it, or it has been forgotten. */
static const fc_pass *pass_before(const fc_repetition *r, uint32_t ranks, uint64_t number,
                                  uint64_t before) {
    const fc_pass *one = &r->last[(number - before) % FC_PASSES_KEPT];
    return one->number == number - before && one->ranks == ranks ? one : NULL;
}

static bool are_alike(const fc_repetition *r, uint32_t ranks, uint64_t number,
                      fc_pass_cycles *cycles) {
    const double half = FC_PASSES_ALIKE / 2.0;
    double sum = 0, squares = 0, difference = 0;
    for (uint64_t i = 0; i < FC_PASSES_ALIKE; ++i) {
        const fc_pass *one = pass_before(r, ranks, number, i);
        const fc_pass *before = pass_before(r, ranks, number, i + 1);
        if (!one || !before)
            return false;
        const double length = (double)one->ended - (double)before->ended;
        sum += length;
        squares += length * length;
        difference += i < FC_PASSES_ALIKE / 2 ? length / half : -length / half;
    }
    cycles->mean = sum / FC_PASSES_ALIKE;
    const double variance = fmax(0, squares / FC_PASSES_ALIKE - cycles->mean * cycles->mean);
    cycles->error = fmax(fabs(difference), 2 * sqrt(variance / FC_PASSES_ALIKE));
    return cycles->error <= error_most * cycles->mean;
}

bool fc_repetition_add(fc_repetition *r, uint32_t ranks, uint64_t number, uint64_t time,
                       fc_pass_cycles *cycles) {
    const uint64_t pass = number & (((uint64_t)1 << FC_PASS_BITS) - 1);
    fc_pass *one = &r->last[number % FC_PASSES_KEPT];
    if (one->number > number) /* it has been forgotten */
        return false;
    if (one->number != number)
        *one = (fc_pass){.number = number};
    one->ended = time > one->ended ? time : one->ended;
    return ++one->ranks == ranks && pass > FC_PASSES_ALIKE && are_alike(r, ranks, number, cycles);
}
