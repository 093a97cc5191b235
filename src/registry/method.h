/* The descriptors of methods. A model is one const fc_model in its file in models/, a simulator one
 * const fc_simulator in simulators/; each is listed by one line in registry.c. */
#ifndef FC_REGISTRY_METHOD_H
#define FC_REGISTRY_METHOD_H

#include "base/histogram.h"
#include "base/random.h"
#include "base/statistics.h"
#include "base/status.h"
#include "flitcast/flitcast.h"
#include "registry/metrics.h"
#include "registry/result.h"
#include "scenario/routed.h"
#include "scenario/scenario.h"

/* ---- models ---- */

/* What is learned of a model's errors (forecast/): the numbers that it tells of a network, and the
 * file in data/ with the weights that were fitted to them. */
struct fc_traits;
struct fc_trait_names;
struct fc_learned_values;
typedef struct fc_correction {
    const char *weights; /* "data/torus.weights" */
    const struct fc_trait_names *names;
    unsigned
        revision; /* of the traits: raised when the numbers filled change, for the same names */
    /* *traits NULL: nothing like the network was drawn for the fit. solved: of a correction at the
     * load asked for, the model's result there; of a curve NULL. */
    fc_status (*traits)(const fc_scenario *scenario, void *prepared, const fc_result *solved,
                        fc_error *error, struct fc_traits **traits);
    /* Why a network is not corrected although such were drawn: "the ... "; NULL: it is. NULL: all
     * are. */
    const char *(*doubt)(const fc_scenario *scenario, const void *prepared);
    bool percentiles; /* were fitted too */
    /* Parts of the latency that an empty network has; ends with NULL. The others are waits. */
    const char *empty[5];
    /* Of a correction at the load asked for instead of a curve over the load: corrects a result of
     * the model. NULL: a curve. */
    fc_status (*apply)(const struct fc_learned_values *values, const fc_scenario *scenario,
                       fc_result *result);
    /* Of the same kind: says in a result that is not corrected what is to be minded. NULL: nothing.
     */
    void (*without)(const fc_scenario *scenario, fc_result *result);
} fc_correction;

typedef struct fc_model {
    fc_method_info info;
    /* Where a family has several kinds of networks: whether this model is meant for the kind of the
     * scenario. Only then is its reason for not covering the scenario reported. NULL: always. */
    bool (*suits)(const fc_scenario *scenario);
    /* FC_OK if the model covers the scenario (of its family), else FC_ERROR_UNSUPPORTED and the
     * reason. The only place to refuse a scenario: solve does not check again. NULL: it covers all.
     */
    fc_status (*covers)(const fc_scenario *scenario, fc_error *error);
    /* Makes what does not depend on the load: the network, its flows. NULL: nothing is prepared. */
    fc_status (*prepare)(const fc_scenario *scenario, fc_error *error, void **prepared);
    void (*release)(void *prepared); /* accepts NULL */
    /* At the load of the scenario, which may differ from that of the one prepared in the load
     * alone. Fills metrics, parts, tables, outcome, note, run.iterations and run.residual.
     * Saturated is FC_OK with outcome FC_OUTCOME_SATURATED and what is still known (throughput, the
     * bottleneck). The answer does not depend on the loads that were solved before. */
    fc_status (*solve)(const fc_scenario *scenario, void *prepared, fc_error *error,
                       fc_result *result);
    /* Adds the table "pairs" (by source and destination) to a result with an answer, or a note why
     * not. Apart from solve, because it may be larger than all the rest. NULL: the model has none.
     */
    fc_status (*add_pairs)(const fc_scenario *scenario, void *prepared, fc_error *error,
                           fc_result *result);
    /* The load (value of the family's load key) at which the model saturates, to its own precision.
     * Infinity: it never does. NULL: of closed traffic, and of workloads. */
    fc_status (*saturation)(const fc_scenario *scenario, void *prepared, fc_error *error,
                            double *load);
    const fc_correction *correction; /* NULL: none */
    /* Why the errors in data/accuracy.csv say nothing of this network: "only networks of two and
     * three levels were simulated"; NULL: they do. The hook itself is NULL if they always do. */
    const char *(*unlike)(const fc_scenario *scenario);
    /* Errors that were measured elsewhere than in data/accuracy.csv: fills the accuracy of a result
     * and its interval (registry/accuracy.h), or the reason why nothing is known. NULL: there are
     * none. */
    void (*measured)(const fc_scenario *scenario, fc_result *result);
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
/* Numbers in `sums` of a sample: the metrics of all messages, then those of each class of messages.
 */
enum { FC_SERIES_MOST = FC_METRICS * (1 + FC_CLASSES_MAX) };
/* One less than an interval takes: the driver adds the change of a population. */
enum { FC_SAMPLE_CONTROLS = FC_CONTROLS_MOST - 1 };

/* What a simulator observes in one batch of cycles. The arrays have an element for each metric, and
 * for each of each class of messages if those have names; zero on entry. An observable whose weight
 * is 0 in the whole run is left out of the result. */
typedef struct fc_sample {
    double *sums;
    double *weights;
    fc_histogram *latencies;  /* add every delivered message's latency, in cycles (or see
                                 latency_scale) */
    fc_histogram *histograms; /* add response times to the first of them, and the latencies of the
                                 messages of each class to those after it; NULL: do not */
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

static inline void fc_observe_class(fc_sample *sample, size_t class, fc_metric_id metric,
                                    double sum, double weight) {
    sample->sums[(1 + class) * FC_METRICS + metric] += sum;
    sample->weights[(1 + class) * FC_METRICS + metric] += weight;
}

/* The engine that advances the replications of a run. */
typedef struct fc_engine_choice {
    fc_engine engine;
    size_t group;     /* replications that are advanced together, from the first on */
    char reason[120]; /* why not a faster one; may be empty */
} fc_engine_choice;

/* How replications are advanced together, where that can be done in several ways: by events, each
 * on its own; by lanes and on a GPU, in groups. */
typedef struct fc_engines {
    /* Chooses one, after prepare and before the first replication is created. On entry, choice is
     * the engine `events` with groups of one. Fails if the scenario asks for an engine that does
     * not cover it. settings: may be NULL. */
    fc_status (*choose)(const fc_scenario *scenario, void *common,
                        const fc_simulation_settings *simulation, const fc_run_settings *settings,
                        fc_error *error, fc_engine_choice *choice);
    /* advance for a group of replications; a sample for each. */
    fc_status (*advance_group)(void *const *states, size_t count, uint64_t cycles,
                               fc_sample *samples, fc_error *error);
    /* A group will be advanced `times` steps of `cycles`: returns how many of these
     * steps, at least one, are simulated in advance; the caller must then take them all. */
    size_t (*look_ahead)(void *const *states, uint64_t cycles, size_t times);
    /* How many runs like this one can share an engine; 1: none. */
    unsigned (*shares)(const fc_scenario *scenario);
    /* After the run, before anything is reported: brings states and histograms up to date. */
    fc_status (*finish)(void *const *states, size_t replications, fc_error *error);
    /* Before the first advance of a replication by events: lets it use several threads, without any
     * effect on its results. */
    fc_status (*divide)(void *state, const void *common, unsigned threads, fc_error *error);
} fc_engines;

/* How an overloaded network is made: the driver sees by it whether it recovers
 * (driver_recovery.c). */
typedef struct fc_flooding {
    /* How many messages fill the network's buffers. */
    double (*filling)(const fc_scenario *scenario, const void *common);
    /* A replication, not one of a group, with so many messages waiting at its sources at the start.
     */
    fc_status (*create)(const fc_scenario *scenario, const void *common, fc_random_key key,
                        double messages, fc_error *error, void **state);
} fc_flooding;

/* A trace or workload, which is simulated to its end. */
typedef struct fc_ending {
    bool (*ends)(const fc_scenario *scenario); /* whether the scenario is one */
    /* Whether anything was drawn at random, so that another replication would differ. NULL: nothing
     * is. */
    bool (*drew)(const void *state);
    double (*done)(const void *state); /* the share that is done, 0 to 1 */
} fc_ending;

typedef struct fc_kept fc_kept; /* simulators/kept.h */

/* Five functions make a simulator: covers, create, advance, report and release. All others may be
 * NULL, and what is no function 0. */
typedef struct fc_simulator {
    fc_method_info info;
    const char *event_name; /* "link-slots", "flit-hops", "events" */
    /* The metrics that it observes, in the order of the result; ends with FC_METRIC_NONE. Each is
     * the ratio of two sums that it accumulates, for example the sum of latencies over the number
     * of messages delivered. */
    const fc_metric_id *observables;
    fc_status (*covers)(const fc_scenario *scenario, fc_error *error); /* NULL: all it suits */
    /* One replication. Allocates everything advance will need. common: from prepare, or NULL. */
    fc_status (*create)(const fc_scenario *scenario, const void *common, uint64_t seed,
                        uint32_t replication, fc_error *error, void **state);
    /* Simulates so many further cycles. Fails only for what a run can discover (deadlock). */
    fc_status (*advance)(void *state, uint64_t cycles, fc_sample *sample, fc_error *error);
    /* After the run: adds parts and tables from all replications; the driver adds the metrics. May
     * be NULL. */
    void (*report)(void *const *states, size_t replications, fc_result *result);
    void (*release)(void *state); /* accepts NULL */

    /* Where a family has several simulators: whether this one is meant for the scenario. Only then
     * is its reason for not covering the scenario reported. NULL: always. */
    bool (*suits)(const fc_scenario *scenario);
    /* Makes the read-only data that all replications of a run share (the network, its routes, their
     * proof): once per run, before the first replication. NULL: there are none. */
    fc_status (*prepare)(const fc_scenario *scenario, fc_error *error, void **common);
    void (*discard)(void *common); /* after the last release; accepts NULL */
    /* The warm-up is over: clear detail counters. */
    void (*start_measuring)(void *state);
    /* A first guess of the correlation time, in cycles; the driver adapts to what it observes. */
    double (*time_scale)(const fc_scenario *scenario);
    /* Cycles after which the traffic repeats, so that batches are whole or equal parts of it; 0: it
     * does not change. NULL: it never does. */
    uint64_t (*period)(const fc_scenario *scenario);
    /* Units of the latency histogram per cycle, where latencies are not whole cycles; NULL: 1. */
    double (*latency_scale)(const fc_scenario *scenario);

    /* What it observes besides. Of each class of messages, where classes have names; NULL: nothing.
     */
    const fc_metric_id *class_observables;
    /* Whether it adds to `histograms` of samples. NULL: never. */
    bool (*has_histograms)(const fc_scenario *scenario);
    /* Names of the stations whose populations show whether the network has settled, for a sentence
     * such as "the messages that enter and leave the memories still do not balance"; ends with
     * NULL. NULL: there are none. */
    const char *const *stations;
    /* Names of the control variates, the least likely to be dropped first; ends with NULL. NULL:
     * there are none. */
    const char *const *controls;
    /* From here on every message that is delivered is given to the `kept` of its replication
     * (fc_kept_message); all replications at once. Not by a GPU. NULL: it sees no single messages.
     */
    void (*observe)(void *const *states, size_t count, fc_kept *kept);
    bool (*observes)(const fc_scenario *scenario); /* NULL: always, if it has `observe` */
    /* Buffers bound what is inside the network, so that only what waits at its sources can grow
     * without end; FC_METRIC_SOURCE_WAIT is among the observables. */
    bool bounded;

    const fc_engines *engines;   /* NULL: one engine, replications by events */
    const fc_flooding *flooding; /* NULL: the driver does not ask whether it recovers */
    const fc_ending *ending;     /* NULL: nothing it simulates comes to an end */
} fc_simulator;

static inline bool fc_comes_to_an_end(const fc_simulator *simulator, const fc_scenario *scenario) {
    return simulator->ending && simulator->ending->ends(scenario);
}

/* registry.c; both NULL-terminated. The first one that covers a scenario is chosen. */
extern const fc_model *const fc_models[];
extern const fc_simulator *const fc_simulators[];

/* NULL and an error that names the valid and the nearest ones if there is no such model. */
const fc_model *fc_model_find(const char *name, fc_error *error);
/* FC_OK if the model is for the scenario's family and covers it; else the error says why not. */
fc_status fc_model_covers(const fc_model *model, const fc_scenario *scenario, fc_error *error);
/* The first of the registry that covers the scenario. */
fc_status fc_model_choose(const fc_scenario *scenario, fc_error *error, const fc_model **model);
/* Names of the models that cover the scenario, with variants or without, the one that would be
 * chosen first; as many as there is room for. */
size_t fc_models_covering(const fc_scenario *scenario, bool variants, const char **names,
                          size_t room);
fc_status fc_simulator_choose(const fc_scenario *scenario, fc_error *error,
                              const fc_simulator **simulator);

/* A method that was found to cover a scenario: one of the two is NULL. */
typedef struct fc_method {
    const fc_model *model;
    const fc_simulator *simulator;
    bool corrected; /* the model's answer, where networks like this one were simulated */
} fc_method;

/* model: a name; NULL: the default model, calibrated; FC_UNCALIBRATED: the default model alone. The
 * simulator follows from the scenario. */
fc_status fc_method_choose(const fc_scenario *scenario, fc_method_kind kind, const char *model,
                           fc_error *error, fc_method *method);
/* Whether that is the default one, calibrated or not. */
bool fc_model_is_default(const char *model);
const fc_method_info *fc_method_info_of(fc_method method);

#endif
