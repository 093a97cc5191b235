/* Cycles and flits in nanoseconds and bytes, and back.
 *
 * One table says what every unit of results is physically (fc_physical_of, in the public header),
 * another which units a scenario may write. Both go through fc_quantity: a factor from the clock
 * and the size of a flit, which are known to nobody else. */
#ifndef FC_BASE_UNITS_H
#define FC_BASE_UNITS_H

#include "flitcast/flitcast.h"

/* What a number counts inside: of a result's unit, or of a scenario's key. */
typedef enum fc_quantity {
    FC_NO_QUANTITY,
    FC_TIME,    /* cycles */
    FC_LOAD,    /* messages per node per cycle */
    FC_WIDTH,   /* flits per cycle */
    FC_FLITS,   /* flits */
    FC_PACKETS, /* packets, each as long as a message */
    FC_BYTES,   /* bytes */
    FC_POWER,   /* energy per cycle */
} fc_quantity;

/* "time", "load", "width", "flits", "bytes": as keys name theirs; FC_NO_QUANTITY: another word. */
fc_quantity fc_quantity_named(const char *name, size_t length);

/* The key of a scenario that has to be given so that the quantity can be converted; NULL: none is
 * missing. */
const char *fc_units_missing(const fc_units *units, fc_quantity quantity);

static inline bool fc_units_given(const fc_units *units) {
    return units->clock_ghz > 0 || units->flit_bytes > 0;
}

/* A number with a unit, such as "12 GB/s" or "5ns". */
typedef struct fc_measured {
    double value; /* in nanoseconds, bytes, or bytes per nanosecond */
    const char *unit;
    fc_quantity kind; /* FC_TIME; FC_BYTES; FC_WIDTH for bytes per time, of loads too */
} fc_measured;
/* False if the text is not a number followed by one of the units. */
bool fc_measured_parse(const char *text, fc_measured *measured);
/* Whether such a unit can be what the quantity counts: ns of a time, GB/s of a load or a width. */
bool fc_measured_suits(const fc_measured *measured, fc_quantity quantity);
/* In what the quantity counts: cycles, flits, flits per cycle. The units must not be missing. */
double fc_measured_value(const fc_measured *measured, fc_quantity quantity, const fc_units *units);
/* An example of what may be written: "5 ns". */
const char *fc_quantity_example(fc_quantity quantity);

#endif
