/* Which keys a scenario may hold: those of the family that network.topology selects, and those that
 * every family has. */
#ifndef FC_SCENARIO_SCENARIO_KEYS_H
#define FC_SCENARIO_SCENARIO_KEYS_H

#include "scenario/scenario.h"

/* Of all families together. fc_key_taken_by has a bit for each one of a family. */
enum { FC_TOPOLOGIES_MAX = 32 };

/* The keys of all networks. The fields of the first are in fc_simulation_settings, those of the
 * second in fc_units; each ends with a path of NULL. */
extern const fc_key fc_simulation_keys[], fc_unit_keys[];

/* A key of all networks, and the struct of the scenario that its field is in; NULL: none. */
const fc_key *fc_shared_key_find(const fc_scenario *scenario, const char *path, const void **base);

/* The key of a table, or NULL. */
const fc_key *fc_key_find(const fc_key *keys, const char *path);

/* topology: index into the family's topologies */
fc_status fc_family_choose(const fc_document *document, fc_error *error, const fc_family **family,
                           int *topology);
/* Refuses a document with a key that the family does not have. */
fc_status fc_keys_check(const fc_document *document, const fc_family *family, fc_error *error);

#endif
