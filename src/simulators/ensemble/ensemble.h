/* Several networks of routers side by side: replications of one scenario in the lanes of vector
 * registers, with the same messages, cycle by cycle, as in the event engine (router/). */
#ifndef FC_SIMULATORS_ENSEMBLE_H
#define FC_SIMULATORS_ENSEMBLE_H

#include "base/histogram.h"
#include "network/destinations.h"
#include "network/router_network.h"
#include "simulators/ensemble/core_types.h"

typedef struct fc_ensemble fc_ensemble;
typedef struct fc_lane_pool fc_lane_pool;

/* What runs the core. */
typedef enum fc_ensemble_build {
    FC_ENSEMBLE_SCALAR, /* one lane */
    FC_ENSEMBLE_PLAIN,  /* FC_CORE_LANES lanes by instructions that every processor has */
    FC_ENSEMBLE_AVX2,
    FC_ENSEMBLE_AVX512,
    FC_ENSEMBLE_WIDE, /* the same with FC_CORE_MOST_LANES lanes; not for routers of 64-bit words */
    FC_ENSEMBLE_BUILDS,
    FC_ENSEMBLE_GPU = FC_ENSEMBLE_BUILDS, /* as many lanes as there are replications */
} fc_ensemble_build;

/* Whether this processor has what the build needs; not for the GPU. */
bool fc_ensemble_runs(fc_ensemble_build build);
/* The fastest one that runs here, for so many replications of a network. */
fc_ensemble_build fc_ensemble_best(const fc_scenario *scenario, const fc_router_network *network,
                                   uint32_t replications);
/* Bits of a word that holds all channels of a router: 32 or 64. */
uint32_t fc_ensemble_word(const fc_scenario *scenario, const fc_router_network *network);
/* Lanes of an ensemble; not for the GPU. */
uint32_t fc_ensemble_lanes(fc_ensemble_build build);
/* FC_OK if there is a GPU and what it takes to use it, else what is missing. */
fc_status fc_ensemble_gpu(fc_error *error);

/* FC_OK if ensembles cover the scenario, whose network is given, else FC_ERROR_UNSUPPORTED and why
 * not. */
fc_status fc_ensemble_covers(const fc_scenario *scenario, const fc_router_network *network,
                             fc_error *error);

/* Replications first .. first + count - 1 of a scenario it covers, one in each lane; lanes without
 * one stay empty. Scenario, network and traffic must outlive the ensemble. */
fc_status fc_ensemble_create(const fc_scenario *scenario, const fc_router_network *network,
                             const fc_traffic *traffic, uint64_t seed, uint32_t first,
                             uint32_t count, fc_ensemble_build build, fc_error *error,
                             fc_ensemble **ensemble);
/* Replications 0 .. count - 1, in lanes that scenarios of the same shape share (lane_pool.h); on a
 * processor. */
fc_status fc_ensemble_create_shared(const fc_scenario *scenario, const fc_router_network *network,
                                    const fc_traffic *traffic, uint64_t seed, uint32_t count,
                                    fc_lane_pool *pool, fc_error *error, fc_ensemble **ensemble);
void fc_ensemble_free(fc_ensemble *ensemble);

/* Simulates up to the start of a cycle. Sums start at 0 with each call. If a GPU fails, the
 * processor does again what it did, and goes on: nothing of the results is lost. */
fc_status fc_ensemble_run(fc_ensemble *ensemble, uint64_t until, fc_error *error);
/* For a GPU or shared lanes, which then simulate at once what is run next: fc_ensemble_run will be
 * called with these cycles, in this order, after those expected before, and nothing but tallies is
 * read until the last of them. False: they are not expected, because there is neither or it has
 * enough to do.
 */
bool fc_ensemble_expect(fc_ensemble *ensemble, const uint32_t *until, uint32_t count);
/* Processor time that others spent on this ensemble, less what this thread spent on others, since
 * the last call. */
double fc_ensemble_take_seconds(fc_ensemble *ensemble);
/* Why the processor took over from a GPU; NULL: it did not. */
const char *fc_ensemble_trouble(const fc_ensemble *ensemble);
uint64_t fc_ensemble_time(const fc_ensemble *ensemble);
/* Latencies of a lane are counted here from now on; NULL: nowhere. On a GPU they come here only by
 * fc_ensemble_read_histogram. */
void fc_ensemble_set_histogram(fc_ensemble *ensemble, uint32_t lane, fc_histogram *histogram);
fc_status fc_ensemble_read_histogram(fc_ensemble *ensemble, uint32_t lane, fc_error *error);
/* Called for every message delivered, by the processor alone. */
void fc_ensemble_observe(fc_ensemble *ensemble, fc_core_observer observer, void *context);

/* ---- what a lane has seen ---- */

/* Updates what the functions below return. */
fc_status fc_ensemble_read(fc_ensemble *ensemble, fc_error *error);
/* In the last stretch; always up to date. */
const fc_core_tally *fc_ensemble_tally(const fc_ensemble *ensemble, uint32_t lane);
/* From the start: flits over an output (of the first lane always up to date); headers that were
 * given a channel of it; flits that a node has sent. Modulo 2^32. */
uint32_t fc_ensemble_crossed(const fc_ensemble *ensemble, uint32_t lane, uint32_t output);
uint32_t fc_ensemble_granted(const fc_ensemble *ensemble, uint32_t lane, uint32_t output);
uint32_t fc_ensemble_injected(const fc_ensemble *ensemble, uint32_t lane, uint32_t node);
/* From the last call of fc_ensemble_clear_detail. */
const fc_core_node *fc_ensemble_node(const fc_ensemble *ensemble, uint32_t lane, uint32_t node);
const fc_core_output *fc_ensemble_output(const fc_ensemble *ensemble, uint32_t lane,
                                         uint32_t output);
/* Of all lanes; latencies counted on a GPU, too. */
fc_status fc_ensemble_clear_detail(fc_ensemble *ensemble, fc_error *error);

#endif
