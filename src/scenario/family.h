/* The descriptor of a network family: its topologies, its keys, its consistency rules.
 *
 * A family is one descriptor in a file of its own (rings.c, torus.c, ...) and one line in
 * families.c. Its parameters are a plain struct filled from a table of keys, so that reading,
 * defaults, ranges, --set, the canonical form, the hash, completion and the manual come from that
 * one table. */
#ifndef FC_SCENARIO_FAMILY_H
#define FC_SCENARIO_FAMILY_H

#include <stddef.h>
#include <stdint.h>
#include "flitcast/flitcast.h"
#include "scenario/document.h"
#include "scenario/router_topology.h"

enum { FC_LIST_MAX = 24, FC_PATH_SIZE = 256 };
enum { FC_INFINITE = -1 }; /* a count that is infinite */

typedef struct fc_integer_list {
    size_t count;
    int64_t values[FC_LIST_MAX];
} fc_integer_list;

typedef struct fc_number_list {
    size_t count;
    double values[FC_LIST_MAX];
} fc_number_list;

typedef enum fc_key_type {
    FC_KEY_INTEGER,  /* int64_t */
    FC_KEY_COUNT,    /* int64_t: an integer or 'infinite' (FC_INFINITE) */
    FC_KEY_NUMBER,   /* double */
    FC_KEY_CHOICE,   /* int: index into choices */
    FC_KEY_INTEGERS, /* fc_integer_list */
    FC_KEY_NUMBERS,  /* fc_number_list */
    FC_KEY_CUSTOM,   /* read and write below */
} fc_key_type;

/* Another key has one of these values; without values: it is given. */
typedef struct fc_condition {
    const char *key;
    const char *values[5]; /* of a CHOICE; ends with NULL */
} fc_condition;

enum { FC_CONDITIONS_MOST = 2, FC_EXCLUDED_MOST = 4 };

typedef enum fc_key_use { FC_KEY_UNKNOWN, FC_KEY_OPTIONAL, FC_KEY_REQUIRED } fc_key_use;

typedef struct fc_key fc_key;
struct fc_key {
    const char *path; /* "network.rings" */
    fc_key_type type;
    bool above_minimum;         /* the minimum itself is not allowed */
    bool names_places;          /* CUSTOM: none of its numbers is a quantity to move a little */
    bool hashed_if_given;       /* a key that came later, with the fallback "": scenarios without it
                                   keep their hash */
    size_t offset;              /* of the field in the parameters */
    size_t list;                /* INTEGER, NUMBER: it may also be a list of them (fc_integer_list,
                                   fc_number_list), so many bytes behind the field, which then has the
                                   largest; 0: it may not */
    double minimum, maximum;    /* of a number or of each number of a list */
    const char *const *choices; /* NULL-terminated */
    const char *fallback; /* default as a YAML scalar; NULL: required; "": may be absent, the field
                             stays as the family's `initialise` left it (all zero without one) */
    const char *help;     /* one line, unit included */
    const char *expected; /* CUSTOM: "uniform, {hot-spot: ...}"; else made from type and range */
    const char *whole;    /* CUSTOM: those of its members that are whole numbers, in a row with
                             blanks between: "flits reply_flits"; "*": all numbers; NULL: none */
    const char *measures; /* what its numbers count, so that they may be written with a unit:
                             "time", or by member "bytes=bytes compute=time" (base/units.c has the
                             names); NULL: nothing that has a unit */
    const char *instead_of; /* the key whose place it takes: conditions on that one hold if this one
                               is given; NULL: none */
    bool apart; /* results do not depend on it once the other keys are read: it is not hashed */
    /* A key with one of these has the fallback "". See key_conditions.h. */
    fc_condition only_if[FC_CONDITIONS_MOST]; /* it applies only if all of these hold */
    const char *not_with[FC_EXCLUDED_MOST];   /* nor if one of these keys is given */
    /* CUSTOM only. read checks and stores; write appends the canonical YAML of the field. */
    fc_status (*read)(const fc_document *document, const fc_value *value, void *field,
                      fc_error *error);
    void (*write)(const void *field, FILE *stream);
};

typedef struct fc_family {
    const char *name;              /* "ring-hierarchy" */
    const char *const *topologies; /* values of network.topology that select it; NULL-terminated */
    const fc_key *keys;            /* ends with a path of NULL; without name, simulation.* and
                                      network.topology */
    /* What this one of `topologies` makes of the key; NULL: all are optional in every one, or as
     * their fallback says. */
    fc_key_use (*use)(int topology, const char *path);
    size_t parameter_size;
    size_t topology_offset;               /* of an int that receives the index into topologies */
    void (*initialise)(void *parameters); /* before the keys are read; may be NULL */
    /* After all keys: consistency and derived fields. Complain through fc_scenario_fail_key. */
    fc_status (*finish)(const fc_scenario *scenario, void *parameters, fc_error *error);
    void (*release)(void *parameters); /* frees what custom readers allocated; may be NULL */
    const char *(*main_metric)(const void *parameters);
    bool packets;                                    /* its metrics count packets, not messages */
    const char *(*load_key)(const void *parameters); /* NULL result: closed traffic, workloads */
    double (*nodes)(const void *parameters);
    /* Fills what it knows of the counts, which are NaN before. Networks of routers have it in their
     * topology instead: NULL. */
    void (*count)(const void *parameters, fc_counts *counts);
    /* Mean flits that a message of the load brings, a request with its reply; after the keys are
     * read. NULL: 1. */
    double (*message_flits)(const fc_scenario *scenario);
    /* Networks of routers: their parameters, their topology. Other families: NULL. */
    const fc_routed *(*routed)(const void *parameters);
    const fc_router_topology *(*routers)(const void *parameters);
} fc_family;

extern const fc_family *const fc_families[]; /* NULL-terminated; families.c */

#endif
