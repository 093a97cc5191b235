/* What a simulation keeps of single messages, if it is asked to (fc_keep): tables of its result. */
#ifndef FC_SIMULATORS_KEPT_H
#define FC_SIMULATORS_KEPT_H

#include "base/histogram.h"
#include "registry/method.h"
#include "registry/result.h"

/* The table "histogram", if asked for. units: of the histogram in a cycle. settings may be NULL. */
void fc_kept_histogram(const fc_run_settings *settings, const fc_histogram *latencies, double units,
                       fc_result *result);

/* The messages of one replication. */
struct fc_kept {
    bool listed;                /* fc_keep.deliveries */
    fc_delivered_message *list; /* NULL once there are more than `most`: they are only counted */
    size_t count, room, most;
    struct fc_kept_pair {
        uint64_t messages, latency, largest;
    } * pairs; /* nodes x nodes; NULL: not kept */
    uint32_t nodes;
    const uint32_t *node_of; /* what messages name as their source and destination: the node; NULL:
                                they name nodes */
    fc_status status;        /* FC_ERROR_MEMORY: something is missing */
};

/* Whether the run can keep what is asked of it. settings may be NULL. */
fc_status fc_kept_check(const fc_simulator *simulator, const fc_scenario *scenario,
                        const fc_simulation_settings *simulation, const fc_run_settings *settings,
                        fc_error *error);
/* One for each replication; *kept NULL: nothing of single messages is asked for, or can be had. */
fc_status fc_kept_create(const fc_simulator *simulator, const fc_scenario *scenario, size_t count,
                         const fc_run_settings *settings, fc_error *error, fc_kept **kept);
void fc_kept_free(fc_kept *kept, size_t count); /* accepts NULL */
/* Forgets what was seen. */
void fc_kept_restart(fc_kept *kept);
void fc_kept_message(fc_kept *kept, const fc_delivered_message *message);
/* Moves the messages of all replications into the result: the list, and the table "pairs". kept may
 * be NULL; settings and scenario as in fc_kept_create. */
void fc_kept_report(fc_kept *kept, size_t count, const fc_scenario *scenario,
                    const fc_run_settings *settings, fc_result *result);

#endif
