/* Traits: what is known of a network without simulating it, for the learned correction.
 *
 * A model that has a correction fills them once for a scenario: exact numbers of the network, and
 * what the model says of it at light loads. Nothing in them depends on the load that is asked for,
 * unless the correction is one at that load (form `values`).
 * A model of routers has lanes (the virtual channels of a link that the same messages may take) and
 * movements from lane to lane; a model without a graph has one lane and no movements. */
#ifndef FC_FORECAST_TRAITS_H
#define FC_FORECAST_TRAITS_H

#include <stddef.h>
#include <stdint.h>
#include "base/status.h"

enum { FC_TRAIT_WHOLE_MOST = 64, FC_TRAIT_LANE_MOST = 64, FC_TRAIT_MOVEMENT_MOST = 16 };

/* Names of the numbers, in the order in which they are filled; NULL-terminated. The weights of a
 * correction carry the names that they were fitted to, and are refused if these differ. */
typedef struct fc_trait_names {
    const char *const *whole, *const *lane, *const *movement;
} fc_trait_names;

/* Levels of the distribution of latencies that a forecast has. */
typedef enum fc_latency_id { FC_MEAN, FC_P50, FC_P95, FC_P99, FC_LATENCIES } fc_latency_id;

typedef struct fc_lane_traits {
    uint32_t link; /* lanes of one link feel each other */
    float weight;  /* of all messages, the share that crosses it */
    float unit;    /* cycles waited there per unit of load, at light loads */
    float bursts;  /* messages per cycle that come in bursts, per unit of load; 0: none */
    float copies;  /* lanes that this one stands for, all alike */
} fc_lane_traits;

typedef struct fc_movement_traits {
    uint32_t from, to; /* lanes */
    float kept, share; /* of the messages of the lane that it leaves, that it enters */
    float load;        /* flits per cycle at the capacity */
} fc_movement_traits;

typedef struct fc_traits {
    uint32_t lane_count, movement_count, link_count;
    size_t whole_inputs, lane_inputs, movement_inputs;
    float whole[FC_TRAIT_WHOLE_MOST];
    fc_lane_traits *lanes;
    float *lane; /* lane_count x lane_inputs */
    fc_movement_traits *movements;
    float *movement; /* movement_count x movement_inputs */
    double empty[FC_LATENCIES];
    double capacity; /* the load at which something is full: no steady state above */
    /* The exact wait of bursts at a source that meets nobody else, at a load in messages per cycle;
     * a lane with bursts waits at least so long. NULL: no bursts. */
    double (*burst_wait)(const void *context, double load);
    void *burst_context; /* released with the traits */
} fc_traits;

/* What a model without a graph says of the whole curve, from its answers at two loads and its own
 * saturation load: outputs of the learned network are differences from it. */
typedef struct fc_model_answers {
    double capacity, saturation;
    double load[2], excess[2]; /* what waits add to the latency there */
    double unit;               /* of the lane */
} fc_model_answers;
enum { FC_PRIORS = 3 };
#define FC_PRIOR_NAME "prior: saturation"
#define FC_PRIOR_NAMES FC_PRIOR_NAME, "prior: start", "prior: slope"
void fc_prior_of(const fc_model_answers *answers, double prior[FC_PRIORS]);

/* Room for the lanes and movements, all zero but for the copies of lanes, which are 1. */
fc_status fc_traits_create(const fc_trait_names *names, uint32_t lanes, uint32_t movements,
                           fc_error *error, fc_traits **traits);
bool fc_all_finite(const double *values, size_t count);
/* Of a network that is corrected as one link, by its traits as a whole; what is not finite becomes
 * 0. values: one for each name of `whole`. */
fc_status fc_traits_of_whole(const fc_trait_names *names, const double *values, double capacity,
                             fc_error *error, fc_traits **traits);
void fc_traits_free(fc_traits *traits); /* accepts NULL */

#endif
