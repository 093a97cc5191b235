/* Closed traffic: the protocol that Hamacher and Jiang describe in section 2.
 *
 * A station has `outstanding` customers, one processor and one memory. The processor serves its
 * customers first come first (geometric on 1, 2, ... with mean think_time); each then sends a
 * request, of which a share `reads`, to the memory of another station. A memory that is free
 * accepts the request that comes and refuses all others for memory_busy cycles. In either case the
 * acknowledgement takes the slot that the request has left.
 * The data of a read join the queue of the memory's station after memory_reply cycles. A refused
 * request is sent again, `retry` cycles after its acknowledgement. A write is complete when it is
 * acknowledged, a read when its data have come too; the customer is back at its processor in the
 * next cycle.
 *
 * What is due in a cycle happens in the order of the customers, and only then is anything drawn:
 * service times and kinds from the stream of arrivals, memories from that of destinations. */
#include "simulators/slot/ring_closed.h"

#include <assert.h>
#include "base/memory.h"
#include "registry/result.h"

static void schedule(fc_ring_closed *closed, uint32_t number, uint8_t what, uint64_t when) {
    closed->customer[number].due = what;
    fc_calendar_add(&closed->calendar, number, when);
}

static uint32_t owner_of(const fc_ring_closed *closed, uint32_t customer) {
    return customer / (uint32_t)closed->of.outstanding;
}

/* ---- processors ---- */

static void start_service(fc_slotted_rings *rings, uint32_t station) {
    fc_ring_closed *closed = rings->closed;
    const uint64_t cycles = fc_random_geometric(&rings->arrivals, closed->of.think_time);
    closed->all.services += 1;
    closed->all.service_cycles += cycles;
    schedule(closed, closed->station[station].first, FC_RING_THOUGHT, rings->now + cycles);
}

static void join_processor(fc_slotted_rings *rings, uint32_t number) {
    fc_ring_closed *closed = rings->closed;
    const uint32_t station = owner_of(closed, number);
    fc_ring_station *at = &closed->station[station];
    closed->customer[number].joined = rings->now;
    closed->customer[number].next = FC_NONE;
    ++closed->at_processors;
    if (at->first != FC_NONE) {
        closed->customer[at->last].next = number;
        at->last = number;
        return;
    }
    at->first = at->last = number;
    ++closed->busy;
    start_service(rings, station);
}

static fc_status send(fc_slotted_rings *rings, uint32_t number, uint32_t message, fc_error *error) {
    const fc_ring_customer *about = &rings->closed->customer[number];
    const uint32_t owner = owner_of(rings->closed, number);
    const uint32_t index = fc_slotted_rings_packet(rings, error);
    if (index == FC_NO_PACKET)
        return FC_ERROR_MEMORY;
    fc_ring_packet *packet = &rings->packets[index];
    const bool request = message == FC_RING_REQUEST;
    packet->destination = request ? about->memory : owner;
    packet->turn = about->turn;
    packet->message = FC_RING_MESSAGES * number + message;
    fc_slotted_rings_send(rings, request ? owner : about->memory, index);
    return FC_OK;
}

static fc_status try_again(fc_slotted_rings *rings, uint32_t number, fc_error *error) {
    rings->closed->customer[number].attempt = rings->now;
    return send(rings, number, FC_RING_REQUEST, error);
}

static fc_status end_service(fc_slotted_rings *rings, uint32_t number, fc_error *error) {
    fc_ring_closed *closed = rings->closed;
    fc_ring_customer *about = &closed->customer[number];
    const uint32_t station = owner_of(closed, number);
    fc_ring_station *at = &closed->station[station];
    fc_ring_packet drawn;
    about->reads = fc_random_unit(&rings->arrivals) < closed->of.reads;
    fc_slotted_rings_draw(rings, station, &drawn);
    about->memory = drawn.destination;
    about->turn = drawn.turn;
    about->sent = rings->now;
    about->refused = 0;
    closed->all.left += 1;
    closed->all.stay += rings->now - about->joined;
    --closed->at_processors;
    at->first = about->next;
    if (at->first != FC_NONE)
        start_service(rings, station);
    else
        --closed->busy;
    return try_again(rings, number, error);
}

static void come_back(fc_slotted_rings *rings, uint32_t number) {
    fc_ring_closed *closed = rings->closed;
    const fc_ring_customer *about = &closed->customer[number];
    fc_ring_closed_sums *all = &closed->all;
    const uint64_t response = rings->now - about->sent;
    all->served[about->reads] += 1;
    all->response[about->reads] += response;
    all->refused[about->reads] += about->refused;
    all->tried += about->attempt - about->sent;
    all->at_memory += about->reads ? (uint64_t)closed->of.memory_reply : 0;
    all->round_trip += rings->now - about->joined;
    if (rings->hot_share > 0 && about->memory == rings->hot) {
        all->served_hot += 1;
        all->response_hot += response;
    }
    join_processor(rings, number);
}

static fc_status act(fc_slotted_rings *rings, uint32_t number, fc_error *error) {
    switch (rings->closed->customer[number].due) {
    case FC_RING_THOUGHT:
        return end_service(rings, number, error);
    case FC_RING_RETRY:
        return try_again(rings, number, error);
    case FC_RING_READ:
        return send(rings, number, FC_RING_DATA, error);
    default:
        come_back(rings, number);
        return FC_OK;
    }
}

fc_status fc_ring_closed_begin(fc_slotted_rings *rings, fc_error *error) {
    fc_ring_closed *closed = rings->closed;
    const uint32_t words = (closed->customers + 63) / 64;
    uint64_t earliest = fc_calendar_earliest(&closed->calendar);
    if (earliest > rings->now)
        return FC_OK;
    for (; earliest <= rings->now; earliest = fc_calendar_earliest(&closed->calendar))
        fc_calendar_take(&closed->calendar, earliest, closed->now);
    for (uint32_t w = 0; w < words; ++w) {
        uint64_t due = closed->now[w];
        closed->now[w] = 0;
        for (; due != 0; due &= due - 1) {
            const fc_status status = act(rings, 64 * w + (uint32_t)__builtin_ctzll(due), error);
            if (status != FC_OK)
                return status;
        }
    }
    return FC_OK;
}

/* ---- memories, and what comes back ---- */

static bool accept(fc_slotted_rings *rings, uint32_t number) {
    fc_ring_closed *closed = rings->closed;
    fc_ring_customer *about = &closed->customer[number];
    fc_ring_station *at = &closed->station[about->memory];
    if (rings->now < at->memory_free_from) {
        ++about->refused;
        return false;
    }
    at->memory_free_from = rings->now + (uint64_t)closed->of.memory_busy;
    about->awaited = about->reads ? 2 : 1;
    if (about->reads)
        schedule(closed, number, FC_RING_READ, rings->now + (uint64_t)closed->of.memory_reply);
    return true;
}

bool fc_ring_closed_arrive(fc_slotted_rings *rings, fc_ring_packet *packet) {
    fc_ring_closed *closed = rings->closed;
    const uint32_t number = packet->message / FC_RING_MESSAGES;
    closed->last_arrival = rings->now;
    switch (packet->message % FC_RING_MESSAGES) {
    case FC_RING_REQUEST:
        packet->message = FC_RING_MESSAGES * number +
                          (accept(rings, number) ? FC_RING_ACCEPTED : FC_RING_REFUSED);
        packet->destination = owner_of(closed, number);
        packet->born = packet->joined = rings->now;
        packet->waits[FC_AT_STATION] = packet->waits[FC_GOING_UP] = packet->waits[FC_GOING_DOWN] =
            0;
        return true;
    case FC_RING_REFUSED:
        schedule(closed, number, FC_RING_RETRY, rings->now + 1 + (uint64_t)closed->of.retry);
        return false;
    default:
        assert(closed->customer[number].awaited > 0);
        if (--closed->customer[number].awaited == 0)
            schedule(closed, number, FC_RING_BACK, rings->now + 1);
        return false;
    }
}

void fc_ring_closed_end(fc_slotted_rings *rings) {
    rings->closed->all.busy += rings->closed->busy;
}

/* Nothing is due at any station, and for long no packet has come to one: those that go round on
 * their rings will for ever. A packet that can move needs less than a round of its ring. */
fc_status fc_ring_closed_check(const fc_slotted_rings *rings, fc_error *error) {
    const fc_ring_closed *closed = rings->closed;
    const uint64_t patience = 1000 + 100 * (uint64_t)rings->node_count;
    if (rings->room == 0 || rings->now - closed->last_arrival < patience ||
        fc_calendar_earliest(&closed->calendar) != UINT64_MAX)
        return FC_OK;
    return fc_fail(error, FC_ERROR_INPUT,
                   "the network is deadlocked at cycle %llu: local rings full of packets that want "
                   "up and rings above them full of packets that want down find no place in the "
                   "queues of their crossings; a longer network.queue, or fewer "
                   "traffic.outstanding, prevents it",
                   (unsigned long long)closed->last_arrival);
}

/* ---- creation ---- */

void fc_ring_closed_free(fc_ring_closed *closed) {
    if (!closed)
        return;
    fc_calendar_free(&closed->calendar);
    fc_release(closed->customer);
    fc_release(closed->station);
    fc_release(closed->now);
    fc_release(closed);
}

fc_status fc_ring_closed_create(fc_slotted_rings *rings, const fc_ring_requests *of,
                                fc_error *error) {
    fc_ring_closed *closed = fc_allocate(1, sizeof *closed);
    if (!closed)
        return fc_fail_memory(error);
    rings->closed = closed;
    closed->of = *of;
    closed->customers = rings->stations * (uint32_t)of->outstanding;
    closed->customer = fc_allocate(closed->customers, sizeof *closed->customer);
    closed->station = fc_allocate(rings->stations, sizeof *closed->station);
    closed->now = fc_allocate(((size_t)closed->customers + 63) / 64, sizeof *closed->now);
    if (!closed->customer || !closed->station || !closed->now ||
        fc_calendar_create(closed->customers, error, &closed->calendar) != FC_OK)
        return fc_fail_memory(error);
    for (uint32_t station = 0; station < rings->stations; ++station)
        closed->station[station].first = FC_NONE;
    for (uint32_t number = 0; number < closed->customers; ++number)
        join_processor(rings, number);
    return FC_OK;
}

/* ---- what is observed and reported ---- */

const fc_metric_id fc_ring_closed_observables[] = {
    FC_METRIC_EFFICIENCY,   FC_METRIC_RESPONSE_TIME,     FC_METRIC_REMOTE_TIME,
    FC_METRIC_NETWORK_TIME, FC_METRIC_RESPONSE_TIME_HOT, FC_METRIC_RESPONSE_TIME_COLD,
    FC_METRIC_ROUND_TRIP,   FC_METRIC_THROUGHPUT,        FC_METRIC_NONE,
};

const char *const fc_ring_closed_stations[] = {"the processors", "the network and the memories",
                                               "the whole round", NULL};

const char *const fc_ring_closed_controls[] = {"cycles of processing", NULL};

void fc_ring_closed_fill(fc_slotted_rings *rings, uint64_t cycles, fc_sample *sample) {
    fc_ring_closed *closed = rings->closed;
    const fc_ring_closed_sums *all = &closed->all, *before = &closed->before;
    const double station_cycles = (double)cycles * rings->stations;
    const double reads = (double)(all->served[1] - before->served[1]);
    const double served = (double)(all->served[0] - before->served[0]) + reads;
    const double response =
        (double)(all->response[0] - before->response[0] + all->response[1] - before->response[1]);
    const double remote = (double)(all->at_memory - before->at_memory);
    const double round_trip = (double)(all->round_trip - before->round_trip);
    fc_observe(sample, FC_METRIC_EFFICIENCY, (double)(all->busy - before->busy), station_cycles);
    fc_observe(sample, FC_METRIC_RESPONSE_TIME, response, served);
    fc_observe(sample, FC_METRIC_REMOTE_TIME, remote, served);
    fc_observe(sample, FC_METRIC_NETWORK_TIME, response - remote, served);
    fc_observe(sample, FC_METRIC_ROUND_TRIP, round_trip, served);
    fc_observe(sample, FC_METRIC_THROUGHPUT, served, station_cycles);
    if (rings->hot_share > 0) {
        const double hot = (double)(all->served_hot - before->served_hot);
        const double hot_response = (double)(all->response_hot - before->response_hot);
        fc_observe(sample, FC_METRIC_RESPONSE_TIME_HOT, hot_response, hot);
        fc_observe(sample, FC_METRIC_RESPONSE_TIME_COLD, response - hot_response, served - hot);
    }
    sample->events += cycles * rings->node_count;
    sample->stations[FC_RING_AT_PROCESSOR] =
        (fc_station){closed->at_processors, (double)(all->left - before->left),
                     (double)(all->stay - before->stay)};
    sample->stations[FC_RING_UNDER_WAY] =
        (fc_station){closed->customers - closed->at_processors, served, response};
    sample->stations[FC_RING_ROUND] = (fc_station){closed->customers, served, round_trip};
    sample->controls[0] = (double)(all->service_cycles - before->service_cycles) -
                          closed->of.think_time * (double)(all->services - before->services);
    closed->before = *all;
}

static double ratio(uint64_t sum, uint64_t weight) {
    return weight > 0 ? (double)sum / (double)weight : 0.0;
}

static void add_measured(const fc_ring_closed *closed, fc_ring_closed_sums *sum) {
    const fc_ring_closed_sums *all = &closed->all, *start = &closed->start;
    for (int reads = 0; reads < 2; ++reads) {
        sum->served[reads] += all->served[reads] - start->served[reads];
        sum->response[reads] += all->response[reads] - start->response[reads];
        sum->refused[reads] += all->refused[reads] - start->refused[reads];
    }
    sum->tried += all->tried - start->tried;
    sum->at_memory += all->at_memory - start->at_memory;
    sum->round_trip += all->round_trip - start->round_trip;
}

void fc_ring_closed_report(void *const *states, size_t replications, fc_result *result) {
    static const char *const columns[] = {"share", "response_time", "refused"};
    fc_ring_closed_sums sum = {0};
    for (size_t i = 0; i < replications; ++i)
        add_measured(((const fc_slotted_rings *)states[i])->closed, &sum);
    const uint64_t served = sum.served[0] + sum.served[1];
    const uint64_t response = sum.response[0] + sum.response[1];
    fc_result_set_parts_of(result, FC_METRIC_ROUND_TRIP);
    fc_result_add_part(result, "at the processor", "cycles",
                       ratio(sum.round_trip - response, served));
    fc_result_add_part(result, "refused attempts", "cycles", ratio(sum.tried, served));
    fc_result_add_part(result, "in the network", "cycles",
                       ratio(response - sum.tried - sum.at_memory, served));
    fc_result_add_part(result, "at the memory", "cycles", ratio(sum.at_memory, served));
    fc_table *table = fc_result_add_table(result, "requests", 2, columns, 3);
    for (int row = 0; table && row < 2; ++row) {
        const int reads = 1 - row;
        snprintf(table->row_labels[row], FC_NAME_SIZE, "%s", reads ? "read" : "write");
        table->values[3 * row] = ratio(sum.served[reads], served);
        table->values[3 * row + 1] = ratio(sum.response[reads], sum.served[reads]);
        table->values[3 * row + 2] = ratio(sum.refused[reads], sum.served[reads]);
    }
}
