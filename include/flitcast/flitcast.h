/* Flitcast: forecasts of interconnection-network performance, by model and by simulation.
 *
 * A method, which is an analytical model or a simulator, turns a scenario (a network, its traffic,
 * the run settings) into a result (metrics, their parts, how they were obtained).
 *
 *     fc_error error;
 *     fc_scenario *scenario;
 *     fc_result *result;
 *     if (fc_scenario_read_file("rings.yaml", NULL, 0, &error, &scenario) == FC_OK &&
 *         fc_predict(scenario, NULL, &error, &result) == FC_OK) {
 *         printf("%g cycles\n", fc_result_metric(result, "latency")->value);
 *     }
 *
 * Every function that can fail returns fc_status and, where it takes an fc_error, writes a complete
 * sentence for the user into it. Out-parameters are unchanged on failure. The library never prints,
 * never exits and has no mutable global state. An object may be used by one thread at a time; only
 * scenarios, which are immutable, by several. Numbers are read and written as in the C locale,
 * whatever locale the program has set; callbacks are called in the C locale. */
#ifndef FLITCAST_H
#define FLITCAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define FC_API __attribute__((visibility("default")))
#else
#define FC_API
#endif

/* ---- status ---- */

typedef enum fc_status {
    FC_OK = 0,
    FC_ERROR_MEMORY,      /* out of memory */
    FC_ERROR_ARGUMENT,    /* a call that this header does not allow */
    FC_ERROR_INPUT,       /* a scenario, key or value that is not valid */
    FC_ERROR_FILE,        /* a file that cannot be read or written */
    FC_ERROR_UNSUPPORTED, /* a valid scenario that this method does not cover */
    FC_ERROR_CANCELLED,   /* stopped by the caller */
    FC_STATUS_COUNT
} fc_status;

FC_API const char *fc_status_text(fc_status status);

typedef struct fc_error {
    char text[1024]; /* one sentence or a few, with file:line:column where there is one; no newline
                        at the end */
} fc_error;

FC_API const char *fc_version(void);
/* What programs rely on (docs/stability.md): of this header and the shared library, and of what
 * --format json prints. Each is raised when something in it changes that was there before. */
enum { FC_API_VERSION = 0, FC_SCHEMA_VERSION = 1 };

/* The closest of the NULL-terminated names within a sensible edit distance, or NULL. */
FC_API const char *fc_nearest(const char *name, const char *const *names);

/* ---- scenario ---- */

typedef struct fc_scenario fc_scenario;

/* A scenario key and its value in YAML: {"traffic.rate", "0.002"}. */
typedef struct fc_setting {
    const char *key;
    const char *value;
    const char *label; /* what messages call it, for example "--seed"; NULL: the key */
} fc_setting;

/* The bytes of a scenario file or a BookSim configuration. */
typedef struct fc_input {
    const char *origin; /* the name messages use: the path, or "standard input" */
    char *text;         /* a zero byte follows */
    size_t length;
    bool booksim; /* a BookSim configuration: named *.cfg, or it begins with WORD = */
} fc_input;

/* "-" is the standard input. The path must last as long as the input. */
FC_API fc_status fc_input_read(const char *path, fc_error *error, fc_input *input);
FC_API void fc_input_clear(fc_input *input);

/* settings override keys of the file or add to them; each is checked like the file itself. "-" is
 * the standard input; files named in it are searched for in the working folder. */
FC_API fc_status fc_scenario_read_file(const char *path, const fc_setting *settings, size_t count,
                                       fc_error *error, fc_scenario **scenario);
/* origin is the name messages use for the text, for example a file name. */
FC_API fc_status fc_scenario_read_text(const char *text, size_t length, const char *origin,
                                       const fc_setting *settings, size_t count, fc_error *error,
                                       fc_scenario **scenario);
/* The same for a text from an untrusted source: files named in it must be in or below the folder of
 * origin (the working folder if origin has none), after symbolic links are resolved. */
FC_API fc_status fc_scenario_read_confined(const char *text, size_t length, const char *origin,
                                           const fc_setting *settings, size_t count,
                                           fc_error *error, fc_scenario **scenario);
/* The built-in scenario of the demonstration. */
FC_API fc_status fc_scenario_read_default(const fc_setting *settings, size_t count, fc_error *error,
                                          fc_scenario **scenario);
/* A new scenario: base with these settings changed. */
FC_API fc_status fc_scenario_with(const fc_scenario *base, const fc_setting *settings, size_t count,
                                  fc_error *error, fc_scenario **scenario);
FC_API void fc_scenario_free(fc_scenario *scenario);
/* Models that are asked about the scenario, or about one made from it with fc_scenario_with, stop
 * with FC_ERROR_CANCELLED soon after *cancel is nonzero. It may be NULL, and must outlive them. */
FC_API void fc_scenario_set_cancel(fc_scenario *scenario, const volatile int *cancel);
FC_API bool fc_scenario_is_cancelled(const fc_scenario *scenario); /* they stop, or have stopped */

FC_API const char *fc_scenario_name(const fc_scenario *scenario);
/* 16 hexadecimal digits: a hash of everything that determines a result, except the seed. */
FC_API const char *fc_scenario_hash(const fc_scenario *scenario);
FC_API const char *fc_scenario_family(const fc_scenario *scenario);
FC_API double fc_scenario_nodes(const fc_scenario *scenario);
FC_API const char *fc_scenario_main_metric(const fc_scenario *scenario);
/* The key that scales the offered load ("traffic.rate"); NULL for closed traffic. */
FC_API const char *fc_scenario_load_key(const fc_scenario *scenario);
/* One key's number (the first of a list); FC_ERROR_INPUT if the key is unknown or not a number. */
FC_API fc_status fc_scenario_number(const fc_scenario *scenario, const char *key, fc_error *error,
                                    double *value);
/* The whole scenario as a file: every key with its value, defaults included. */
FC_API fc_status fc_scenario_write(const fc_scenario *scenario, FILE *stream);

/* Every key a scenario file may hold, for completion and documentation. */
typedef struct fc_key_info {
    const char *family;            /* NULL: common to all */
    const char *const *topologies; /* of the family, ends with NULL; NULL: common to all */
    const char *path;              /* "network.rings" */
    const char *help;              /* one line, with the unit */
    char expected[400];            /* "a number above 0", "one of: open, closed" */
    const char *fallback; /* default, or NULL if the key is required, or "" if it may be absent */
    uint32_t taken_by;    /* bit i: topologies[i] has it; 0: common to all */
    char only_if[256];    /* when it applies: "network.switching: scouting"; empty: always */
} fc_key_info;
FC_API size_t fc_key_count(void);
FC_API fc_key_info fc_key_at(size_t index);
/* Whether the key has a meaning in this scenario. A scenario that gives one that has none is
 * refused when it is read. */
FC_API bool fc_scenario_key_applies(const fc_scenario *scenario, const char *path);

/* What turns cycles and flits into seconds and bytes. */
typedef struct fc_units {
    double clock_ghz, flit_bytes; /* network.clock_ghz, network.flit_bytes; 0: not given */
    double message_flits;         /* mean of a message, of a request with its reply */
} fc_units;
FC_API fc_units fc_scenario_units(const fc_scenario *scenario);

typedef struct fc_physical {
    double factor;    /* times the value */
    const char *unit; /* "ns", "GB/s" */
} fc_physical;
/* What a value with the unit of a metric ("cycles") is physically. False: nothing is known. */
FC_API bool fc_physical_of(const fc_units *units, const char *unit, fc_physical *physical);

/* What a number is to the one it stands for. */
typedef enum fc_bound { FC_EXACT, FC_AT_MOST, FC_AT_LEAST } fc_bound;
FC_API const char *fc_bound_name(fc_bound bound); /* "exact", "at-most", "at-least" */

/* What a network is built of; NaN: not known, or it has no meaning here. */
typedef struct fc_counts {
    double routers;
    double cables;      /* between routers: both directions are one */
    double ports;       /* of all routers: ends of cables, and nodes */
    double bisection;   /* flits per cycle from one half of the nodes to the other, at least */
    double wire_length; /* of all cables, in distances of neighbouring routers */
    fc_bound bisection_bound; /* at-most: the best halving that was found */
} fc_counts;
FC_API fc_status fc_scenario_counts(const fc_scenario *scenario, fc_error *error,
                                    fc_counts *counts);

/* ---- methods ---- */

typedef enum fc_method_kind { FC_MODEL, FC_SIMULATOR } fc_method_kind;

typedef struct fc_method_info {
    const char *name; /* "hamacher-jiang" */
    fc_method_kind kind;
    const char *family;   /* "ring-hierarchy"; several: "torus, fabric" */
    const char *title;    /* a line: what it is */
    const char *source;   /* the paper, or "ours" */
    const char *validity; /* a line: what it needs, where it holds */
    const char *accuracy; /* simulators: a line; models: NULL, see fc_accuracy_overall */
    bool variant;         /* another reading of a paper, kept for comparison: runs only if named */
    unsigned revision; /* raised whenever its answers change: older stored results are not used */
} fc_method_info;

FC_API size_t fc_method_count(void);
FC_API const fc_method_info *fc_method_at(size_t index);
/* FC_OK if the named method covers this scenario; otherwise the error says why not. */
FC_API fc_status fc_method_covers(const char *name, const fc_scenario *scenario, fc_error *error);

/* The weights of what was learned of a model's errors: a file of data/, built in. */
typedef struct fc_weights_info {
    char file[64];
    unsigned revision;      /* of the model that they were fitted to */
    size_t networks, cases; /* simulated, that they were fitted to */
    char hash[17];          /* of the file */
    char data_hash[17];     /* of what they were fitted to */
    char command[160];      /* that makes them again */
} fc_weights_info;
/* False: the model has none. */
FC_API bool fc_method_weights(const char *model, fc_weights_info *info);

/* ---- measured accuracy ---- */

/* The errors of a model alone against simulations, (model - simulation) / simulation of the main
 * metric, by what `make validate` measured (docs/validation). */
typedef struct fc_accuracy {
    bool known;
    size_t cases, networks; /* simulated cases, and the different networks among them */
    size_t unsolved;        /* further cases, in which the model had no answer */
    double typical;         /* mean size of the error */
    double worst;           /* the largest one, with its sign */
    double low, high; /* loads of the cases over the saturation load; NaN for closed traffic */
    char reason[160]; /* of a forecast: why nothing like it was simulated; may be empty */
} fc_accuracy;

/* All cases of a model, or only those that were not used to develop any model (held out). */
FC_API fc_status fc_accuracy_overall(const char *model, bool held_out, fc_error *error,
                                     fc_accuracy *accuracy);
/* "typically 1.2 %, at most 3.4 %, in 48 simulated cases up to 85 % of saturation". */
enum { FC_ACCURACY_SIZE = 256 };
FC_API void fc_accuracy_text(const fc_accuracy *accuracy, char text[FC_ACCURACY_SIZE]);

/* ---- results ---- */

typedef enum fc_outcome {
    FC_OUTCOME_OK,
    FC_OUTCOME_SATURATED,
    FC_OUTCOME_NOT_CONVERGED
} fc_outcome;
FC_API const char *fc_outcome_name(fc_outcome outcome);

/* Neither: a metric of the traffic (offered), or one whose direction depends on the network
 * (power).
 */
typedef enum fc_better { FC_LOWER_IS_BETTER, FC_HIGHER_IS_BETTER, FC_NEITHER_IS_BETTER } fc_better;

/* A metric that results can have. */
typedef struct fc_metric_info {
    const char *name;    /* "latency" */
    const char *unit;    /* "" if it has none */
    const char *meaning; /* a line */
    fc_better better;
    bool time;               /* a time of messages: not known where the network is saturated */
    double percentile;       /* share of the messages that do not exceed it; 0: not a percentile */
    const char *packet_unit; /* in multistage networks, which count packets; NULL: unit */
    bool count;       /* what the network is built of: the same by every method and at every load */
    const char *axis; /* what an axis of a picture is called; NULL: the name */
} fc_metric_info;
FC_API size_t fc_metric_count(void);
FC_API const fc_metric_info *fc_metric_at(size_t index);

enum { FC_NAME_SIZE = 48, FC_LABEL_WORDS = 3 };

typedef struct fc_metric {
    char name[FC_NAME_SIZE];
    char unit[24];
    double value;
    double half_width;   /* of the 95 % interval; NaN where there is none (models) */
    double uncalibrated; /* what the model alone says; NaN where the value was not calibrated */
    fc_bound bound;      /* of a count */
} fc_metric;

/* The same of a metric: the load of a single class of messages is not known in GB/s, for its
 * messages have lengths of their own. */
FC_API bool fc_metric_physical(const fc_units *units, const fc_metric *metric,
                               fc_physical *physical);

/* A table of details: one row per node, channel or queue. */
typedef struct fc_table {
    char name[FC_NAME_SIZE]; /* "nodes", "channels" */
    size_t columns, rows;
    char (*column_names)[FC_NAME_SIZE];
    char (*row_labels)[FC_NAME_SIZE]; /* "(2, 3)", "global ring" */
    double *values;                   /* rows x columns, row by row */
    /* What the words of a label are, for example "core", "processor", "network"; empty: one name */
    char label_words[FC_LABEL_WORDS][FC_NAME_SIZE];
} fc_table;

typedef struct fc_run_info {
    uint64_t iterations;  /* models: of the fixed point */
    double residual;      /* models: at the last iterate */
    double seconds;       /* elapsed */
    double cpu_seconds;   /* all threads */
    double cycles;        /* simulated, all replications, warm-up included */
    double warmup_cycles; /* discarded, per replication */
    double cycles_saved;  /* cycles without control variates, over cycles with them; 0: none used */
    uint64_t events;      /* the simulator's unit of work */
    uint32_t replications;
    uint64_t seed;
    char engine[12];         /* simulators: "events", "lanes", "gpu" */
    char engine_reason[120]; /* why not a faster one; may be empty */
    bool engine_asked;       /* the scenario asks for an engine by name */
} fc_run_info;

/* A chain of messages of a workload: each was sent because the one before it had arrived. */
typedef struct fc_chain {
    uint64_t messages; /* 0: not known */
    double cycles;     /* from its beginning to its end; the sum of the next three */
    double alone;      /* latency of its messages in an empty network; NaN: not known */
    double waiting;    /* what other messages add to that */
    double computing;  /* between an arrival and the next message, and at the end */
    char path[128];    /* its ranks: "0 to 1, 1 to 2, ..., 6 to 7" */
} fc_chain;

/* What decides the duration of a workload. */
typedef struct fc_critical {
    char phase[FC_NAME_SIZE]; /* the phase in which a rank spends most time; empty: not known */
    double phase_share;       /* of the duration */
    char link[FC_NAME_SIZE];  /* the link that carries most flits; empty: not known */
    double link_utilisation;
    fc_chain chain; /* the chain that ends with the last arrival of the run */
    fc_chain alone; /* the longest chain if no message met another */
} fc_critical;

enum { FC_DELIVERIES_MOST = 10000000 };
/* A message of a simulation. In cycles of its replication, the warm-up included. */
typedef struct fc_delivered_message {
    uint64_t generated;
    uint64_t started;   /* its header has left the source: generated + the wait there */
    uint64_t delivered; /* generated + its latency */
    uint32_t source, destination;
    uint32_t class_number; /* of traffic.classes, from 0; 0 without them */
    uint32_t flits;
} fc_delivered_message;

typedef struct fc_result {
    fc_method_kind kind;
    char method[FC_NAME_SIZE];
    unsigned revision; /* of the method */
    char version[24];  /* of the Flitcast that made it */
    fc_outcome outcome;
    char note[256]; /* a sentence: why it saturated, what was not reached; may be empty */
    char scenario_name[128];
    char scenario_hash[17];
    char main_metric[FC_NAME_SIZE]; /* of the scenario */
    fc_metric *metrics;
    size_t metric_count;
    char parts_of[FC_NAME_SIZE]; /* the metric that the parts add up to */
    fc_metric *parts;
    size_t part_count;
    fc_table *tables;
    size_t table_count;
    fc_critical critical; /* of workloads */
    fc_run_info run;
    unsigned flags; /* of a forecast: fc_flag, together */
    fc_accuracy
        accuracy; /* of a model that has no correction: the measured errors of the main metric */
    unsigned calibrated; /* simulated networks behind the correction; 0: the model alone */
    /* of a forecast: holds the simulated main metric with a probability of 90 %; 0: not known; high
     * may be infinite */
    double value_low, value_high;
    double time_low, time_high; /* the same of network_time */
    double hot_low, hot_high;   /* of response_time_hot */
    double cold_low, cold_high; /* of response_time_cold */
    fc_units units;             /* of the scenario */
    /* of a simulation, if asked for (fc_keep): every message that was measured, replication after
     * replication, in the order of delivery; NULL: none. If there are more than
     * FC_DELIVERIES_MOST, shared evenly by the replications, they are only counted. */
    fc_delivered_message *deliveries;
    size_t delivery_count;
    bool packets;    /* while it is filled: metrics count packets, not messages */
    bool incomplete; /* an allocation failed while it was filled; never true in a returned result */
} fc_result;

/* NULL if the result has no such metric. */
FC_API const fc_metric *fc_result_metric(const fc_result *result, const char *name);
/* The range that holds the simulated main metric with a probability of 90 %; high may be infinite.
 * False: not known. */
FC_API bool fc_result_interval(const fc_result *result, double *low, double *high);
FC_API const fc_table *fc_result_table(const fc_result *result, const char *name);
FC_API void fc_result_free(fc_result *result);
/* Flags of a forecast; a result may have several. */
typedef enum fc_flag {
    FC_FLAG_EXTRAPOLATED = 1,     /* outside of what was simulated for the fit */
    FC_FLAG_WIDE = 2,             /* the interval reaches over 15 %, or as the note says */
    FC_FLAG_ABOVE_SATURATION = 4, /* the load is above the saturation load */
    FC_FLAG_NOT_CONVERGED = 8,    /* the model found no solution */
    FC_FLAG_NOT_VALIDATED = 16,   /* nothing like it was compared with a simulation */
    FC_FLAGS = 5
} fc_flag;
/* "extrapolated"; NULL: no flag. */
FC_API const char *fc_flag_name(unsigned flag);
/* ---- running a method ---- */

/* Called from one thread at a time, a few times a second at most. done is in 0..1. */
typedef void (*fc_progress_function)(void *context, double done, const char *what);

/* What a simulation keeps of single messages, in addition to the metrics of all. Of a saturated
 * network it keeps nothing: its latencies have no distribution. */
typedef struct fc_keep {
    bool histogram; /* table "histogram": each latency that was seen, in how many messages */
    /* table "pairs": messages, mean and largest latency of each source and destination; of networks
     * of routers, and of wormhole tori with open traffic, up to 256 nodes; not by a GPU */
    bool pairs;
    bool deliveries; /* every message: fc_result.deliveries; fails where messages are not seen */
} fc_keep;

typedef struct fc_run_settings {
    unsigned threads;              /* 0: one per core */
    fc_progress_function progress; /* may be NULL */
    void *progress_context;
    const volatile int *cancel; /* may be NULL; nonzero stops the run at the next safe point */
    struct fc_lane_pool *lanes; /* NULL; the library's own, for points that it simulates together */
    const fc_keep *keep;        /* may be NULL: nothing; of fc_simulate alone */
    /* A simulation ends soon after this many of its units of work (flits over links), whatever its
     * precision; 0: no limit. Unlike a limit of seconds it gives the same digits everywhere. */
    double work_most;
    /* A comparison: also the variants, other readings of papers, such as their equations exactly as
     * printed. */
    bool variants;
} fc_run_settings;

FC_API fc_run_settings fc_run_settings_default(void);

/* In place of a model's name: the model that would be chosen, without its calibration. */
#define FC_UNCALIBRATED "uncalibrated"

/* A forecast of a network: made once from a scenario, then a curve over the load. model NULL: the
 * first model that covers the scenario, corrected with simulations of similar networks
 * (docs/theory/forecast.md); FC_UNCALIBRATED: the same without the correction. A model asked for by
 * name is not corrected. The scenario must outlive it; one thread at a time. */
typedef struct fc_forecast fc_forecast;
FC_API fc_status fc_forecast_create(const fc_scenario *scenario, const char *model, fc_error *error,
                                    fc_forecast **forecast);
FC_API void fc_forecast_free(fc_forecast *forecast);
FC_API const char *fc_forecast_method(const fc_forecast *forecast); /* the name of its model */

typedef struct fc_load_range {
    double load, low, high; /* high and low: 90 %; equal: the model alone knows no interval */
} fc_load_range;
/* The load (value of fc_scenario_load_key) at which the network saturates; infinity: it never does;
 * NaN: closed traffic, which cannot. */
FC_API fc_status fc_forecast_saturation(fc_forecast *forecast, fc_error *error,
                                        fc_load_range *saturation);
/* load: value of the load key, of closed traffic of traffic.think_time; not negative. */
FC_API fc_status fc_forecast_at(fc_forecast *forecast, double load, fc_error *error,
                                fc_result **result);

/* The numbers alone, without parts and tables: microseconds for each load where the correction
 * applies. NaN: not known. */
typedef struct fc_forecast_point {
    fc_outcome outcome;
    double value, low, high; /* the main metric of the scenario, and its 90 % interval */
    double p50, p95, p99;    /* of the latency */
    double throughput;
} fc_forecast_point;
FC_API fc_status fc_forecast_points(fc_forecast *forecast, const double *loads, size_t count,
                                    fc_error *error, fc_forecast_point *points);

/* fc_forecast_create and fc_forecast_at, at the load of the scenario. */
FC_API fc_status fc_predict(const fc_scenario *scenario, const char *model, fc_error *error,
                            fc_result **result);
/* Adds the table "pairs" to the result of a model: latency and what it is made of for each pair of
 * nodes that exchanges messages (router-queueing). FC_OK without a table for other methods, if the
 * network is saturated, and, with a note, if there are more than 65,536 pairs. Solves the model
 * once more, so call it only where the table is wanted. scenario: that of the result. */
FC_API fc_status fc_result_add_pairs(fc_result *result, const fc_scenario *scenario,
                                     fc_error *error);
/* If cancelled: FC_OK with what was measured so far, or FC_ERROR_CANCELLED if nothing was. */
FC_API fc_status fc_simulate(const fc_scenario *scenario, const fc_run_settings *settings,
                             fc_error *error, fc_result **result);

/* ---- output ---- */

/* A call that has nothing of a format returns FC_ERROR_ARGUMENT. */
typedef enum fc_format {
    FC_FORMAT_TEXT, /* for people; pictures: for a terminal */
    FC_FORMAT_JSON,
    FC_FORMAT_CSV,
    FC_FORMAT_HTML,   /* one self-contained page with pictures; readable on a phone and in print */
    FC_FORMAT_SVG,    /* pictures; readable in print and on a dark page */
    FC_FORMAT_GNUPLOT /* plots: a script with its data inline */
} fc_format;

typedef struct fc_write_settings {
    fc_format format;
    bool detail;         /* the tables of a result too */
    bool colour;         /* ANSI colours, for terminals */
    unsigned width;      /* columns of the terminal; 0: 80 */
    const char *columns; /* of a sweep's table: metrics, "latency,latency_p99"; NULL: all of them */
    const struct fc_plot *plot; /* of a page: another picture at its end; may be NULL */
} fc_write_settings;

FC_API fc_write_settings fc_write_settings_default(void);

/* One result as a table, as the JSON object of the manual, or as CSV with a header line. */
FC_API fc_status fc_result_write(const fc_result *result, const fc_write_settings *settings,
                                 FILE *stream);

/* A part of a result alone, or another view of it:
 *   "report"       a page with the network, what changes over time, all tables and the scenario
 *   "booksim"      the summary that BookSim prints after a run, for scripts that read it; values
 * that Flitcast does not measure are left out, or nan in its line of all results "deliveries"   a
 * line of CSV for each message the name of a table: as CSV; "windows" (use of the links) and
 * "progress" (share of its data that each rank has) also as a map over time, in text or SVG
 * scenario: that of the result. FC_ERROR_ARGUMENT: the result has no such part. */
FC_API fc_status fc_result_write_part(const fc_result *result, const fc_scenario *scenario,
                                      const char *part, const fc_write_settings *settings,
                                      FILE *stream);

/* A result from the JSON object that fc_result_write made of it, with its tables if they were
 * written (detail), and without its deliveries and the chains of fc_critical. */
FC_API fc_status fc_result_read(const char *text, fc_error *error, fc_result **result);

/* A plot: series over common axes. */
typedef struct fc_plot fc_plot;

typedef enum fc_series_style {
    FC_STYLE_LINE,
    FC_STYLE_POINTS,
    FC_STYLE_LINE_POINTS,
    FC_STYLE_BAND /* a line; the half widths are a band around it */
} fc_series_style;

typedef struct fc_series {
    const char *label; /* empty: no entry in the legend */
    fc_series_style style;
    const double *x, *y;       /* y values that are not finite are gaps */
    const double *half_widths; /* of error bars; NULL: none */
    size_t count;
    size_t colour; /* series with the same number have the same colour; 0: one of its own */
} fc_series;

/* What can be set of a plot, at any time. */
typedef struct fc_plot_look {
    bool log_x, log_y;
    bool x_bytes;         /* x counts bytes: ticks are powers of two, in KiB, MiB, GiB */
    double y_limit;       /* larger values, such as a latency near saturation, are cut off at the
                             frame; NaN: no limit */
    double y_max;         /* the y axis ends there, whatever the data are; NaN: by the data */
    double width, height; /* of the SVG picture, in pixels, with title, labels and legend; 0: by
                             what it holds */
} fc_plot_look;

FC_API fc_plot *fc_plot_create(const char *title, const char *x_label, const char *y_label);
FC_API fc_plot_look *fc_plot_look_of(fc_plot *plot);
/* Arrays are copied. */
FC_API fc_status fc_plot_add_series(fc_plot *plot, const fc_series *series);
/* A dashed vertical line, for example the saturation load. A marker with an empty label has no
 * entry in the legend. */
FC_API fc_status fc_plot_add_marker(fc_plot *plot, const char *label, double x);
/* As SVG, as text for a terminal, or for gnuplot. */
FC_API fc_status fc_plot_write(const fc_plot *plot, const fc_write_settings *settings,
                               FILE *stream);
FC_API void fc_plot_free(fc_plot *plot);

/* A report: paragraphs, tables, pictures and checked claims in order. Adders remember a failed
 * allocation; fc_report_write says so. */
typedef struct fc_report fc_report;

typedef enum fc_cell_kind {
    FC_CELL_EMPTY,
    FC_CELL_TEXT,
    FC_CELL_NUMBER,
    FC_CELL_INTERVAL, /* value and half width: 36.8 +- 0.2 */
    FC_CELL_COMPARED, /* a predicted value and its relative error: 36.8 (+0.5 %) */
    FC_CELL_PERCENT   /* 0.0123 shows as +1.2 % */
} fc_cell_kind;

typedef struct fc_cell {
    fc_cell_kind kind;
    const char *text;
    double value;      /* NaN: an empty cell */
    double half_width; /* NaN: not known */
    double relative;   /* NaN: not known */
    int digits;        /* of a number in text; JSON and CSV carry the full value */
} fc_cell;

FC_API fc_report *fc_report_create(const char *title);
FC_API void fc_report_free(fc_report *report);
FC_API void fc_report_add_heading(fc_report *report, const char *text);
FC_API void fc_report_add_text(fc_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Starts a table; a column's name holds its unit. */
FC_API void fc_report_add_table(fc_report *report, const char *title,
                                const char *const *column_names, size_t columns);
/* A row of the table just started, which may be shorter than its header. */
FC_API void fc_report_add_row(fc_report *report, const fc_cell *cells, size_t count);

/* As text, JSON, CSV or a page. */
FC_API fc_status fc_report_write(const fc_report *report, const fc_write_settings *settings,
                                 FILE *stream);
/* Its plots, then its maps; FC_ERROR_ARGUMENT for one that it does not have. */
FC_API size_t fc_report_picture_count(const fc_report *report);
FC_API fc_status fc_report_write_picture(const fc_report *report, size_t index,
                                         const fc_write_settings *settings, FILE *stream);
/* A scenario that was run, as a file that runs it again; NULL: there are no more. */
FC_API const char *fc_report_scenario(const fc_report *report, size_t index);
/* How many statements of a paper were checked, and how many of them do not hold. */
FC_API size_t fc_report_claims(const fc_report *report, size_t *failed);

/* ---- studies ---- */

/* Every model that covers the scenario, and the simulation; variants, where the settings ask. */
typedef struct fc_prediction_error {
    const char *model;  /* points into the results */
    const char *metric; /* points into the results */
    double relative;    /* (model - simulation) / simulation */
    double uncertainty; /* of relative, from the simulation's interval: half width / simulation */
} fc_prediction_error;

typedef struct fc_comparison {
    fc_result **results; /* models, the default one first; then the simulation */
    size_t result_count;
    fc_prediction_error *errors;
    size_t error_count;
    char *scenario;  /* as a file */
    char note[256];  /* why there is no model to compare with; empty if there is one */
    char equal[320]; /* what was done so that several networks cost the same; may be empty */
} fc_comparison;

FC_API fc_status fc_compare(const fc_scenario *scenario, const fc_run_settings *settings,
                            fc_error *error, fc_comparison **comparison);
/* One as its own object of JSON; several as {"networks": [...]}, or a table with a row for each. */
FC_API fc_status fc_comparison_write(const fc_comparison *const *comparisons, size_t count,
                                     const fc_write_settings *settings, FILE *stream);
FC_API void fc_comparison_free(fc_comparison *comparison);

/* Networks of routers at equal cost: with the same bisection, the same number of wires between
 * routers, or of pins of a router, the flits of each network are as wide as that allows. Its
 * messages keep their bytes, and have more or fewer whole flits; buffers keep their flits. The
 * first network stays as it is. */
typedef enum fc_equality { FC_EQUAL_BISECTION, FC_EQUAL_WIRES, FC_EQUAL_PINS } fc_equality;
enum { FC_EQUALIZED_MOST = 64 };
typedef struct fc_equalized {
    double amount;              /* flits per cycle, cables, or ports of a router, before */
    double width;               /* of its flits, over those of the first network */
    double flit_bytes;          /* 0: not given */
    double flits_before, flits; /* mean of a message */
    char text[320];             /* a sentence */
} fc_equalized;
/* "bisection", "wires", "pins"; NULL-terminated. */
FC_API const char *const *fc_equality_names(void);
/* made, how: count each; the scenarios are new. After a failure there are none. */
FC_API fc_status fc_equalize(const fc_scenario *const *scenarios, size_t count, fc_equality equal,
                             fc_error *error, fc_scenario **made, fc_equalized *how);

/* One key and the values it takes, as YAML texts. */
typedef struct fc_axis {
    char key[128];
    char label[160]; /* what messages call it, for example "--vary traffic.rate"; empty: the key */
    char **values;
    size_t count;
} fc_axis;

/* "KEY=a:b:step", "KEY=a:b:*factor" or "KEY=a,b,c" (commas inside brackets do not separate). */
FC_API fc_status fc_axis_parse(const char *text, fc_error *error, fc_axis *axis);
FC_API void fc_axis_clear(fc_axis *axis);

/* Workers that evaluate the points of a sweep, for example processes on other machines. A job is
 * point * methods + method. The sweep hands a job to any free worker, so that a slow point does not
 * delay the others, and takes results back in any order. */
typedef struct fc_crew {
    size_t size; /* jobs that can be under way at once */
    void *context;
    fc_status (*hand_out)(void *context, size_t job, fc_error *error);
    /* Waits for a job to finish; gives the result and returns the status that the worker got from
     * fc_sweep_evaluate. */
    fc_status (*take_back)(void *context, fc_error *error, size_t *job, fc_result **result);
} fc_crew;

typedef struct fc_sweep_settings {
    const fc_axis *axes;
    size_t axis_count;
    const char *const *models; /* names; NULL: the default model of each point */
    size_t model_count;
    bool no_model; /* simulate only */
    bool simulate;
    const char *store; /* an SQLite file to keep results in and to resume from; may be NULL */
    size_t shard, shard_count; /* this run does points with index % shard_count == shard; 0: all */
    const fc_crew *crew;       /* workers that evaluate the points; NULL: this process */
    bool lines; /* for a plot over the load: evaluate the models at many more loads in between */
} fc_sweep_settings;

/* Why a point has no result of a method. */
typedef struct fc_gap {
    fc_status status; /* FC_ERROR_INPUT: not a valid scenario; FC_ERROR_UNSUPPORTED: not covered */
    char *reason;     /* a sentence; NULL: there is a result, or it was not tried */
} fc_gap;

/* A model at many loads up to its saturation load, for one value of each other key. */
typedef struct fc_sweep_line {
    size_t point, method; /* of the sweep: the first point of the row */
    size_t count;
    double *loads;
    fc_result **results; /* NULL where it has no answer */
    double saturation;   /* infinity: never; NaN: not known */
} fc_sweep_line;

/* The grid of all axes; the values of the last axis change fastest. results[point * method_count +
 * method] is NULL where gaps[] with the same index says why, where the point belongs to another
 * shard, or where the run was cancelled before it. */
typedef struct fc_sweep {
    fc_axis *axes;
    size_t axis_count;
    size_t point_count;
    char (*methods)[FC_NAME_SIZE]; /* "model" for the default model, a name, or "simulation" */
    size_t method_count;
    fc_result **results;
    fc_gap *gaps;
    char scenario_name[128];
    char scenario_hash[17]; /* of the base */
    char *scenario;         /* the base, as a file */
    char main_metric[FC_NAME_SIZE];
    char load_key[128];   /* of the base; empty: closed traffic */
    double saturation;    /* value of load_key at which the first model saturates, if load_key is
                             the only varied key; NaN otherwise */
    fc_sweep_line *lines; /* if asked for; only for the first rows where there are many */
    size_t line_count;
    size_t unchecked; /* results from rows of a store that have no checksum */
} fc_sweep;

FC_API fc_status fc_sweep_run(const fc_scenario *base, const fc_sweep_settings *sweep,
                              const fc_run_settings *settings, fc_error *error, fc_sweep **result);
/* Evaluates one job of a sweep; for the workers of a crew. store, shard and crew are ignored. */
FC_API fc_status fc_sweep_evaluate(const fc_scenario *base, const fc_sweep_settings *sweep,
                                   size_t job, const fc_run_settings *settings, fc_error *error,
                                   fc_result **result);
/* One row per point and method. */
FC_API fc_status fc_sweep_write(const fc_sweep *sweep, const fc_write_settings *settings,
                                FILE *stream);
/* A metric over the load, if it is varied, else over the key with the most numbers; one series per
 * method and combination of the other keys. */
FC_API fc_status fc_sweep_plot(const fc_sweep *sweep, const char *metric, fc_error *error,
                               fc_plot **plot);
FC_API void fc_sweep_free(fc_sweep *sweep);

/* A row of a result store. */
typedef struct fc_stored {
    fc_result *result; /* without its tables */
    char *settings;    /* the point's settings as a JSON object */
    uint64_t seed;     /* 0 for models */
    char version[24];  /* of Flitcast that made it */
    bool unchecked;    /* stored by a version that made no checksums: a change would not be seen */
} fc_stored;

FC_API fc_status fc_store_read(const char *path, fc_error *error, fc_stored **rows, size_t *count);
FC_API void fc_stored_free(fc_stored *rows, size_t count);
/* Adds those rows of other stores that `into` does not have yet. */
FC_API fc_status fc_store_merge(const char *into, const char *const *from, size_t count,
                                fc_error *error, size_t *added);

/* Searches for the best configuration. The model evaluates the whole grid; the best points are
 * simulated with common random numbers until the winner is significantly better than the rest, or
 * the difference no longer matters. If the objective needs a simulation (a metric that the model
 * does not have, a network without a model), points are simulated without being asked for: the 16
 * best by the model, or all points that no model covers, of which there may be at most 64. */
typedef struct fc_optimize_settings {
    const fc_axis *axes;
    size_t axis_count;
    /* Keys computed from the others: {"network.rings.1", "500 / network.rings.0"}. */
    const fc_setting *derived;
    size_t derived_count;
    const char *objective; /* a metric or an expression of metrics and keys */
    bool maximize;
    const char *second; /* a second objective for the Pareto front, or NULL */
    bool second_maximize;
    const char *const *constraints; /* expressions such as "throughput >= 0.5" */
    size_t constraint_count;
    const char *model;   /* NULL: the default model of each point */
    size_t candidates;   /* how many to list; 0: 10 */
    size_t simulate;     /* how many of the best to simulate; 0: none */
    double indifference; /* relative difference of the objective that does not matter; 0: 0.005 */
} fc_optimize_settings;

typedef struct fc_candidate {
    fc_setting *settings;         /* what the axes and derived keys were set to */
    double objective, second;     /* by model; NaN: only a simulation has it, or no model covers it;
                                     second is NaN without a second objective too */
    double simulated, half_width; /* of the objective; NaN if not simulated */
    bool survivor;                /* simulated and not significantly worse than the best */
    bool open;     /* only a simulation can judge it: no model covers it, or the objective or a
                      constraint names a metric that models do not have */
    bool feasible; /* false: simulated, and a constraint is not met */
    double second_simulated; /* NaN if not simulated, and without a second objective */
} fc_candidate;

typedef struct fc_optimum {
    fc_candidate *candidates; /* best first, by the model */
    size_t candidate_count;
    size_t setting_count; /* of each candidate */
    /* The Pareto front by the model, by growing objective; without second: none. Where candidates
     * were simulated, its points were too, and those are left that no other dominates. */
    fc_candidate *front;
    size_t front_count;
    size_t front_dropped; /* simulated: saturated, against a constraint, or dominated */
    double evaluated;     /* all points of the grid */
    double invalid;       /* of those: not a valid scenario, or not covered by any method */
    double infeasible;    /* of those: saturated, or a constraint is not met */
    double unmodelled;    /* of those: covered by no model, so simulated */
    bool by_simulation;   /* some candidates were judged by simulation: those are sorted by it */
    size_t winner;     /* index of the candidate with the best simulated objective; or of the best
                          by model if nothing was simulated */
    size_t survivors;  /* simulated candidates that are not significantly worse than the winner */
    double confidence; /* that the winner is the best simulated one or within the indifference */
    /* model and simulation rank the simulated candidates in the same order, except near-ties */
    bool orders_agree;
    bool unconfirmed; /* no simulator covers the winner: the model alone judged the constraints */
    char objective_name[128], second_name[128];
    bool maximize;
    char scenario_name[128];
    char scenario_hash[17]; /* of the base */
    char *scenario;         /* the base, as a file */
} fc_optimum;

FC_API fc_status fc_optimize(const fc_scenario *base, const fc_optimize_settings *optimize,
                             const fc_run_settings *settings, fc_error *error,
                             fc_optimum **optimum);
FC_API fc_status fc_optimum_write(const fc_optimum *optimum, const fc_write_settings *settings,
                                  FILE *stream);
FC_API void fc_optimum_free(fc_optimum *optimum);

/* The load at which the network saturates: by a forecast with its 90 % interval (low = high = load:
 * a model alone knows none), by simulation a bracket. */
typedef struct fc_saturation {
    char method[FC_NAME_SIZE];
    fc_method_kind kind;
    double load, low, high; /* infinity: it never saturates */
    bool calibrated;        /* a forecast with its correction */
} fc_saturation;

typedef struct fc_saturation_settings {
    const char *model; /* NULL: the forecast, then the other models that cover the scenario, alone;
                          FC_UNCALIBRATED: every model alone */
    bool simulate;
    double precision; /* relative width of the simulated bracket; 0: 0.02 */
} fc_saturation_settings;

/* saturations: ends with an entry without a method. */
FC_API fc_status fc_saturate(const fc_scenario *scenario, const fc_saturation_settings *saturate,
                             const fc_run_settings *settings, fc_error *error,
                             fc_saturation **saturations);
/* Of several scenarios, side by side where that is faster; each result equals that of a separate
 * call. After a failure there are none. */
FC_API fc_status fc_saturate_all(const fc_scenario *const *scenarios, size_t count,
                                 const fc_saturation_settings *saturate,
                                 const fc_run_settings *settings, fc_error *error,
                                 fc_saturation **saturations);
/* Those of several scenarios in one object of JSON, {"networks": [...]}, or as tables one after the
 * other. */
FC_API fc_status fc_saturation_write(const fc_scenario *const *scenarios,
                                     const fc_saturation *const *saturations, size_t count,
                                     const fc_write_settings *settings, FILE *stream);
FC_API void fc_saturation_free(fc_saturation *saturations);

/* The permutation of destinations that loads a network of routers most, for oblivious routing
 * (Towles and Dally 2002): no traffic in which every node sends and receives as much saturates it
 * sooner. */
typedef struct fc_worst_traffic {
    size_t nodes;
    uint32_t *destinations;  /* of each node; UINT32_MAX: it sends nothing */
    char link[FC_NAME_SIZE]; /* the link it loads most; empty: there is none between routers */
    double link_flits;       /* flits per cycle on that link at traffic.rate = 1 */
    double node_flits;       /* on the link of a node into the network */
    double rate;             /* traffic.rate at which the busier of the two is full */
    size_t matchings;        /* links that had to be looked at */
} fc_worst_traffic;

FC_API fc_status fc_worst_traffic_find(const fc_scenario *scenario, fc_error *error,
                                       fc_worst_traffic **worst);
FC_API fc_status fc_worst_traffic_write(const fc_scenario *scenario, const fc_worst_traffic *worst,
                                        const fc_write_settings *settings, FILE *stream);
/* As a file for traffic.destinations: {matrix: FILE.csv}. */
FC_API fc_status fc_worst_traffic_write_matrix(const fc_worst_traffic *worst, FILE *stream);
FC_API void fc_worst_traffic_free(fc_worst_traffic *worst);

/* Latency and accepted load over the offered load, from zero to saturation; in closed networks the
 * efficiency over the think time. The model and the zero-load latency give the shape; a few
 * simulations, at loads chosen one after the other, correct it. Every load then has a value and a
 * 95 % band. docs/guide/curve.md explains the method. */
struct fc_curve;
typedef struct fc_curve_settings {
    const char *model; /* NULL: the forecast */
    bool no_model;     /* the shape without a model */
    double precision;  /* half width of the band over the value; 0: 0.02 */
    const double *at;  /* loads that must be among the points */
    size_t at_count;
    const char *store; /* an SQLite file to keep simulations in and to resume from; may be NULL */
    bool capacity;     /* find the capacity of the network too */
    /* Called after each simulation with the curve as known so far; may be NULL. */
    void (*update)(void *context, const struct fc_curve *curve);
    void *update_context;
} fc_curve_settings;

typedef struct fc_curve_value {
    double value, half_width; /* 95 %; NaN: not known */
} fc_curve_value;

enum { FC_CURVE_METRICS = 5 };

typedef struct fc_curve_point {
    double load;
    fc_outcome outcome; /* saturated: only the throughput is known */
    bool simulated;
    bool asked;    /* for by fc_curve_settings.at */
    bool reliable; /* false: above the last load that the simulations support; the band is wide */
    double model;  /* the main metric as predicted without simulations; NaN: no answer */
    fc_curve_value values[FC_CURVE_METRICS];   /* in the order of the curve's metrics */
    fc_curve_value measured[FC_CURVE_METRICS]; /* by the simulation of this load alone */
} fc_curve_point;

typedef struct fc_curve {
    char scenario_name[128];
    char scenario_hash[17];
    char *scenario;                               /* as a file */
    char key[128];                                /* the key of the load: "traffic.rate" */
    char model[FC_NAME_SIZE];                     /* the model that gave the shape; empty: none */
    char predicted_by[FC_NAME_SIZE];              /* the model of points[].model; empty: none */
    char metrics[FC_CURVE_METRICS][FC_NAME_SIZE]; /* the main metric first */
    char units[FC_CURVE_METRICS][24];
    size_t metric_count;
    fc_units physical;  /* what the units are in ns and GB/s: see fc_physical_of */
    char load_unit[24]; /* of points[].load; closed traffic: "cycles" */
    double capacity; /* load at which the busiest link is full with uniform traffic; NaN: unknown */
    double zero_load;             /* the latency at vanishing load; NaN for closed traffic */
    double saturation, low, high; /* load and its bracket; infinity: it never saturates (low: the
                                     largest load accepted); NaN: closed traffic */
    double reliable;              /* the last load that the simulations support */
    double precision;             /* asked for */
    fc_curve_point *points;       /* by growing load */
    size_t point_count;
    size_t simulations; /* of points */
    size_t probes;      /* short simulations that searched for the saturation load */
    double cycles;      /* simulated by all of these, all replications, warm-up included */
    double seconds, cpu_seconds;
    char note[256]; /* a sentence: why the model was not used, what was not reached; may be empty */
} fc_curve;

/* If cancelled: FC_OK with a wider band and a note, or FC_ERROR_CANCELLED if too little is known.
 */
FC_API fc_status fc_curve_run(const fc_scenario *scenario, const fc_curve_settings *curve,
                              const fc_run_settings *settings, fc_error *error, fc_curve **result);
/* Curves of several scenarios, at the same time where that is faster; each equals that of a
 * separate call. Without `update` if there are two or more. After a failure there are none. */
FC_API fc_status fc_curve_run_all(const fc_scenario *const *scenarios, size_t count,
                                  const fc_curve_settings *curve, const fc_run_settings *settings,
                                  fc_error *error, fc_curve **curves);
/* One curve is one JSON object; several are {"curves": [...]}. */
FC_API fc_status fc_curve_write(const fc_curve *const *curves, size_t count,
                                const fc_write_settings *settings, FILE *stream);
/* What a picture of curves shows, and how. All zero: the usual. */
typedef enum fc_load_axis {
    FC_LOAD_USUAL,    /* GB/s where clock and flits are known, else messages */
    FC_LOAD_MESSAGES, /* messages per node and cycle */
    FC_LOAD_FLITS,    /* flits per node and cycle */
    FC_LOAD_CAPACITY  /* share of the load that fills the busiest link with uniform traffic */
} fc_load_axis;
typedef struct fc_curve_view {
    const char *metric; /* NULL: the main one */
    fc_load_axis axis;
    const char *title;         /* NULL: the name of the only scenario */
    const char *const *labels; /* of the curves; NULL: their scenarios' names */
    double width, height;      /* pixels; 0: by what the picture holds */
    double y_max;              /* 0: by the curves */
    size_t panels;             /* curve c is in panel c % panels; 0: there are none */
    const char *const *panel_titles;
} fc_curve_view;
/* One curve, or several over the same key in one picture; view NULL: the usual. */
FC_API fc_status fc_curve_plot(const fc_curve *const *curves, size_t count,
                               const fc_curve_view *view, fc_error *error, fc_plot **plot);
FC_API void fc_curve_free(fc_curve *curve);

/* Where the time goes, what is busiest, how far from saturation, and what would help. */
typedef struct fc_explain_settings {
    const char *model; /* NULL: the most accurate one that covers the scenario */
    bool simulate;     /* the parts and the channels by simulation, the rest by the model; and the
                          change that raises the saturation load most is simulated, too */
} fc_explain_settings;

/* A channel, queue or node port and the share of the time it is used. */
typedef struct fc_resource {
    char name[2 * FC_NAME_SIZE];
    double utilisation;
    double wait; /* mean cycles to get it; NaN: not known */
} fc_resource;

/* The result of the scenario with one value changed. */
typedef struct fc_step {
    char value[96];  /* as YAML; empty: there is no such step */
    double metric;   /* NaN: not known there */
    double relative; /* metric / present metric - 1 */
    fc_outcome outcome;
    double saturation; /* load at which it saturates then; NaN: not known */
} fc_step;

typedef enum fc_lever_kind {
    FC_LEVER_NETWORK, /* a parameter of the network that keeps its number of nodes */
    FC_LEVER_SHAPE,   /* another arrangement of the same number of nodes */
    FC_LEVER_SIZE,    /* changes the number of nodes */
    FC_LEVER_TRAFFIC  /* a parameter of the traffic */
} fc_lever_kind;
FC_API const char *fc_lever_kind_name(fc_lever_kind kind);

typedef struct fc_lever {
    char key[128];
    char value[96]; /* now, as YAML */
    fc_lever_kind kind;
    bool choice;       /* not a number: `up` is another choice */
    double elasticity; /* d log metric / d log value, by central differences; NaN: not known */
    /* 5 % (simulated: 10 %) for real numbers, the next valid value for whole ones */
    fc_step down, up;
    double gain; /* relative improvement by the better step; below 0: both are worse */
    bool upward; /* the better step is up */
} fc_lever;

/* The network as it is and with one change, simulated at a load between the saturation loads that
 * are forecast for the two. */
typedef struct fc_tried {
    fc_outcome outcome;
    double latency, throughput; /* NaN: none */
} fc_tried;
typedef struct fc_check {
    double load; /* NaN: nothing was simulated */
    fc_tried present, changed;
} fc_check;

/* A lever that raises the saturation load, by one of its steps. */
typedef struct fc_carrier {
    size_t lever;
    bool upward;
} fc_carrier;

typedef struct fc_explanation {
    fc_result *result;         /* parts and tables */
    char model[FC_NAME_SIZE];  /* the model behind levers and saturation; empty: none covers the
                                  scenario, so levers are simulated and saturation is not known */
    char metric[FC_NAME_SIZE]; /* the metric that levers improve: the main metric, or the throughput
                                  of a saturated network */
    bool larger_is_better;
    double present;     /* the metric by the model */
    double noise;       /* smaller relative changes are not significant (95 %); models: 0 */
    char load_key[128]; /* empty: closed traffic */
    double load;        /* the present value of load_key; NaN for closed traffic */
    /* values of load_key at which the forecast saturates, and its 90 % interval; infinity: never;
     * NaN: closed traffic, or not known */
    double saturation, saturation_low, saturation_high;
    fc_resource *busiest; /* the busiest first, at most 8 */
    size_t busiest_count;
    size_t resource_count; /* how many there are in all */
    fc_lever *levers;      /* the most helpful first */
    size_t lever_count;
    char *scenario; /* as a file */
    /* the changes of the network that raise its saturation load, the most helpful first */
    fc_carrier carriers[8];
    size_t carrier_count;
    fc_check check; /* of the first of them */
} fc_explanation;

FC_API fc_status fc_explain(const fc_scenario *scenario, const fc_explain_settings *explain,
                            const fc_run_settings *settings, fc_error *error,
                            fc_explanation **explanation);
FC_API fc_status fc_explanation_write(const fc_explanation *explanation,
                                      const fc_write_settings *settings, FILE *stream);
FC_API void fc_explanation_free(fc_explanation *explanation);

/* The network as an SVG picture. Links are coloured by the share of time they are in use, where the
 * result (may be NULL) has a table of channels with a row for each link. FC_ERROR_UNSUPPORTED for
 * networks too large to draw. */
FC_API fc_status fc_scenario_draw(const fc_scenario *scenario, const fc_result *result,
                                  fc_error *error, FILE *stream);
/* ---- a network to drive ---- */

/* A network that is driven by another simulator, which injects messages, lets cycles pass and takes
 * the deliveries. For open traffic in networks of routers. Networks of the idealised router follow
 * the router simulator's rules here: buffers have one flit more, and a channel passes to the next
 * message one cycle later. The same calls give the same deliveries. Any number of networks can be
 * used side by side, each by one thread at a time. */
typedef struct fc_live fc_live;

typedef struct fc_live_message {
    uint32_t source, destination; /* nodes, from 0 */
    uint32_t flits;
    bool reply;    /* takes the virtual channels of replies: only with traffic.requests */
    uint64_t tag;  /* of the caller; comes back with the delivery */
    uint64_t time; /* cycle in which it is generated, not before the present one; 0: now */
} fc_live_message;

typedef struct fc_delivery {
    uint64_t tag;
    uint32_t source, destination, flits;
    uint32_t hops;      /* links between routers */
    uint64_t injected;  /* cycle in which it was generated */
    uint64_t entered;   /* cycle in which its header left the source */
    uint64_t delivered; /* cycle in which its tail reached the destination; its latency, counted as
                           in simulations, is delivered - injected - 1 */
} fc_delivery;

/* background: the scenario's own traffic runs in the network too, with the scenario's seed;
 * otherwise there are only injected messages. The scenario must outlive the network. */
FC_API fc_status fc_live_create(const fc_scenario *scenario, bool background, fc_error *error,
                                fc_live **live);
FC_API void fc_live_free(fc_live *live);
FC_API size_t fc_live_nodes(const fc_live *live);
FC_API uint64_t fc_live_time(const fc_live *live); /* the cycle to be simulated next */
/* Messages injected and not yet delivered. */
FC_API size_t fc_live_under_way(const fc_live *live);

/* Injects all of the messages or, if one of them is not valid, none. Messages of the same node and
 * cycle are sent in the order in which they were injected. */
FC_API fc_status fc_live_inject(fc_live *live, const fc_live_message *messages, size_t count,
                                fc_error *error);
/* Fails if the network is found to be deadlocked, or if out of memory; after that every call fails
 * until fc_live_reset. */
FC_API fc_status fc_live_advance(fc_live *live, uint64_t cycles, fc_error *error);
/* Advances to cycle `time`. delivery: stops earlier, at the end of the first cycle with a delivery.
 * If time is UINT64_MAX and no message is under way, the network does not advance. */
FC_API fc_status fc_live_advance_until(fc_live *live, uint64_t time, bool delivery,
                                       fc_error *error);
/* Takes up to `room` deliveries of injected messages, in the order in which they happened; returns
 * how many. list NULL: returns how many there are. */
FC_API size_t fc_live_deliveries(fc_live *live, fc_delivery *list, size_t room);
/* The measurements since the start, or since the last snapshot with `restart`: means over all
 * messages delivered, the load of every node and channel, the messages waiting at each node now. */
FC_API fc_status fc_live_snapshot(fc_live *live, bool restart, fc_error *error, fc_result **result);
/* Back to cycle 0 and an empty network. */
FC_API fc_status fc_live_reset(fc_live *live, fc_error *error);

/* ---- files of other programs ---- */

/* A BookSim 2.0 configuration as a scenario. Every key of it is translated, or has no effect on
 * results, or is listed as a difference, or is refused with the reason. */
typedef struct fc_import {
    char *scenario;           /* a scenario file; comments name the BookSim keys of each line */
    char (*differences)[320]; /* a sentence for each setting that has another meaning here */
    size_t difference_count;
} fc_import;

/* overrides: BookSim's keys and values, as on its command line; they override the file. */
FC_API fc_status fc_import_booksim(const fc_input *input, const fc_setting *overrides, size_t count,
                                   fc_error *error, fc_import **import);
/* The scenario of an import; messages about it point into the BookSim file. */
FC_API fc_status fc_import_scenario(const fc_import *import, const fc_setting *settings,
                                    size_t count, fc_error *error, fc_scenario **scenario);
FC_API void fc_import_free(fc_import *import);
/* The scenario as a file; for programs (JSON, CSV) with the differences. */
FC_API fc_status fc_import_write(const fc_import *import, const fc_write_settings *settings,
                                 FILE *stream);

/* A design of RapidChiplet as a scenario: NAME.yaml and the files it names (NAME.graph,
 * NAME.routes, NAME.csv), written into a folder (NULL: the working folder). */
typedef struct fc_imported_design {
    char scenario[1024]; /* path of the scenario */
    char note[400];      /* what is different here; may be empty */
} fc_imported_design;
FC_API fc_status fc_import_rapidchiplet(const char *path, const char *folder, fc_error *error,
                                        fc_imported_design *made);

typedef enum fc_booksim_use {
    FC_BOOKSIM_TRANSLATED, /* meaning: the scenario key it becomes */
    FC_BOOKSIM_NO_EFFECT,  /* meaning: why results here do not depend on it */
    FC_BOOKSIM_DIFFERS,    /* meaning: what is different here, unless it has its default */
    FC_BOOKSIM_REFUSED     /* meaning: why only its default is accepted */
} fc_booksim_use;

typedef struct fc_booksim_key {
    const char *name;
    const char *fallback; /* BookSim's default; "" for an empty word */
    fc_booksim_use use;
    const char *meaning;
} fc_booksim_key;

/* Every key of a BookSim configuration and what becomes of it. */
FC_API size_t fc_booksim_key_count(void);
FC_API const fc_booksim_key *fc_booksim_key_at(size_t index);

/* ---- papers ---- */

typedef struct fc_paper_info {
    const char *name;  /* "hamacher-jiang" */
    const char *title; /* authors, title, year */
} fc_paper_info;

typedef struct fc_paper_item_info {
    const char *name;  /* "figure-4" */
    const char *title; /* what it shows */
} fc_paper_item_info;

FC_API size_t fc_paper_count(void);
FC_API fc_paper_info fc_paper_at(size_t paper);
FC_API size_t fc_paper_item_count(size_t paper);
FC_API fc_paper_item_info fc_paper_item_at(size_t paper, size_t item);
/* Reproduces one item, or all of a paper if item is NULL. precision: of the simulations; 0: the
 * item's own. */
FC_API fc_status fc_paper_run(const char *paper, const char *item, double precision,
                              const fc_run_settings *settings, fc_error *error, fc_report **report);

#ifdef __cplusplus
}
#endif

#endif
