/* The shadow queues of a multistage network (simulators/shadow_queues.h): what its packets would
 * wait for each other if buffers were unlimited and nobody waited before.
 *
 * Without output contention a queue is a switch input, where packets of all inputs of the switch
 * before merge; with it, the line out of a switch. All packets reach a stage after the same time,
 * in the order in which they are generated. Time is counted in ticks, FC_PACKET_TICKS of a service.
 */
#ifndef FC_SIMULATORS_PACKET_SHADOW_H
#define FC_SIMULATORS_PACKET_SHADOW_H

#include "simulators/packet/packet_network.h"
#include "simulators/shadow_queues.h"

enum { FC_PACKET_TICKS = 64 };

/* Paths are numbered source x ports + destination. *plan: NULL if there are too many pairs, or if
 * sources wait for answers. */
fc_status fc_packet_shadow_plan_create(const fc_packet_settings *settings, fc_error *error,
                                       fc_shadow_plan **plan);
void fc_packet_shadow_plan_free(fc_shadow_plan *plan); /* accepts NULL */

#endif
