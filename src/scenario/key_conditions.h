/* When a key applies: the topologies that have it, and the conditions of its entry in the family's
 * table (fc_key). Errors, the manual and the page all follow them. */
#ifndef FC_SCENARIO_KEY_CONDITIONS_H
#define FC_SCENARIO_KEY_CONDITIONS_H

#include "scenario/scenario.h"

/* Bit i: the family's topologies[i] has the key. */
uint32_t fc_key_taken_by(const fc_family *family, const fc_key *key);
/* Whether every topology that has the key needs it. */
bool fc_key_is_required(const fc_family *family, const fc_key *key);
/* Whether the key has a meaning in this scenario; its own value does not matter. */
bool fc_key_applies(const fc_scenario *scenario, const fc_key *key);
/* Refuses a scenario with a key that does not apply (nothing is silently ignored), or without one
 * that its topology needs. To be called when all keys are read. */
fc_status fc_key_conditions_check(const fc_scenario *scenario, fc_error *error);
/* "network.topology: dragonfly, and network.routing: valiant or ugal-local"; empty: always. */
void fc_key_conditions_text(const fc_family *family, const fc_key *key, size_t size, char *text);

/* Whether a key that the document does not give could be given, by what the document says of
 * others; before anything of it is read. Keys of all networks fit every one. */
bool fc_key_fits_document(const fc_scenario *scenario, const char *path);

#endif
