/* One network on several threads: its routers in parts, each simulated by an engine of its own.
 *
 * A part owns the routers of a range, their ports, channels and the nodes that send into them. The
 * engines share the arrays of the network's state and touch only what they own. What leaves a part,
 * flits over links and credits back, takes a cycle at least: it is put into a box for the part
 * where it arrives, which empties its boxes at the start of the next cycle. A barrier ends each
 * cycle. Since the rules of a cycle give the same in whatever order they are applied (router.h),
 * and every node draws from streams of its own, the results are the same bits for any number of
 * parts.
 *
 * A message's record belongs to the part where its header is. After delivery it goes back to the
 * part of its source, which counts it for its node and uses the record again. */
#ifndef FC_SIMULATORS_ROUTER_TEAM_H
#define FC_SIMULATORS_ROUTER_TEAM_H

#include "simulators/router/router.h"

enum { FC_TEAM_MOST = 64 };

/* How many parts are worth it, at most `threads`: 1 if the network is small or its rules look
 * across parts within a cycle (replies, oldest-first arbitration, queues of a whole path). */
uint32_t fc_team_size(const fc_router_network *network, const fc_routed *routed, unsigned threads);

/* Divides an engine that has not run yet and has no sources; `parts` as above. The engine becomes
 * the first part and is used as ever. Each part draws the traffic of its own nodes. */
fc_status fc_team_create(fc_router *engine, uint32_t parts, const fc_traffic *traffic,
                         uint64_t seed, uint32_t replication, fc_error *error);
fc_status fc_team_run(fc_router *engine, uint64_t until, fc_error *error);
void fc_team_free(fc_router *engine); /* all but the first part itself */

/* ---- for the engines ---- */

const fc_router *fc_team_part_of(const fc_router *engine, uint32_t node);

/* To another part, where it arrives in cycle `when`. */
void fc_team_send_flit(fc_router *engine, uint64_t when, uint64_t event);
void fc_team_send_credit(fc_router *engine, uint64_t when, uint32_t channel);
/* The record of a message delivered, back to the part of its source; false if that is this one. */
bool fc_team_return(fc_router *engine, uint32_t message);
/* Links fresh records to the free list of a part; false if there are no more. */
bool fc_team_more_messages(fc_router *engine);

#endif
