/* What is learned from a dataset: its networks with their inputs scaled, and which of the simulated
 * loads count. */
#ifndef FC_FIT_LESSONS_H
#define FC_FIT_LESSONS_H

#include "fit/dataset.h"
#include "forecast/learned_graph.h"
#include "fit/team.h"

typedef enum fit_load_kind {
    FIT_SETTLED = 1,  /* its mean latency is known */
    FIT_TAIL = 2,     /* and its 99th percentile */
    FIT_SATURATED = 4 /* it did not settle, and there was no search */
} fit_load_kind;

typedef struct fit_burst_table {
    const float *waits;
    double most; /* messages per cycle at the last */
} fit_burst_table;

typedef struct fit_lesson {
    const fit_record *record;
    fc_trait_graph *graph;
    fc_traits traits; /* capacity and bursts alone */
    fit_burst_table bursts;
    unsigned char *kinds; /* of each load: a set of fit_load_kind */
    bool searched;        /* for its saturation load */
    bool limit;           /* and what was found is believed */
    double cost;          /* of an evaluation, about */
} fit_lesson;

typedef struct fit_lessons {
    const fit_dataset *dataset;
    fc_learned_shape shape;
    fc_trait_norm norms[FC_TRAIT_WHOLE_MOST + FC_TRAIT_LANE_MOST + FC_TRAIT_MOVEMENT_MOST];
    fc_trait_norms scaling; /* in norms */
    size_t values;          /* form `values`: corrections */
    size_t count;
    fit_lesson *list;                  /* as in the dataset */
    size_t lanes_most, movements_most; /* classes of a network */
} fit_lessons;

/* left_out: of every network, whether it is not learned from; its inputs do not count in the
 * scaling. shape: width and rounds given. like: inputs are scaled as for these weights; or NULL.
 */
bool fit_lessons_create(const fit_dataset *dataset, const bool *left_out, fit_team *team,
                        fc_learned_shape shape, const fc_weights *like, fit_lessons *lessons);

/* The wait of bursts at a source, from the table of the dataset; context: the table, whose waits
 * are NULL where there are no bursts. */
fit_burst_table fit_burst_table_of(const fit_record *record);
double fit_burst_wait(const void *context, double load);

/* Hardly slower near saturation than without load: that search ended too early. */
bool fit_search_is_doubtful(const fit_record *record);

void fit_lessons_release(fit_lessons *lessons);

#endif
