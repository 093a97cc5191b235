#include "simulators/packet/packet_shadow.h"

#include <math.h>
#include "base/memory.h"
#include "simulators/packet/packet_state.h"

static const double pairs_most = 1 << 16;

void fc_packet_shadow_plan_free(fc_shadow_plan *plan) {
    if (!plan)
        return;
    fc_shadow_plan_free(plan);
    fc_release(plan);
}

/* Queues: the buffers and memories, each also the line that ends there; then the streams, one for
 * each of these and for each input of the switch before it. */
static uint32_t stream_of(const fc_packet_network *network, uint32_t from, uint32_t ahead) {
    const uint32_t queues = network->first_end + network->settings.ports;
    return queues + ahead * network->settings.switch_size + from % network->settings.switch_size;
}

static size_t follow(const fc_packet_network *network, uint32_t source, uint32_t destination,
                     fc_shadow_visit *visit) {
    const fc_packet_settings *settings = &network->settings;
    uint32_t digits = settings->ports, at = network->entries[source];
    size_t count = 0;
    visit[count++] = (fc_shadow_visit){.queue = at, .stream = FC_NO_STREAM};
    for (uint32_t stage = 0; stage < settings->stages; ++stage) {
        digits /= settings->switch_size;
        const uint32_t output = destination / digits % settings->switch_size;
        const uint32_t ahead = network->buffers[at].first_ahead + output * network->stride;
        const uint32_t served = stage + (settings->output_contention ? 0 : 1);
        if (settings->output_contention || ahead < network->first_end)
            visit[count++] = (fc_shadow_visit){.queue = ahead,
                                               .stream = stream_of(network, at, ahead),
                                               .delay = served * FC_PACKET_TICKS};
        at = ahead;
    }
    return count;
}

static fc_status plan_paths(const fc_packet_network *network, fc_error *error,
                            fc_shadow_plan *plan) {
    const fc_packet_settings *settings = &network->settings;
    const uint32_t ports = settings->ports;
    const double uniform = (1 - settings->hot_share) / ports;
    fc_shadow_visit visit[FC_PACKET_STAGES_MAX + 1];
    for (uint32_t source = 0; source < ports; ++source) {
        for (uint32_t to = 0; to < ports; ++to) {
            const double share = uniform + (to == settings->hot_memory ? settings->hot_share : 0);
            const size_t count = follow(network, source, to, visit);
            const fc_status status = fc_shadow_plan_path(plan, share, visit, count, error);
            if (status != FC_OK)
                return status;
        }
        fc_shadow_plan_sender(plan, settings->rate * settings->service / FC_PACKET_TICKS);
    }
    const fc_shadow_law law = {.trials = INFINITY,
                               .flits = FC_PACKET_TICKS,
                               .flits_squared = FC_PACKET_TICKS * FC_PACKET_TICKS};
    fc_shadow_plan_finish(plan, &law);
    return FC_OK;
}

fc_status fc_packet_shadow_plan_create(const fc_packet_settings *settings, fc_error *error,
                                       fc_shadow_plan **created) {
    *created = NULL;
    if ((double)settings->ports * settings->ports > pairs_most ||
        settings->outstanding != FC_PACKET_UNLIMITED)
        return FC_OK;
    fc_packet_network *network;
    fc_status status = fc_packet_network_create(settings, error, &network);
    if (status != FC_OK)
        return status;
    fc_shadow_plan *plan = fc_allocate(1, sizeof *plan);
    const uint32_t queues = stream_of(network, 0, network->first_end + settings->ports);
    status = plan ? fc_shadow_plan_create(queues, error, plan) : fc_fail_memory(error);
    if (status == FC_OK)
        status = plan_paths(network, error, plan);
    fc_packet_network_free(network);
    if (status == FC_OK)
        *created = plan;
    else
        fc_packet_shadow_plan_free(plan);
    return status;
}
