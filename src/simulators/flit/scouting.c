/* Simulator of scouting switching: minimal fully adaptive routing with backtracking headers.
 *
 * Safaei, Khonsari, Fathy, Talebanfard, Ould-Khaoua, "Communication Prediction of Scouting
 * Switching in Adaptively-Routed Torus Networks"; Dao, Duato, Yalamanchili, IEEE TPDS 10 (1999) for
 * the mechanism. Synchronous, one flit per channel and cycle.
 *
 * Rules
 *
 *  R1 A node has 2n network channels, an injection and an ejection channel, all with virtual
 *     channels that have a one-flit buffer at their end (ejected flits leave at once). A buffer
 *     emptied in a cycle may be refilled in the same one. A channel sends one flit a cycle, round
 *     robin among its virtual channels that can; among channels the lowest number goes first.
 *
 *  R2 A message is a header probe and M data flits. It waits in an unlimited queue of its source
 *     for a free virtual injection channel; its header is then at the source's switch.
 *
 *  R3 A header takes one of the free virtual channels of all profitable channels, each as likely,
 *     and competes for the link like a flit. It routes again in the cycle after crossing.
 *
 *  R4 Acknowledgements travel one link a cycle beside the data. The first data flit, at node p,
 *     may cross link p+1 in cycle t once the header is at node p+K or beyond, since cycle s, and
 *     t >= s + K-1; or once it was accepted at the destination, d links away, in cycle a and
 *     t >= a + 1 + d - p. K = 0 uses the rule of K = 1. The other data flits follow freely.
 *
 *  R5 A header that finds nothing free, K >= 1, and whose first data flit is not at its node,
 *     frees its last link and steps back in that cycle. The dimension is marked as tried there;
 *     marks go when a header arrives at a node from behind. At its source it tries again every
 *     cycle and forgets the marks.
 *
 *  R6 If it may not step back it frees all it holds, its flits return to the source, and it
 *     starts again in the next cycle: with its injection channel, or, if its last flit had left
 *     the source, from the head of the queue.
 *
 *  R7 At its destination it waits for a free virtual ejection channel and is then accepted. A
 *     virtual channel is free again in the cycle after its last flit left it, whatever
 *     network.handover says; network.order means nothing here.
 *
 *  R8 A faulty channel is never free. A message whose minimal paths are all broken is not sent
 *     but counted; of two half-way directions one that works is used.
 *
 * No deadlock: a header that waits inside the network waits for an ejection channel only, and those
 * drain. No livelock with probability one: every restart draws its path afresh (R3), and a minimal
 * path exists (R8).
 *
 * Invariants (asserted in the checking build)
 *
 *  I1 A virtual channel is free exactly if no message holds it and its channel is whole.
 *  I2 The data flits of a message at the source, in buffers and delivered add up to M.
 *  I3 A channel sends at most one flit a cycle.
 *  I4 The first data flit is never ahead of its header, and only crosses with the lead of R4.
 *  I5 A flit moves only from a full buffer into an empty one.
 *  I6 Links crossed and hops left of a header add up to the distance: the path is minimal.
 *  I7 The virtual channels of a path are linked both ways, from the tail to the header.
 *  I8 While messages are in the network, data flits arrive: progress. */
#include "simulators/flit/scouting.h"
#include <math.h>
#include "base/memory.h"

static const fc_metric_id observables[] = {
    FC_METRIC_LATENCY,    FC_METRIC_NETWORK_LATENCY, FC_METRIC_SOURCE_WAIT,
    FC_METRIC_THROUGHPUT, FC_METRIC_OFFERED,         FC_METRIC_BACKTRACKS,
    FC_METRIC_RESTARTS,   FC_METRIC_UNREACHABLE,     FC_METRIC_NONE,
};

static const char *const stations[] = {"the network and its sources", NULL};

static const char *const controls[] = {"messages offered", "hops of messages delivered",
                                       "waits in shadow queues", NULL};

enum { STREAM_ARRIVALS = 1, STREAM_DESTINATIONS, STREAM_TIES, STREAM_CHOICES };

/* ---- the source queues ---- */

static fc_status grow_waiting(fc_scouting *network, fc_error *error) {
    const uint32_t before = network->free_waiting.room;
    fc_scouting_waiting *grown = fc_free_list_grow(
        &network->free_waiting, FC_RECORDS(network->waiting), 2 * network->message_count);
    if (!grown)
        return fc_fail_memory(error);
    network->waiting = grown;
    network->waiting_left += network->free_waiting.room - before;
    return FC_OK;
}

static uint32_t take_waiting(fc_scouting *network) {
    --network->waiting_left;
    ++network->queued;
    return fc_free_list_take(&network->free_waiting, FC_RECORDS(network->waiting));
}

static void want_grant(fc_scouting *network, uint32_t node) {
    network->grant[node >> 6] |= UINT64_C(1) << (node & 63);
}

static fc_status generate(fc_scouting *network, fc_error *error) {
    const fc_traffic *traffic = network->traffic;
    const uint32_t source = traffic->sender[fc_random_below(&network->arrivals, traffic->senders)];
    const uint32_t destination = fc_traffic_draw(traffic, &network->destinations, source);
    uint32_t ties;
    uint32_t rising = fc_route_rising(network->geometry, source, destination, &ties);
    if (ties)
        rising ^= ties & fc_random_word(&network->ties);
    ++network->generated;
    if (network->common->reachable) {
        const bool lost =
            !fc_scouting_reachable(network->common, source, destination, ties, &rising);
        fc_observe(network->sample, FC_METRIC_UNREACHABLE, lost, 1);
        if (lost)
            return FC_OK;
    }
    const uint32_t entry = take_waiting(network), node = source;
    network->waiting[entry] = (fc_scouting_waiting){.arrival = network->cycle,
                                                    .granted = UINT64_MAX,
                                                    .destination = destination,
                                                    .next = FC_NONE,
                                                    .rising = rising};
    if (network->queue_last[node] == FC_NONE)
        network->queue_first[node] = entry;
    else
        network->waiting[network->queue_last[node]].next = entry;
    network->queue_last[node] = entry;
    want_grant(network, node);
    return fc_torus_shadow_message(&network->shadow, network->cycle,
                                   (fc_torus_journey){source, destination, rising, ties}, error);
}

static fc_status arrivals(fc_scouting *network, fc_error *error) {
    const double rate = network->torus->rate * (double)network->traffic->senders;
    while (network->next_arrival < (double)network->cycle + 1) {
        if (network->waiting_left <= network->message_count) {
            const fc_status status = grow_waiting(network, error);
            if (status != FC_OK)
                return status;
        }
        const fc_status status = generate(network, error);
        if (status != FC_OK)
            return status;
        network->next_arrival += fc_random_exponential(&network->arrivals) / rate;
    }
    return FC_OK;
}

static void grant(fc_scouting *network, uint32_t node) {
    const uint32_t channel = network->injection_first + node;
    while (network->queue_first[node] != FC_NONE && network->channel[channel].free != 0) {
        const uint32_t entry = network->queue_first[node];
        fc_scouting_waiting *waiting = &network->waiting[entry];
        assert(network->free_messages.first != FC_NONE);
        const uint32_t number =
            fc_free_list_take(&network->free_messages, FC_RECORDS(network->message));
        fc_scouting_message *message = &network->message[number];
        ++network->in_network;
        message->arrival = waiting->arrival;
        message->granted = waiting->granted == UINT64_MAX ? network->cycle : waiting->granted;
        message->source = node;
        message->destination = waiting->destination;
        message->rising = waiting->rising;
        message->backtracks = waiting->backtracks;
        message->restarts = waiting->restarts;
        network->queue_first[node] = waiting->next;
        if (waiting->next == FC_NONE)
            network->queue_last[node] = FC_NONE;
        fc_free_list_give(&network->free_waiting, FC_RECORDS(network->waiting), entry);
        ++network->waiting_left;
        --network->queued;
        const uint32_t vc =
            channel * network->stride + fc_lowest_bit(network->channel[channel].free);
        fc_scouting_hold(network, vc, number, 0);
        fc_scouting_set_ready(network, vc);
        fc_scouting_start(network, number);
        fc_scouting_setup_append(network, number);
    }
}

static void grants(fc_scouting *network) {
    const uint32_t words = (network->nodes + 63) / 64;
    for (uint32_t word = 0; word < words; ++word)
        while (network->grant[word]) {
            const uint32_t node = word * 64 + fc_lowest_bit(network->grant[word]);
            network->grant[word] &= network->grant[word] - 1;
            grant(network, node);
        }
}

static void free_message(fc_scouting *network, uint32_t number) {
    fc_free_list_give(&network->free_messages, FC_RECORDS(network->message), number);
    --network->in_network;
}

void fc_scouting_return(fc_scouting *network, uint32_t number) {
    const fc_scouting_message *message = &network->message[number];
    const uint32_t entry = take_waiting(network), node = message->source;
    network->waiting[entry] = (fc_scouting_waiting){.arrival = message->arrival,
                                                    .granted = message->granted,
                                                    .destination = message->destination,
                                                    .next = network->queue_first[node],
                                                    .rising = message->rising,
                                                    .backtracks = message->backtracks,
                                                    .restarts = message->restarts};
    network->queue_first[node] = entry;
    if (network->queue_last[node] == FC_NONE)
        network->queue_last[node] = entry;
    want_grant(network, node);
    free_message(network, number);
}

/* Cycles of a message over d links of an empty network. */
static uint32_t empty_time(const fc_scouting *network, uint32_t d) {
    const uint32_t lead = d >= network->lead ? 2 * network->lead - 1 : 2 * d + 1;
    return d + network->message_flits + lead;
}

void fc_scouting_deliver(fc_scouting *network, uint32_t number) {
    const fc_scouting_message *message = &network->message[number];
    const uint64_t now = network->cycle + 1;
    fc_sample *sample = network->sample;
    fc_observe(sample, FC_METRIC_LATENCY, (double)(now - message->arrival), 1);
    fc_observe(sample, FC_METRIC_NETWORK_LATENCY, (double)(now - message->granted), 1);
    fc_observe(sample, FC_METRIC_SOURCE_WAIT, (double)(message->granted - message->arrival), 1);
    fc_observe(sample, FC_METRIC_BACKTRACKS, message->backtracks, 1);
    fc_observe(sample, FC_METRIC_RESTARTS, message->restarts, 1);
    fc_histogram_add(sample->latencies, now - message->arrival);
    ++network->delivered;
    network->delivered_hops +=
        fc_geometry_distance(network->geometry, message->source, message->destination);
    ++network->total.messages;
    network->total.latency += (double)(now - message->arrival);
    network->total.source_wait += (double)(message->granted - message->arrival);
    network->total.empty += (double)empty_time(network, message->header);
    free_message(network, number);
}

/* ---- time ---- */

static void one_cycle(fc_scouting *network) {
    grants(network);
    fc_scouting_route(network);
    fc_scouting_transfer(network);
    ++network->cycle;
}

/* R8 leaves every message a path, so that silence this long is a defect, not bad luck. */
static uint64_t patience(const fc_scouting *network) {
    return 20000 * (network->message_flits + 2 * network->distance + network->path_stride);
}

static fc_status advance(void *state, uint64_t cycles, fc_sample *sample, fc_error *error) {
    fc_scouting *network = state;
    const uint64_t start = network->cycle, end = start + cycles;
    const uint64_t hops = network->flit_hops;
    network->sample = sample;
    network->delivered = network->generated = network->delivered_hops = 0;
    while (network->cycle < end) {
        if (network->in_network == 0 && network->queued == 0) {
            if (network->next_arrival >= (double)end) {
                network->cycle = end;
                break;
            }
            if (network->next_arrival >= (double)network->cycle + 1)
                network->cycle = (uint64_t)network->next_arrival;
            network->last_progress = network->cycle;
        }
        const fc_status status = arrivals(network, error);
        if (status != FC_OK)
            return status;
        one_cycle(network);
#ifdef FC_CHECKS
        if (network->cycle % 64 == 0)
            fc_scouting_check(network);
#endif
        if (network->cycle - network->last_progress > patience(network)) /* I8 */
            return fc_fail(error, FC_ERROR_UNSUPPORTED,
                           "the scouting simulation made no progress from cycle %llu to %llu",
                           (unsigned long long)network->last_progress,
                           (unsigned long long)network->cycle);
    }
    const double delivered = (double)network->delivered;
    const double node_cycles = (double)cycles * (double)network->traffic->senders;
    fc_observe(sample, FC_METRIC_THROUGHPUT, delivered, node_cycles);
    fc_observe(sample, FC_METRIC_OFFERED, (double)network->generated, node_cycles);
    sample->events += network->flit_hops - hops;
    sample->backlog = (double)(network->queued + network->in_network);
    sample->arrivals = (double)network->generated;
    const double expected = network->torus->rate * node_cycles;
    sample->controls[0] = (double)network->generated - expected;
    if (!isnan(network->mean_hops) && !network->common->reachable) /* what is lost has its hops */
        sample->controls[1] =
            (double)network->delivered_hops - network->mean_hops * (double)network->delivered;
    sample->controls[2] = fc_torus_shadow_surplus(&network->shadow, end, cycles);
    sample->stations[0] =
        (fc_station){sample->backlog, delivered, sample->sums[FC_METRIC_LATENCY] - delivered};
    network->sample = NULL;
    return FC_OK;
}

static void start_measuring(void *state) {
    fc_scouting *network = state;
    network->measured_from = network->cycle;
    network->total = (fc_scouting_totals){0};
    for (uint32_t c = 0; c < network->channels; ++c)
        network->channel[c].flits = 0;
}

/* ---- creation ---- */

static void release(void *state) {
    fc_scouting *network = state;
    if (!network)
        return;
    void *const blocks[] = {network->channel, network->vc,          network->message,
                            network->path,    network->reach,       network->marks,
                            network->hops,    network->active,      network->active_next,
                            network->waiting, network->queue_first, network->queue_last,
                            network->grant};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        fc_release(blocks[i]);
    fc_torus_shadow_free(&network->shadow);
    fc_release(network);
}

static void size_network(fc_scouting *network, const fc_torus *torus) {
    network->nodes = (uint32_t)torus->nodes;
    network->dimensions = (uint32_t)torus->radix.count;
    network->ports = 2 * network->dimensions;
    network->network_first = network->nodes;
    network->injection_first = network->nodes * (1 + network->ports);
    network->channels = network->nodes * (2 + network->ports);
    network->virtual_channels = (uint32_t)torus->virtual_channels;
    network->injection_channels = (uint32_t)torus->injection_channels;
    network->ejection_channels = (uint32_t)torus->ejection_channels;
    network->stride = network->virtual_channels;
    if (network->stride < network->injection_channels)
        network->stride = network->injection_channels;
    if (network->stride < network->ejection_channels)
        network->stride = network->ejection_channels;
    network->message_flits = (uint32_t)torus->message_flits;
    network->distance = (uint32_t)torus->scouting_distance;
    network->lead = network->distance > 1 ? network->distance : 1;
    network->path_stride = fc_geometry_diameter(network->geometry) + 2;
    /* each message holds an injection or a network channel */
    network->message_count =
        network->nodes * (network->injection_channels + network->ports * network->virtual_channels);
    network->active_words = (network->channels + 63) / 64;
}

static bool allocate_network(fc_scouting *network) {
    const size_t messages = network->message_count, nodes = network->nodes;
    const size_t entries = messages * network->path_stride, words = network->active_words;
    const size_t channels = network->channels;
    network->channel = fc_allocate(channels, sizeof *network->channel);
    network->vc = fc_allocate(channels * network->stride, sizeof *network->vc);
    network->message = fc_allocate(messages, sizeof *network->message);
    network->path = fc_allocate(entries, sizeof *network->path);
    network->reach = fc_allocate(entries, sizeof *network->reach);
    network->marks = fc_allocate(entries, sizeof *network->marks);
    network->hops = fc_allocate(messages * network->dimensions, sizeof *network->hops);
    network->active = fc_allocate(words, sizeof *network->active);
    network->active_next = fc_allocate(words, sizeof *network->active_next);
    network->queue_first = fc_allocate(nodes, sizeof *network->queue_first);
    network->queue_last = fc_allocate(nodes, sizeof *network->queue_last);
    network->grant = fc_allocate(nodes / 64 + 1, sizeof *network->grant);
    return network->channel && network->vc && network->message && network->path && network->reach &&
           network->marks && network->hops && network->active && network->active_next &&
           network->queue_first && network->queue_last && network->grant;
}

/* Channels a mesh or a unidirectional torus does not have are never on a minimal path. */
static void fill_channels(fc_scouting *network) {
    for (uint32_t c = 0; c < network->channels; ++c) {
        fc_scouting_channel *channel = &network->channel[c];
        uint32_t count = network->virtual_channels;
        if (c < network->network_first)
            count = network->ejection_channels;
        else if (c >= network->injection_first)
            count = network->injection_channels;
        channel->free = count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
        channel->last = count - 1;
        for (uint32_t v = 0; v < network->stride; ++v) {
            network->vc[c * network->stride + v].message = FC_NONE;
            network->vc[c * network->stride + v].channel = c;
        }
    }
    const uint64_t *broken = network->common->broken;
    for (uint32_t c = 0; c < network->geometry->channels; ++c) {
        fc_scouting_channel *channel = &network->channel[network->network_first + c];
        channel->target = fc_channel_end(network->geometry, c, NULL, NULL);
        if (broken && broken[c >> 6] >> (c & 63) & 1)
            channel->free = 0;
    }
}

static fc_status prepare(const fc_scenario *scenario, fc_error *error, void **shared) {
    const fc_torus *torus = scenario->parameters;
    fc_scouting_common *common;
    fc_status status = fc_scouting_common_create(torus, error, &common);
    if (status != FC_OK)
        return status;
    if (!fc_faults_are_listed(
            &torus->faults)) /* else, lost messages and detours are not in its expectation */
        status =
            fc_torus_shadow_plan_create(scenario, common->network, true,
                                        (uint32_t)torus->scouting_distance, error, &common->shadow);
    if (status != FC_OK) {
        fc_scouting_common_free(common);
        return status;
    }
    *shared = common;
    return FC_OK;
}

static void discard(void *shared) {
    fc_scouting_common_free(shared);
}

static fc_status create(const fc_scenario *scenario, const void *shared, uint64_t seed,
                        uint32_t replication, fc_error *error, void **state) {
    fc_scouting *network = fc_allocate(1, sizeof *network);
    if (!network)
        return fc_fail_memory(error);
    network->common = shared;
    network->torus = scenario->parameters;
    network->geometry = network->common->network->geometry;
    network->traffic = network->common->network->traffic;
    network->free_messages = network->free_waiting = fc_free_list_make();
    network->mean_hops = network->common->network->mean_hops;
    size_network(network, network->torus);
    if (!allocate_network(network) || grow_waiting(network, NULL) != FC_OK ||
        fc_torus_shadow_create(network->common->shadow, NULL, &network->shadow) != FC_OK) {
        release(network);
        return fc_fail_memory(error);
    }
    fill_channels(network);
    network->setup_first = network->setup_last = FC_NONE;
    for (uint32_t i = network->message_count; i-- > 0;)
        fc_free_list_give(&network->free_messages, FC_RECORDS(network->message), i);
    for (uint32_t node = 0; node < network->nodes; ++node)
        network->queue_first[node] = network->queue_last[node] = FC_NONE;
    network->arrivals = fc_random_stream(seed, replication, STREAM_ARRIVALS);
    network->destinations = fc_random_stream(seed, replication, STREAM_DESTINATIONS);
    network->ties = fc_random_stream(seed, replication, STREAM_TIES);
    network->choices = fc_random_stream(seed, replication, STREAM_CHOICES);
    const double rate = network->torus->rate * (double)network->traffic->senders;
    network->next_arrival = rate > 0 ? fc_random_exponential(&network->arrivals) / rate : INFINITY;
    *state = network;
    return FC_OK;
}

/* What a simulation takes is known before it is taken: for every message that can be under way,
 * each step of the longest path; with faults, a table and the time to fill it. */
static fc_status check_size(const fc_scenario *scenario, fc_error *error) {
    const fc_torus *torus = scenario->parameters;
    const double most = 1 << 28;
    double diameter = 0;
    for (size_t i = 0; i < torus->radix.count; ++i)
        diameter += floor((double)torus->radix.values[i] / 2);
    const double messages = (double)scenario->simulation.replications * (double)torus->nodes *
                            ((double)torus->injection_channels +
                             2 * (double)torus->radix.count * (double)torus->virtual_channels);
    if (messages * (diameter + 2) > most)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the scouting simulator takes at most 2^28 steps of paths (messages that "
                       "can be under way times the longest path, all replications together); "
                       "%.3g were asked for",
                       messages * (diameter + 2));
    const double combinations =
        fc_faults_are_listed(&torus->faults) ? fc_scouting_fault_table(torus) : 0;
    if (combinations > 1 << 30)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "with faults the scouting simulator takes at most 2^30 combinations of a "
                       "node and the hops to go from it; this network has %.3g",
                       combinations);
    return FC_OK;
}

static bool suits(const fc_scenario *scenario) {
    const fc_torus *torus = scenario->parameters;
    return torus->switching == FC_SCOUTING;
}

static fc_status covers(const fc_scenario *scenario, fc_error *error) {
    const fc_torus *torus = scenario->parameters;
    if (!suits(scenario))
        return fc_fail(error, FC_ERROR_UNSUPPORTED, "network.switching is not scouting");
    if (torus->kind != FC_OPEN)
        return fc_fail(error, FC_ERROR_UNSUPPORTED, "scouting is simulated with open traffic only");
    if (torus->buffer != 1)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "scouting is simulated with buffers of one flit");
    if (torus->virtual_channels > FC_SCOUTING_CHANNELS_MAX ||
        torus->injection_channels > FC_SCOUTING_CHANNELS_MAX ||
        torus->ejection_channels > FC_SCOUTING_CHANNELS_MAX)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "scouting is simulated with at most %d virtual channels",
                       FC_SCOUTING_CHANNELS_MAX);
    return check_size(scenario, error);
}

static double time_scale(const fc_scenario *scenario) {
    const fc_torus *torus = scenario->parameters;
    double distance = 0;
    for (size_t i = 0; i < torus->radix.count; ++i)
        distance += (double)torus->radix.values[i] / 4;
    return 4 * ((double)torus->message_flits + distance + 2 * (double)torus->scouting_distance);
}

const fc_simulator fc_simulator_scouting = {
    .info =
        {
            .name = "scouting",
            .revision = 4,
            .kind = FC_SIMULATOR,
            .family = "torus",
            .title = "flit-level simulation of scouting switching",
            .source = "ours; rules after Safaei et al. and Dao, Duato, Yalamanchili (1999)",
            .validity = "tori and meshes, open traffic, minimal fully adaptive routing",
            .accuracy = "exact for its rules; agrees flit for flit with a plain implementation",
        },
    .event_name = "flit-hops",
    .observables = observables,
    .stations = stations,
    .controls = controls,
    .suits = suits,
    .covers = covers,
    .prepare = prepare,
    .discard = discard,
    .create = create,
    .advance = advance,
    .start_measuring = start_measuring,
    .report = fc_scouting_report,
    .release = release,
    .time_scale = time_scale,
};
