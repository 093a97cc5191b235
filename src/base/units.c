#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what things count, and what that is physically ---- */

typedef struct meaning {
    const char *name;     /* as keys say it; NULL: keys do not have it */
    const char *physical; /* its unit in results; NULL: none */
    const char *example;
    bool clock, bytes; /* the clock or the flit size is needed */
} meaning;

static const meaning quantities[] = {
    [FC_TIME] = {"time", "ns", "5 ns", true, false},
    [FC_LOAD] = {"load", "GB/s", "12 GB/s", true, true},
    [FC_WIDTH] = {"width", "GB/s", "400 Gb/s", true, true},
    [FC_FLITS] = {"flits", "bytes", "64 B", false, true},
    [FC_PACKETS] = {NULL, "bytes", NULL, false, true},
    [FC_BYTES] = {"bytes", NULL, "64 KiB", false, false},
    [FC_POWER] = {NULL, "energy/ns", NULL, true, false},
};
enum { QUANTITIES = sizeof quantities / sizeof *quantities };

/* Units of results. */
static const struct {
    const char *unit;
    fc_quantity quantity;
} result_units[] = {
    {"cycles", FC_TIME},
    {"messages/node/cycle", FC_LOAD},
    {"packets/node/cycle", FC_LOAD},
    {"flits/cycle", FC_WIDTH},
    {"flits", FC_FLITS},
    {"packets", FC_PACKETS},
    {"energy/cycle", FC_POWER},
};

/* What one of the quantity is, in nanoseconds, bytes, or bytes per nanosecond (GB/s). */
static double factor_of(fc_quantity quantity, const fc_units *units) {
    switch (quantity) {
    case FC_TIME:
        return 1 / units->clock_ghz;
    case FC_LOAD:
        return units->clock_ghz * units->flit_bytes * units->message_flits;
    case FC_WIDTH:
        return units->clock_ghz * units->flit_bytes;
    case FC_FLITS:
        return units->flit_bytes;
    case FC_PACKETS:
        return units->flit_bytes * units->message_flits;
    case FC_POWER:
        return units->clock_ghz;
    case FC_BYTES:
    case FC_NO_QUANTITY:
        break;
    }
    return 1;
}

fc_quantity fc_quantity_named(const char *name, size_t length) {
    for (int q = 1; q < QUANTITIES; ++q) {
        const char *known = quantities[q].name;
        if (known && strlen(known) == length && strncmp(known, name, length) == 0)
            return (fc_quantity)q;
    }
    return FC_NO_QUANTITY;
}

const char *fc_quantity_example(fc_quantity quantity) {
    return quantities[quantity].example;
}

const char *fc_units_missing(const fc_units *units, fc_quantity quantity) {
    if (quantities[quantity].clock && !(units->clock_ghz > 0))
        return "network.clock_ghz";
    if (quantities[quantity].bytes && !(units->flit_bytes > 0))
        return "network.flit_bytes";
    return NULL;
}

bool fc_physical_of(const fc_units *units, const char *unit, fc_physical *physical) {
    for (size_t i = 0; units && unit && i < sizeof result_units / sizeof *result_units; ++i) {
        const fc_quantity quantity = result_units[i].quantity;
        if (strcmp(result_units[i].unit, unit) != 0)
            continue;
        if (fc_units_missing(units, quantity))
            return false;
        const double factor = factor_of(quantity, units);
        if (!(factor > 0) || !isfinite(factor))
            return false;
        *physical = (fc_physical){factor, quantities[quantity].physical};
        return true;
    }
    return false;
}

/* ---- what a scenario may write ---- */

/* Decimal prefixes are powers of 1000, binary ones of 1024; b is a bit, B a byte. */
static const struct {
    const char *text;
    double factor;
} prefixes[] = {{"", 1},     {"k", 1e3},     {"K", 1e3},        {"M", 1e6},     {"G", 1e9},
                {"T", 1e12}, {"Ki", 1024.0}, {"Mi", 1048576.0}, {"Gi", 0x1p30}, {"Ti", 0x1p40}};
static const struct {
    const char *text;
    double nanoseconds;
} times[] = {{"ps", 1e-3}, {"ns", 1}, {"us", 1e3}, {"\xC2\xB5s", 1e3}, {"ms", 1e6}, {"s", 1e9}};
static const struct {
    const char *text;
    double bytes;
    bool rate;
} amounts[] = {{"B", 1, false},        {"B/s", 1, true},     {"b/s", 0.125, true},
               {"bit/s", 0.125, true}, {"bps", 0.125, true}, {"byte", 1, false},
               {"bytes", 1, false}};

static bool parse_unit(const char *unit, fc_measured *measured) {
    for (size_t t = 0; t < sizeof times / sizeof *times; ++t) {
        if (strcmp(times[t].text, unit) != 0)
            continue;
        measured->value *= times[t].nanoseconds;
        measured->kind = FC_TIME;
        return true;
    }
    for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; ++p) {
        const size_t length = strlen(prefixes[p].text);
        if (strncmp(prefixes[p].text, unit, length) != 0)
            continue;
        for (size_t a = 0; a < sizeof amounts / sizeof *amounts; ++a) {
            if (strcmp(amounts[a].text, unit + length) != 0)
                continue;
            measured->value *= prefixes[p].factor * amounts[a].bytes;
            if (amounts[a].rate)
                measured->value *= 1e-9; /* bytes per second in bytes per nanosecond */
            measured->kind = amounts[a].rate ? FC_WIDTH : FC_BYTES;
            return true;
        }
    }
    return false;
}

bool fc_measured_parse(const char *text, fc_measured *measured) {
    char *end;
    if (!strchr("0123456789.", text[0]) || !text[0] || (text[0] == '0' && strchr("xX", text[1])))
        return false;
    measured->value = strtod(text, &end);
    if (end == text || !isfinite(measured->value))
        return false;
    while (*end == ' ')
        ++end;
    measured->unit = end;
    return *end && parse_unit(end, measured) && isfinite(measured->value);
}

bool fc_measured_suits(const fc_measured *measured, fc_quantity quantity) {
    switch (quantity) {
    case FC_TIME:
        return measured->kind == FC_TIME;
    case FC_LOAD:
    case FC_WIDTH:
        return measured->kind == FC_WIDTH;
    case FC_FLITS:
    case FC_BYTES:
        return measured->kind == FC_BYTES;
    case FC_PACKETS:
    case FC_POWER:
    case FC_NO_QUANTITY:
        break;
    }
    return false;
}

double fc_measured_value(const fc_measured *measured, fc_quantity quantity, const fc_units *units) {
    return measured->value / factor_of(quantity, units);
}
