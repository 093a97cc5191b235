#include "scenario/rings.h"

#include <math.h>
#include "scenario/scenario.h"

static const char *const topologies[] = {"ring-hierarchy", NULL};
static const char *const kinds[] = {"open", NULL};
static const char *const destinations[] = {"uniform", NULL};

#define FIELD(name) .offset = offsetof(fc_rings, name)

static const fc_key keys[] = {
    {.path = "network.rings",
     .type = FC_KEY_NUMBERS,
     FIELD(sizes),
     .minimum = 1,
     .maximum = 1e6,
     .help =
         "[L, G] or [L, M, G]: stations of a local ring, local rings of a middle ring, rings of "
         "the global ring"},
    {.path = "traffic.kind",
     .type = FC_KEY_CHOICE,
     FIELD(kind),
     .choices = kinds,
     .fallback = "open",
     .help = "stations send regardless of what is under way"},
    {.path = "traffic.rate",
     .type = FC_KEY_NUMBER,
     FIELD(rate),
     .minimum = 0,
     .above_minimum = true,
     .maximum = 1,
     .measures = "load",
     .help = "packets per station per cycle"},
    {.path = "traffic.destinations",
     .type = FC_KEY_CHOICE,
     FIELD(destinations),
     .choices = destinations,
     .fallback = "",
     .help = "every other station equally likely, unless traffic.locality is given"},
    {.path = "traffic.locality",
     .type = FC_KEY_NUMBERS,
     FIELD(locality),
     .minimum = 0,
     .maximum = 1,
     .fallback = "",
     .help = "[P] or [P_L, P_M]: shares of the packets for the own local ring and, with three "
             "levels, for another local ring of the own middle ring"},
    {0},
};

static fc_status check_locality(const fc_scenario *scenario, const fc_rings *rings,
                                fc_error *error) {
    static const char *const levels[] = {"its own local ring", "its own middle ring",
                                         "another part of the network"};
    const double shares[] = {rings->share_local, rings->share_middle, rings->share_global};
    const double sizes[] = {rings->local, rings->middle, rings->global};
    for (size_t i = 0; i < 3; ++i) {
        if (sizes[i] == 1 && shares[i] > 0 && !(i == 1 && rings->levels == 2))
            return fc_scenario_fail_key(scenario, "traffic.locality", error,
                                        "traffic.locality sends %g of the packets to %s, where "
                                        "network.rings leaves no other station",
                                        shares[i], levels[i]);
    }
    return FC_OK;
}

static fc_status count_stations(const fc_scenario *scenario, fc_rings *rings, fc_error *error) {
    rings->levels = rings->sizes.count;
    if (rings->levels != 2 && rings->levels != 3)
        return fc_scenario_fail_key(scenario, "network.rings", error,
                                    "network.rings has %zu entries; expected [L, G] or [L, M, G]",
                                    rings->levels);
    for (size_t i = 0; i + 1 < rings->levels; ++i) {
        if (rings->sizes.values[i] != floor(rings->sizes.values[i]))
            return fc_scenario_fail_key(
                scenario, "network.rings", error,
                "network.rings: %g is not a whole number; only the last ring (G) may be "
                "fractional, for models",
                rings->sizes.values[i]);
    }
    rings->local = rings->sizes.values[0];
    rings->middle = rings->levels == 3 ? rings->sizes.values[1] : 1;
    rings->global = rings->sizes.values[rings->levels - 1];
    rings->stations = rings->local * rings->middle * rings->global;
    if (rings->stations < 2 || rings->stations > 1e8)
        return fc_scenario_fail_key(scenario, "network.rings", error,
                                    "network.rings makes %g stations; expected 2 to 1e8",
                                    rings->stations);
    return FC_OK;
}

static void share_uniformly(fc_rings *rings) {
    const double others = rings->stations - 1;
    rings->share_local = (rings->local - 1) / others;
    rings->share_middle = (rings->middle - 1) * rings->local / others;
    rings->share_global = (rings->global - 1) * rings->local * rings->middle / others;
}

static fc_status share_by_locality(const fc_scenario *scenario, fc_rings *rings, fc_error *error) {
    if (rings->locality.count != rings->levels - 1)
        return fc_scenario_fail_key(
            scenario, "traffic.locality", error,
            "traffic.locality has %zu entries; a network of %zu levels takes %s",
            rings->locality.count, rings->levels,
            rings->levels == 2 ? "one: [P]" : "two: [P_L, P_M]");
    rings->share_local = rings->locality.values[0];
    rings->share_middle = rings->levels == 3 ? rings->locality.values[1] : 0;
    rings->share_global = 1 - rings->share_local - rings->share_middle;
    if (rings->share_global < -1e-12)
        return fc_scenario_fail_key(scenario, "traffic.locality", error,
                                    "traffic.locality adds up to %g; at most 1 is possible",
                                    rings->share_local + rings->share_middle);
    rings->share_global = fmax(0, rings->share_global);
    if (fc_scenario_has(scenario, "traffic.destinations"))
        return fc_scenario_fail_key(scenario, "traffic.destinations", error,
                                    "traffic.destinations and traffic.locality exclude each other");
    return check_locality(scenario, rings, error);
}

static fc_status finish(const fc_scenario *scenario, void *parameters, fc_error *error) {
    fc_rings *rings = parameters;
    const fc_status status = count_stations(scenario, rings, error);
    if (status != FC_OK)
        return status;
    if (rings->locality.count > 0)
        return share_by_locality(scenario, rings, error);
    share_uniformly(rings);
    return FC_OK;
}

static const char *main_metric(const void *parameters) {
    (void)parameters;
    return "latency";
}

static const char *load_key(const void *parameters) {
    (void)parameters;
    return "traffic.rate";
}

static double nodes(const void *parameters) {
    return ((const fc_rings *)parameters)->stations;
}

/* Routers are stations and the crossings between a ring and the one above; links lead one way.
 * Halves part on the global ring, which passes one message a cycle each way; where the number of
 * its rings is odd, one of them is halved too, in turn. */
static void count(const void *parameters, fc_counts *counts) {
    const fc_rings *rings = parameters;
    const double parts[] = {rings->local, rings->middle, rings->global};
    const double locals = rings->middle * rings->global;
    const double middles = rings->levels == 3 ? rings->global : 0;
    if (rings->global != floor(rings->global))
        return; /* for models alone */
    counts->routers = rings->stations + locals + middles;
    counts->cables =
        rings->stations + locals + (middles > 0 ? locals + middles : 0) + rings->global;
    counts->ports = 2 * counts->cables + rings->stations;
    counts->bisection = 0;
    for (size_t level = 3; level-- > 0;) {
        counts->bisection += parts[level] > 1;
        if (parts[level] > 1 && fmod(parts[level], 2) == 0)
            break;
    }
    counts->bisection_bound = counts->bisection > 1 ? FC_AT_MOST : FC_EXACT;
}

const fc_family fc_rings_family = {
    .name = "ring-hierarchy",
    .topologies = topologies,
    .keys = keys,
    .parameter_size = sizeof(fc_rings),
    .topology_offset = offsetof(fc_rings, topology),
    .finish = finish,
    .main_metric = main_metric,
    .load_key = load_key,
    .nodes = nodes,
    .count = count,
};
