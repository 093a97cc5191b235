/* What happens when in the period of a load that changes (traffic.profile): every phase is divided
 * into windows, which add up over all periods. */
#ifndef FC_SIMULATORS_ROUTER_LOAD_WINDOWS_H
#define FC_SIMULATORS_ROUTER_LOAD_WINDOWS_H

#include "registry/result.h"
#include "scenario/profile.h"

enum { FC_LOAD_WINDOWS = 64 }; /* about; a phase has at least one */

typedef struct fc_load_window {
    uint64_t from, until; /* cycles of the period */
    double factor;
    /* since the warm-up: of messages generated in it, and those that arrived in it */
    double generated, arrived, latency, messages;
    uint64_t longest;
} fc_load_window;

typedef struct fc_load_windows {
    const fc_profile *profile;
    fc_load_window *list;
    size_t count;
} fc_load_windows;

/* *windows: NULL if the load stays. */
fc_status fc_load_windows_create(const fc_profile *profile, fc_error *error,
                                 fc_load_windows **windows);
void fc_load_windows_free(fc_load_windows *windows);
void fc_load_windows_clear(fc_load_windows *windows);
void fc_load_windows_generated(fc_load_windows *windows, uint64_t cycle);
/* last: the message has reached all its destinations. */
void fc_load_windows_arrived(fc_load_windows *windows, uint64_t born, uint64_t latency, bool last);

/* The table "profile" from all replications, which measured the same cycles. */
typedef struct fc_load_measured {
    uint64_t from, until; /* cycles */
    double rate, senders;
} fc_load_measured;
void fc_load_windows_report(const fc_load_windows *const *windows, size_t replications,
                            const fc_load_measured *measured, fc_result *result);

#endif
