/* The invariants of scouting.c, checked over the whole state. */
#include "simulators/flit/scouting.h"

#ifdef FC_CHECKS

static void check_virtual_channels(const fc_scouting *network) {
    for (uint32_t c = 0; c < network->channels; ++c) {
        const fc_scouting_channel *channel = &network->channel[c];
        for (uint32_t v = 0; v < network->stride; ++v) {
            const fc_scouting_vc *vc = &network->vc[c * network->stride + v];
            const uint64_t bit = UINT64_C(1) << v;
            assert(!((channel->free & bit) && vc->message != FC_NONE));       /* I1 */
            assert(!(vc->message == FC_NONE && (vc->occupied || vc->probe))); /* I1 */
            if (vc->message == FC_NONE || vc->upstream == FC_NONE)
                continue;
            assert(network->vc[vc->upstream].downstream == c * network->stride + v); /* I7 */
            assert(network->vc[vc->upstream].message == vc->message);                /* I7 */
            /* I2: the buffer behind holds what has left its channel and not crossed this one */
            assert(vc->remaining ==
                   network->vc[vc->upstream].remaining + network->vc[vc->upstream].occupied);
            if ((channel->ready & bit) && !vc->probe)
                assert(network->vc[vc->upstream].occupied && !vc->occupied); /* I5 */
        }
    }
}

static void check_headers(const fc_scouting *network) {
    for (uint32_t m = network->setup_first; m != FC_NONE; m = network->message[m].next) {
        const fc_scouting_message *message = &network->message[m];
        uint32_t left = 0, distance = 0;
        for (uint32_t i = 0; i < network->dimensions; ++i) {
            left += network->hops[m * network->dimensions + i];
            distance += fc_scouting_hops(network->geometry, message->source, message->destination,
                                         i, message->rising);
        }
        assert(message->header + left + (message->state == FC_HEADER_CROSSING) ==
               distance);                              /* I6 */
        assert(message->front <= message->header + 1); /* I4 */
        if (message->front_open && message->state != FC_HEADER_ACCEPTED)
            assert(message->front + network->lead <= message->header + 1); /* I4 */
    }
}

void fc_scouting_check(const fc_scouting *network) {
    check_virtual_channels(network);
    check_headers(network);
}

#endif
