/* A plain multistage simulator: objects, a general heap of events, routes by arithmetic on digits.
 * Slow and obvious; the engine must deliver the same packets at the same instants. */
#ifndef PACKET_EXACT_REFERENCE_H
#define PACKET_EXACT_REFERENCE_H

#include "simulators/packet/packet_network.h"

typedef struct reference reference;

reference *reference_create(const fc_packet_settings *settings);
void reference_free(reference *simulator);
void reference_observe(reference *simulator, fc_packet_observer observer, void *context);
void reference_run_until(reference *simulator, double until);
uint64_t reference_generated(const reference *simulator);
uint64_t reference_discarded(const reference *simulator);
/* Packets in a stage's buffers, now. */
uint64_t reference_in_stage(const reference *simulator, uint32_t stage);

#endif
