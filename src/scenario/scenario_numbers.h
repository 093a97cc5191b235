/* Every number of a scenario's network and traffic, for studies that move one at a time. */
#ifndef FC_SCENARIO_SCENARIO_NUMBERS_H
#define FC_SCENARIO_SCENARIO_NUMBERS_H

#include "scenario/scenario.h"

typedef struct fc_scenario_value {
    char key[128]; /* as fc_scenario_with takes it: "network.rings.0" is an entry of a list */
    double value;
    bool whole; /* only whole numbers are accepted there */
} fc_scenario_value;

/* Returns how many there are and fills the first `most`. Left out: what is infinite, what was
 * neither given nor has a value, what names a place, and the settings of the simulation. */
size_t fc_scenario_numbers(const fc_scenario *scenario, fc_scenario_value *list, size_t most);

/* Whether numbers of the key, or of a member of it, are whole. */
bool fc_key_is_whole(const fc_key *key, const char *member);

/* The number inside a key that has its own form ("traffic.destinations.hot-spot.share"), as it
 * is in the document; false if there is none. */
bool fc_scenario_nested_number(const fc_scenario *scenario, const char *key, double *value);

#endif
