/* A load that changes with time (traffic.profile): phases one after the other, and again from the
 * first. */
#ifndef FC_SCENARIO_PROFILE_H
#define FC_SCENARIO_PROFILE_H

#include "scenario/family.h"

enum { FC_PROFILE_PHASES_MAX = 4096 };

typedef struct fc_load_phase {
    uint64_t cycles;
    double factor; /* of traffic.rate */
    double rate;   /* messages per node per cycle, where that is given instead */
} fc_load_phase;

typedef struct fc_profile {
    size_t count;
    bool rates;      /* are given, and traffic.rate is their mean, or scales them */
    uint64_t period; /* cycles of all phases */
    fc_load_phase *phase;
} fc_profile;

/* Of an fc_profile *, for the key. */
fc_status fc_profile_read(const fc_document *document, const fc_value *value, void *field,
                          fc_error *error);
void fc_profile_write(const void *field, FILE *stream);
void fc_profile_release(fc_profile *profile);
/* Factors from rates; their mean. */
double fc_profile_scale(fc_profile *profile);

/* Means over time, and the highest. NULL: a load that stays. */
double fc_profile_mean(const fc_profile *profile);
double fc_profile_most(const fc_profile *profile);
/* The phase at a cycle. */
size_t fc_profile_phase(const fc_profile *profile, uint64_t cycle);

#endif
