/* Random scenarios over every key of the tables, the same for the same numbers, and what was found
 * of each. */
#ifndef AUDIT_H
#define AUDIT_H

#include "flitcast/flitcast.h"

typedef enum audit_kind {
    AUDIT_ROUTERS,   /* pipelined routers with open traffic */
    AUDIT_OTHERS,    /* all else: idealised routers, closed traffic, scouting, multistage, rings */
    AUDIT_WORKLOADS, /* work that ends, on routers */
    AUDIT_KINDS
} audit_kind;
extern const char *const audit_kind_names[AUDIT_KINDS];

enum { AUDIT_TEXT = 3000 };
typedef struct audit_text {
    char text[AUDIT_TEXT]; /* of a scenario, without `simulation`; empty: nothing came of it */
} audit_text;

audit_text audit_draw(audit_kind kind, uint64_t seed, unsigned number);
/* The first key of a value of its own (not a number or a choice) that has neither forms to draw
 * from nor a reason; NULL: there is none. */
const char *audit_undrawn_key(void);

typedef struct audit_settings {
    double precision, cycles;               /* of a run; at most so many cycles */
    double longer_precision, longer_cycles; /* of a second run, where the forecast claims to hold */
    bool twice;                             /* a second run in any case */
    bool engines;                           /* lanes and several threads, too */
} audit_settings;

typedef struct audit_value {
    double value, half_width; /* NaN: not known */
} audit_value;

/* What one scenario showed. */
typedef struct audit_finding {
    bool refused;              /* no simulator takes it */
    fc_outcome outcome;        /* of the simulation */
    audit_value found, longer; /* of the main metric */
    bool missed;               /* the intervals of the two runs do not meet */
    char broken[300];          /* the first law that does not hold; empty: all do */
    char model[FC_NAME_SIZE];  /* that the forecast is made with; empty: none covers it */
    unsigned flags;            /* of the forecast */
    char reason[160];          /* why it is not validated */
    fc_outcome forecast;
    double value, low, high; /* NaN: no answer, no interval */
    bool holds;              /* the forecast's interval holds what was simulated */
    bool clear;              /* it does not, and what was simulated is not near it */
    double seconds;          /* of processor time */
} audit_finding;

audit_finding audit_nothing_found(void);
audit_finding audit_scenario(const audit_text *scenario, const audit_settings *settings);

#endif
