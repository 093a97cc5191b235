/* The descriptors of methods. A model is one const fc_model in its file in models/, a simulator one
 * const fc_simulator in simulators/; each is listed by one line in registry.c. */
#ifndef FC_REGISTRY_METHOD_H
#define FC_REGISTRY_METHOD_H

#include "base/histogram.h"
#include "base/statistics.h"
#include "base/status.h"
#include "flitcast/flitcast.h"
#include "forecast/traits.h"
#include "registry/metrics.h"
#include "registry/result.h"
#include "scenario/scenario.h"

/* ---- models ---- */

/* Latencies at the scenario's load that were learned from simulations of networks like it. */
typedef struct fc_forecast {
    bool known;                 /* false: no simulated network is like it */
    double empty[FC_LATENCIES]; /* latency of the empty network: its mean and percentiles */
    double latency, low, high;  /* the mean, and between what it is expected with 90 % */
    double p99;
    double margin; /* logarithm of the load over the saturation load */
    double wide;   /* an interval that reaches further, as a share, is named; 0: the usual share */
} fc_forecast;

/* What a calibration starts from: by shift the state of the model's solution, else a forecast. */
enum { FC_REFERENCE_STATES = 12 };
typedef struct fc_reference {
    size_t states;
    double state[FC_REFERENCE_STATES];
    fc_forecast forecast;
    /* the share of its saturation load up to which the model has answers; 0: up to that load */
    double answers_at;
} fc_reference;

typedef struct fc_model {
    fc_method_info info;
    /* Where a family has several kinds of networks: whether this model is meant for the kind of the
     * scenario. Only then is its reason for not covering the scenario reported. NULL: always. */
    bool (*suits)(const fc_scenario *scenario);
    /* FC_OK if the model covers the scenario (of its family), else FC_ERROR_UNSUPPORTED and the
     * reason. The only place to refuse a scenario: solve does not check again. NULL: it covers all.
     */
    fc_status (*covers)(const fc_scenario *scenario, fc_error *error);
    /* Fills metrics, parts, tables, outcome, note, run.iterations and run.residual. Saturated is
     * FC_OK with outcome FC_OUTCOME_SATURATED and what is still known (throughput, the bottleneck).
     */
    fc_status (*solve)(const fc_scenario *scenario, fc_error *error, fc_result *result);
    /* Adds the table "pairs" (by source and destination) to an answer of the model that is not
     * saturated, or a note why not. Apart from solve, because it may be larger than all the rest.
     * NULL: the model has none. */
    fc_status (*add_pairs)(const fc_scenario *scenario, fc_error *error, fc_result *result);
    /* The load (value of the family's load key) at which the model saturates, exactly; NULL: the
     * saturate study brackets it with solve. Infinity: it never does. */
    fc_status (*saturation)(const fc_scenario *scenario, fc_error *error, double *load);
    /* Whether the model has a steady state at a load. For models whose `saturation` takes the time
     * of dozens of solutions; this takes about one. NULL: saturation is as quick. */
    fc_status (*carries)(const fc_scenario *scenario, double load, fc_error *error, bool *carried);
    /* The latency at another load of the same scenario; NaN: no steady state. Calibration by
     * shift computes a slope from it (registry/calibration.h). NULL: the model has none. */
    fc_status (*latency_at)(const fc_scenario *scenario, double load, fc_error *error,
                            double *latency);
    /* solve, and what a calibration starts from. NULL: the model has none. */
    fc_status (*solve_with_reference)(const fc_scenario *scenario, fc_error *error,
                                      fc_result *result, fc_reference *reference);
    /* The saturation load that was learned from simulations; NaN: no simulated network is like this
     * one. NULL: the model forecasts none. */
    fc_status (*forecast_saturation)(const fc_scenario *scenario, fc_error *error, double *load);
    /* Errors that were measured elsewhere than in the simulated cases built into the library: fills
     * what is known of scenarios like this one, or the reason why nothing is. NULL: there are none.
     */
    void (*measured)(const fc_scenario *scenario, fc_accuracy *accuracy);
} fc_model;

/* ---- simulators ---- */

/* A station is where messages stay for a while: the whole network, the processors, the memories. In
 * steady state as many messages leave it as enter it, and population = departure rate x mean stay
 * (Little's law); the driver checks both. */
typedef struct fc_station {
    double population; /* messages in it at the end of the batch */
    double left;       /* messages that left it in this batch */
    double stay;       /* cycles that those messages spent in it, summed */
} fc_station;

enum { FC_STATIONS_MOST = 6 };
/* One less than an interval takes: the driver adds the change of a population. */
enum { FC_SAMPLE_CONTROLS = FC_CONTROLS_MOST - 1 };

/* What a simulator observes in one batch of cycles. The arrays have an element for each metric,
 * zero on entry. An observable whose weight is 0 in the whole run is left out of the result. */
typedef struct fc_sample {
    double *sums;
    double *weights;
    fc_histogram *latencies; /* add every delivered message's latency, in cycles (or see
                                latency_scale) */
    uint64_t events;       /* add the units of work done (info line of the descriptor says which) */
    double helper_seconds; /* out: processor time of threads of its own (see divide) */
    double backlog; /* out: messages at sources and in the network at the end of the batch; it grows
                       without limit if the network is saturated */
    double arrivals; /* out: messages generated in this batch; 0: closed traffic */
    fc_station stations[FC_STATIONS_MOST]; /* out: those of the descriptor, in its order */
    /* out: those of the descriptor, in its order: what was drawn in this batch, minus its
     * expectation, which must be exact */
    double controls[FC_SAMPLE_CONTROLS];
} fc_sample;

static inline void fc_observe(fc_sample *sample, fc_metric_id metric, double sum, double weight) {
    sample->sums[metric] += sum;
    sample->weights[metric] += weight;
}

/* The engine that advances the replications of a run. */
typedef struct fc_engine_choice {
    fc_engine engine;
    size_t group;     /* replications that are advanced together, from the first on */
    char reason[120]; /* why not a faster one; may be empty */
} fc_engine_choice;

typedef struct fc_simulator {
    fc_method_info info;
    const char *event_name; /* "link-slots", "flit-hops", "events" */
    /* The metrics that it observes, in the order of the result; ends with FC_METRIC_NONE. Each is
     * the ratio of two sums that it accumulates, for example the sum of latencies over the number
     * of messages delivered. */
    const fc_metric_id *observables;
    /* Names of the stations whose populations show whether the network has settled, for a sentence
     * such as "the messages that enter and leave the memories still do not balance"; ends with
     * NULL. NULL: there are none. */
    const char *const *stations;
    /* Names of the control variates, the least likely to be dropped first; ends with NULL. NULL:
     * there are none. */
    const char *const *controls;
    /* Where a family has several simulators: whether this one is meant for the scenario. Only then
     * is its reason for not covering the scenario reported. NULL: always. */
    bool (*suits)(const fc_scenario *scenario);
    fc_status (*covers)(const fc_scenario *scenario, fc_error *error);
    /* Makes the read-only data that all replications of a run share (the network, its routes, their
     * proof): once per run, before the first replication. NULL: there are none. */
    fc_status (*prepare)(const fc_scenario *scenario, fc_error *error, void **common);
    void (*discard)(void *common); /* after the last release; accepts NULL */
    /* One replication. Allocates everything advance will need. common: from prepare, or NULL. */
    fc_status (*create)(const fc_scenario *scenario, const void *common, uint64_t seed,
                        uint32_t replication, fc_error *error, void **state);
    /* Of open traffic: how many messages fill the network's buffers, and a replication (not one of
     * a group) with `messages` waiting at its sources at the start. The driver sees by them whether
     * an overloaded network recovers (driver_recovery.c). NULL, both: it does not ask. */
    double (*filling)(const fc_scenario *scenario, const void *common);
    fc_status (*create_flooded)(const fc_scenario *scenario, const void *common, uint64_t seed,
                                uint32_t replication, double messages, fc_error *error,
                                void **state);
    /* Before the first advance: lets a replication use several threads, without any effect on its
     * results. NULL: it uses one. */
    fc_status (*divide)(void *state, const void *common, unsigned threads, fc_error *error);
    /* Simulates so many further cycles. Fails only for what a run can discover (deadlock). */
    fc_status (*advance)(void *state, uint64_t cycles, fc_sample *sample, fc_error *error);
    /* Where there are several engines: chooses one, after prepare and before the first replication
     * is created. On entry, choice is the engine `events` with groups of one. Fails if the scenario
     * asks for an engine that does not cover it. settings: may be NULL. NULL: there is only one
     * engine. */
    fc_status (*choose_engine)(const fc_scenario *scenario, void *common,
                               const fc_simulation_settings *simulation,
                               const fc_run_settings *settings, fc_error *error,
                               fc_engine_choice *choice);
    /* advance for a group of replications; a sample for each. */
    fc_status (*advance_group)(void *const *states, size_t count, uint64_t cycles,
                               fc_sample *samples, fc_error *error);
    /* A group will be advanced so many times by so many cycles: returns how many of these
     * steps, at least one, are simulated in advance; the caller must then take them all. May be
     * NULL. */
    size_t (*look_ahead)(void *const *states, uint64_t cycles, size_t times);
    /* How many runs like this one can share an engine; 1: none. NULL: 1. */
    unsigned (*shares)(const fc_scenario *scenario);
    void (*start_measuring)(
        void *state); /* the warm-up is over: clear detail counters; may be NULL */
    /* After the run, before anything is reported: brings states and histograms up to date; may be
     * NULL. */
    fc_status (*finish)(void *const *states, size_t replications, fc_error *error);
    /* After the run: adds parts and tables from all replications; the driver adds the metrics. May
     * be NULL. */
    void (*report)(void *const *states, size_t replications, fc_result *result);
    void (*release)(void *state); /* accepts NULL */
    /* A first guess of the correlation time, in cycles; the driver adapts to what it observes. */
    double (*time_scale)(const fc_scenario *scenario);
    /* Whether the scenario is a trace or workload, which is simulated to its end. NULL: never. */
    bool (*finite)(const fc_scenario *scenario);
    /* Of a finite run: whether anything was drawn at random, so that another replication would
     * differ. NULL: nothing is. */
    bool (*drew)(const void *state);
    double (*done)(const void *state); /* of a finite run: the share that is done, 0 to 1 */
    /* Buffers bound what is inside the network, so that only what waits at its sources can grow
     * without end; FC_METRIC_SOURCE_WAIT is among the observables. */
    bool bounded;
    /* Units of the latency histogram per cycle, where latencies are not whole cycles; NULL: 1. */
    double (*latency_scale)(const fc_scenario *scenario);
} fc_simulator;

/* registry.c; both NULL-terminated. Where there are no measured errors, the first one that covers a
 * scenario is chosen. */
extern const fc_model *const fc_models[];
extern const fc_simulator *const fc_simulators[];

/* NULL and an error that names the valid and the nearest ones if there is no such model. */
const fc_model *fc_model_find(const char *name, fc_error *error);
/* FC_OK if the model is for the scenario's family and covers it; else the error says why not. */
fc_status fc_model_covers(const fc_model *model, const fc_scenario *scenario, fc_error *error);
/* Of the models that cover the scenario, the one with the smallest measured error there. */
fc_status fc_model_choose(const fc_scenario *scenario, fc_error *error, const fc_model **model);
/* The one that would be chosen if networks with the very features of the scenario had never been
 * simulated: for a fair score of networks that were. */
fc_status fc_model_choose_by_others(const fc_scenario *scenario, fc_error *error,
                                    const fc_model **model);
/* Names of the models that cover the scenario (variants left out), the one that would be chosen
 * first; as many as there is room for. */
size_t fc_models_covering(const fc_scenario *scenario, const char **names, size_t room);
fc_status fc_simulator_choose(const fc_scenario *scenario, fc_error *error,
                              const fc_simulator **simulator);

/* A method that was found to cover a scenario: one of the two is NULL. */
typedef struct fc_method {
    const fc_model *model;
    const fc_simulator *simulator;
    bool calibrate; /* the model's answer, where similar networks were simulated */
} fc_method;

/* model: a name; NULL: the default model, calibrated; FC_UNCALIBRATED: the default model alone. The
 * simulator follows from the scenario. */
fc_status fc_method_choose(const fc_scenario *scenario, fc_method_kind kind, const char *model,
                           fc_error *error, fc_method *method);
/* Whether that is the default one, calibrated or not. */
bool fc_model_is_default(const char *model);
const fc_method_info *fc_method_info_of(fc_method method);

#endif
