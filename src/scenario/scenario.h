/* The immutable scenario, as models and simulators see it. */
#ifndef FC_SCENARIO_SCENARIO_H
#define FC_SCENARIO_SCENARIO_H

#include "flitcast/flitcast.h"
#include "scenario/document.h"
#include "scenario/family.h"

typedef enum fc_controls { FC_CONTROLS_NONE, FC_CONTROLS_AUTO } fc_controls;

typedef enum fc_engine {
    FC_ENGINE_AUTO,
    FC_ENGINE_EVENTS,
    FC_ENGINE_LANES,
    FC_ENGINE_GPU
} fc_engine;

typedef struct fc_simulation_settings {
    double precision;   /* 95 % half width of the main metric over its mean at which a run stops */
    double max_cycles;  /* cap on the cycles of one replication, warm-up included */
    double max_seconds; /* cap on the time of a run; 0: none */
    double point_seconds; /* the same, of each point of a study */
    int controls;         /* fc_controls: control variates */
    int engine;           /* fc_engine: what simulates; the results are the same */
    int64_t seed;
    int64_t replications;
} fc_simulation_settings;

/* The cap on the time of a run, and the key that sets it; 0 and NULL: there is none. */
static inline double fc_seconds_allowed(const fc_simulation_settings *s) {
    return s->max_seconds > 0 && !(s->point_seconds > 0 && s->point_seconds < s->max_seconds)
               ? s->max_seconds
               : s->point_seconds;
}
static inline const char *fc_seconds_key(const fc_simulation_settings *s) {
    const double allowed = fc_seconds_allowed(s);
    return !(allowed > 0)              ? NULL
           : allowed == s->max_seconds ? "simulation.max_seconds"
                                       : "simulation.point_seconds";
}

extern const char *const fc_engine_names[]; /* values of simulation.engine */

enum { FC_SCENARIO_BYTES_MAX = 1 << 20 }; /* of a file, also one of BookSim */

struct fc_scenario {
    fc_document *document;
    fc_document *given; /* as it was given, where units were converted or a preset was laid over it;
                           else NULL */
    char *name;
    const fc_family *family;
    void *parameters; /* of the family's type */
    fc_simulation_settings simulation;
    fc_units units; /* of the keys of all networks; message_flits is derived */
    char hash[17];
    const volatile int *cancel; /* may be NULL; nonzero: models stop */
};

/* Takes the document over, also on failure. */
fc_status fc_scenario_of_document(fc_document *document, const fc_setting *settings, size_t count,
                                  fc_error *error, fc_scenario **scenario);
/* The whole scenario as a file, as fc_scenario_write writes it; free with free. NULL if out of
 * memory. */
char *fc_scenario_text(const fc_scenario *scenario);

/* The same scenario at another load: a value of the load key, of closed traffic of
 * traffic.think_time. Nothing is read again: it shares all else with its base, which must outlive
 * it. */
fc_status fc_scenario_at_load(const fc_scenario *base, double load, fc_error *error,
                              fc_scenario **there);
void fc_scenario_at_load_free(fc_scenario *there);

/* Before the document is changed: keeps it as it was given. */
fc_status fc_scenario_keep_given(fc_scenario *scenario, fc_error *error);

/* Whether whoever asked about the scenario wants no answer any more. */
static inline bool fc_stop_asked(const volatile int *cancel) {
    return cancel && __atomic_load_n(cancel, __ATOMIC_RELAXED);
}

/* The same for scenarios that differ in load and run settings alone. */
uint64_t fc_scenario_shape(const fc_scenario *scenario);

/* True if the user gave the key (in the file or by a setting) rather than its default. */
bool fc_scenario_has(const fc_scenario *scenario, const char *key);

/* An error about one key, with the file, line and column of its value, or "FILE: " for a default.
 */
fc_status fc_scenario_fail_key(const fc_scenario *scenario, const char *key, fc_error *error,
                               const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
