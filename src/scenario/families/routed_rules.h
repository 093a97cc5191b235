/* What must agree in any network of routers, whatever its topology. */
#ifndef FC_SCENARIO_ROUTED_RULES_H
#define FC_SCENARIO_ROUTED_RULES_H

#include "scenario/routed.h"

/* Refuses a scenario without one of these keys; the list ends with NULL. */
fc_status fc_require_keys(const fc_scenario *scenario, const char *const *list, const char *kind,
                          fc_error *error);
/* Refuses open traffic without the keys it needs, and with a limit for requests that do not exist.
 */
fc_status fc_open_keys_check(const fc_scenario *scenario, const fc_routed *routed, fc_error *error);

/* Settles network.router. needed_by: the first key that only pipelined routers have, or NULL. */
fc_status fc_routed_settle_router(const fc_scenario *scenario, fc_routed *routed,
                                  const char *needed_by, fc_error *error);
/* The first key whose value only pipelined routers have, whatever the topology, or NULL. */
const char *fc_routed_needs_pipeline(const fc_routed *routed);
/* Cycles that so many ticks of a router take (internal_speedup ticks in a cycle), begun with a
 * cycle: at most, and at least. They differ only where the speedup is no whole number. */
int64_t fc_routed_cycles_of(const fc_routed *routed, int64_t ticks);
int64_t fc_routed_cycles_at_least(const fc_routed *routed, int64_t ticks);
/* Cycles from the sending of a flit over a link of this delay until its slot can be used again. */
int64_t fc_routed_credit_loop(const fc_routed *routed, int64_t link_delay);
/* Flits a virtual channel must hold so that one message can keep a link busy: the cycles from the
 * sending of a flit until its slot can be used again, in links between routers and from nodes. */
int64_t fc_routed_busy_buffer(const fc_routed *routed);
/* Refuses lists that do not fit the topology's kinds of links and links that are wider than routers
 * are fast; derives widths_differ. */
fc_status fc_routed_check_links(const fc_scenario *scenario, fc_routed *routed, fc_error *error);
/* Flits a cycle of the narrowest kind of links. */
double fc_routed_narrowest(const fc_routed *routed);
/* Virtual channels of the class of messages that has the fewest: requests or replies, or all. */
int64_t fc_routed_class_channels(const fc_routed *routed);
/* The same, by default, of a network with faults: how many its paths need is known when they have
 * been found. */
int64_t fc_routed_channels_around(const fc_routed *routed);
/* " for each class": which messages need a number of virtual channels, or nothing if all share
 * them. */
const char *fc_routed_each_class(const fc_routed *routed);
/* How many virtual channels there are if none are given and a class needs this many. */
int64_t fc_routed_default_channels(const fc_routed *routed, int64_t needed);
/* Rules that hold whatever the topology; for open traffic, when all but `nodes` is known. */
/* Before anything else is made of the rate: the factors of phases whose rates are given. */
fc_status fc_profile_finish(const fc_scenario *scenario, fc_routed *routed, fc_error *error);
fc_status fc_routed_check(const fc_scenario *scenario, const fc_routed *routed, fc_error *error);

#endif
