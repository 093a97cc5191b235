/* The validation suite: every model against simulation over designed sets of networks.
 *
 * A design (design_FAMILY.c) lays out entries: a network with its traffic, to be simulated at
 * several loads. Some entries are held out: models are developed on the others and judged on these.
 * What was simulated and predicted is kept in FAMILY.csv, from which a broken run goes on and from
 * which the report and the cases that the library carries are written. */
#ifndef SUITE_H
#define SUITE_H

#include "base/random.h"
#include "flitcast/flitcast.h"
#include "network_features.h"

enum { SUITE_POINTS = 10, SUITE_METRICS = 3, SUITE_MODELS = 4, SUITE_ENTRIES = 2400 };

/* What was simulated, and what each model of the design said. NaN: nothing yet; a prediction that
 * is infinite: the model had no answer. */
typedef struct suite_value {
    double simulated, half_width;
    double predicted[SUITE_MODELS];
} suite_value;

typedef struct suite_point {
    double fraction, rate; /* of the saturation load (random networks: the first model's);
                              messages. NaN for closed traffic */
    bool done;             /* simulated, if only to find that the network is saturated */
    double cycles;         /* that a replication was allowed; NaN: not recorded */
    suite_value metrics[SUITE_METRICS];
} suite_point;

typedef struct suite_entry {
    bool held_out, random;
    char network[320], traffic[320]; /* YAML within the braces; traffic without the rate */
    double features[FC_FEATURES_MAX];
    bool covered[SUITE_MODELS];
    suite_value saturation; /* not of closed traffic */
    suite_point points[SUITE_POINTS];
    size_t point_count;
    double nodes;
} suite_entry;

typedef struct suite suite;

/* The random parts of a design, each with a seed of its own (suite_random.c): drawn to learn from,
 * held out once and learned from since (SEEN), held out now. Meshes are harder to forecast than
 * tori: there are more of them to learn from. */
typedef enum suite_part {
    SUITE_SEEN_18002,
    SUITE_SEEN_18003,
    SUITE_SEEN_18005,
    SUITE_LEARNED,
    SUITE_LEARNED_MESHES,
    SUITE_SEEN_18011,
    SUITE_SEEN_18021,
    SUITE_LEARNED_18041,
    SUITE_SEEN_18031,
    SUITE_HELD_OUT_18061,
    SUITE_PARTS
} suite_part;

typedef struct suite_design {
    const char *name;           /* of a feature list */
    const char *title, *text;   /* of the report: what is in the design, and what was seen of it */
    const char *const *models;  /* the default first; NULL-terminated */
    const char *const *metrics; /* the main one first; NULL-terminated */
    size_t carried;             /* metrics whose errors the library carries; 0: the main one */
    const double *loads;        /* over the saturation load, 0 ends them; NULL: the usual ones */
    double precision;           /* half width over mean asked for; 0: suite_precision */
    double max_cycles;          /* of a replication */
    double cost;                /* of simulating a node, to do what is cheap first */
    bool exact_saturation;      /* the models' saturation load follows from the flows alone */
    void (*lay_out)(suite *s);
    /* A network of the random part, YAML within the braces; NULL: there is none. */
    void (*draw)(fc_random *random, char *network, char *traffic);
    size_t drawn[SUITE_PARTS]; /* networks of each random part */
} suite_design;

struct suite {
    const suite_design *design;
    const fc_feature_list *features;
    suite_entry entries[SUITE_ENTRIES];
    size_t count, models, metrics;
};

extern const suite_design *const suite_designs[]; /* NULL-terminated */
/* Of a simulation, as shares of the mean: the half width asked for, and the widest one that still
 * says enough about a model. */
extern const double suite_precision, suite_widest;

enum { SUITE_DEVELOP, SUITE_HELD_OUT };

/* Asked of a simulation; random networks, of which there are many, get by with less. */
double suite_precision_of(const suite *s, const suite_entry *entry);
double suite_cycles_of(const suite *s, const suite_entry *entry);
/* For the designs: adds an entry. traffic: without the rate; see suite_design. */
void suite_add(suite *s, bool held_out, const char *network, const char *traffic);

void suite_stop(const char *what, const char *why) __attribute__((noreturn));
/* Lays the design out: entries with their features and nothing simulated. Free with free. */
suite *suite_create(const suite_design *design);
/* The first entries: those that were not drawn. */
size_t suite_grid_count(const suite *s);
/* Whether the saturation load needs no simulation. */
bool suite_knows_saturation(const suite *s);
/* A point of which nothing is known but its load. */
suite_point suite_nothing(double fraction);
fc_scenario *suite_scenario(const suite *s, const suite_entry *entry, double rate);

/* suite_run.c */
typedef struct suite_settings {
    unsigned threads; /* 0: one per core */
    unsigned seconds; /* after which to stop; 0: none */
    const char *only; /* names of the designs to measure, comma-separated; NULL: all */
    bool simulate;    /* what is missing */
    bool random_only; /* leaves the networks of the grid as they are */
    const char *directory;
} suite_settings;
/* Simulates what is missing and asks all models again; the CSV is kept up to date. */
void suite_run(suite *const *suites, const suite_settings *settings);

/* suite_csv.c */
void suite_read(suite *s, const char *directory);
void suite_write(const suite *s, const char *directory);
FILE *suite_open(const char *directory, const char *name, const char *suffix);

/* suite_report.c */
void suite_report(const suite *s, const char *directory);

/* suite_heldout.c: a table of the random networks that were held out. */
void suite_report_held_out(suite *const *suites, FILE *stream);

/* suite_forecasts.c: a table of the networks of DIRECTORY/router_held_out.csv. */
void suite_report_forecasts(const char *directory, const char *table, bool any_loads, FILE *stream);

/* suite_responses.c: a table of those of closed_hot_held_out. */
void suite_report_responses(const char *directory, FILE *stream);

/* suite_random.c */
void suite_add_random(suite *s);
void suite_draw_open(fc_random *random, char *network, char *traffic);
void suite_draw_scouting(fc_random *random, char *network, char *traffic);
void suite_draw_closed(fc_random *random, char *network, char *traffic);
void suite_draw_multistage(fc_random *random, char *network, char *traffic);
void suite_draw_rings(fc_random *random, char *network, char *traffic);

/* suite_cases.c: data/accuracy.csv, the errors of models alone. */
void suite_write_accuracy(suite *const *suites, FILE *stream);
/* An error that may be counted: simulated precisely enough, and the model is for this network. */
bool suite_within(const suite_value *value, double share); /* the half width is */
bool suite_counts(const suite_entry *entry, const suite_value *value, size_t model);
/* Still to be simulated, or again: it stopped too early to be counted and may now run longer. */
bool suite_lacks(const suite *s, const suite_entry *entry, const suite_point *point);

#endif
