/* The invariants of scouting.c, checked over the whole state. */
#include "simulators/flit/scouting.h"

#ifdef FC_CHECKS

static void check_virtual_channels(const fc_scouting *network) {
    for (int32_t c = 0; c < network->channels; ++c) {
        const fc_scouting_channel *channel = &network->channel[c];
        for (int32_t v = 0; v < network->stride; ++v) {
            const fc_scouting_vc *vc = &network->vc[c * network->stride + v];
            const uint64_t bit = (uint64_t)1 << v;
            assert(!((channel->free & bit) && vc->message != FC_SCOUTING_NONE));       /* I1 */
            assert(!(vc->message == FC_SCOUTING_NONE && (vc->occupied || vc->probe))); /* I1 */
            if (vc->message == FC_SCOUTING_NONE || vc->upstream == FC_SCOUTING_NONE)
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
    for (int32_t m = network->setup_first; m != FC_SCOUTING_NONE; m = network->message[m].next) {
        const fc_scouting_message *message = &network->message[m];
        int32_t left = 0, distance = 0;
        for (int32_t i = 0; i < network->dimensions; ++i) {
            left += network->hops[m * network->dimensions + i];
            distance += (int32_t)fc_scouting_hops(network->geometry, (uint32_t)message->source,
                                                  (uint32_t)message->destination, (uint32_t)i,
                                                  message->rising);
        }
        assert(message->header + left + (message->state == FC_HEADER_CROSSING) ==
               distance);                          /* I6 */
        assert(message->front <= message->header); /* I4 */
        if (message->front_open && message->state != FC_HEADER_ACCEPTED)
            assert(message->front + network->lead <= message->header); /* I4 */
    }
}

void fc_scouting_check(const fc_scouting *network) {
    check_virtual_channels(network);
    check_headers(network);
}

#endif
