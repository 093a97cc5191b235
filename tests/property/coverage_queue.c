#include "coverage_queue.h"

#include <stdlib.h>
#include "base/random.h"

enum { WAITING_MOST = 1 << 18 }; /* in all queues */

typedef struct customer {
    double arrival, departure;
} customer;

typedef struct queue {
    fc_random arrivals, services;
    double next_arrival, last_departure;
    customer *waiting; /* a ring */
    uint32_t first, count;
} queue;

typedef struct queue_state {
    queue_case what;
    double now;
    uint32_t room; /* of each queue */
    queue *queues;
    customer *waiting;
} queue_state;

/* Exponential from one word instead of two: these tests live on their speed. */
static double quick_exponential(fc_random *random) {
    return -log(((double)fc_random_word(random) + 0.5) * 0x1p-32);
}

static void queue_release(void *state) {
    queue_state *s = state;
    if (s) {
        free(s->waiting);
        free(s->queues);
    }
    free(s);
}

static fc_status queue_create(const fc_scenario *scenario, const void *common, uint64_t seed,
                              uint32_t replication, fc_error *error, void **state) {
    (void)common;
    queue_state *s = calloc(1, sizeof *s);
    if (!s)
        return fc_fail_memory(error);
    s->what = *(const queue_case *)(const void *)scenario;
    s->room = WAITING_MOST / s->what.queues;
    s->waiting = calloc(WAITING_MOST, sizeof *s->waiting);
    s->queues = calloc(s->what.queues, sizeof *s->queues);
    if (!s->waiting || !s->queues) {
        queue_release(s);
        return fc_fail_memory(error);
    }
    for (uint32_t i = 0; i < s->what.queues; ++i) {
        queue *q = &s->queues[i];
        q->waiting = s->waiting + (size_t)i * s->room;
        q->arrivals = fc_random_stream(seed, replication, 2 * i);
        q->services = fc_random_stream(seed, replication, 2 * i + 1);
        q->next_arrival = quick_exponential(&q->arrivals) / s->what.load;
    }
    *state = s;
    return FC_OK;
}

static void depart(queue *q, uint32_t room, double until, fc_sample *sample) {
    while (q->count && q->waiting[q->first].departure <= until) {
        const customer *c = &q->waiting[q->first];
        sample->sums[FC_METRIC_LATENCY] += c->departure - c->arrival;
        sample->weights[FC_METRIC_LATENCY] += 1;
        sample->sums[FC_METRIC_THROUGHPUT] += 1;
        fc_histogram_add(sample->latencies, (uint64_t)(c->departure - c->arrival));
        ++sample->events;
        q->first = q->first + 1 < room ? q->first + 1 : 0;
        if (--q->count == 0)
            q->first = 0; /* few customers use little memory */
    }
}

static bool advance_queue(queue *q, const queue_state *s, double end, fc_sample *sample) {
    while (q->next_arrival <= end) {
        depart(q, s->room, q->next_arrival, sample);
        if (q->count == s->room)
            return false;
        const double service = s->what.deterministic ? 1 : quick_exponential(&q->services);
        q->last_departure = fmax(q->next_arrival, q->last_departure) + service;
        q->waiting[(q->first + q->count++) % s->room] =
            (customer){q->next_arrival, q->last_departure};
        q->next_arrival += quick_exponential(&q->arrivals) / s->what.load;
        sample->arrivals += 1;
        sample->controls[0] += 1;
        sample->controls[1] += service - 1;
    }
    depart(q, s->room, end, sample);
    sample->backlog += q->count;
    return true;
}

static fc_status queue_advance(void *state, uint64_t cycles, fc_sample *sample, fc_error *error) {
    queue_state *s = state;
    s->now += (double)cycles;
    for (uint32_t i = 0; i < s->what.queues; ++i) {
        if (!advance_queue(&s->queues[i], s, s->now, sample))
            return fc_fail(error, FC_ERROR_MEMORY, "more customers than the test has room for");
    }
    sample->weights[FC_METRIC_THROUGHPUT] += (double)cycles * s->what.queues;
    sample->controls[0] -= s->what.load * (double)cycles * s->what.queues;
    return FC_OK;
}

static double queue_time_scale(const fc_scenario *scenario) {
    return ((const queue_case *)(const void *)scenario)->time_scale;
}

static const fc_metric_id queue_observables[] = {FC_METRIC_LATENCY, FC_METRIC_THROUGHPUT,
                                                 FC_METRIC_NONE};

/* Customers and service offered, whose means are known. */
static const char *const queue_controls[] = {"customers", "service", NULL};

const fc_simulator queue_simulator = {
    .info = {.name = "queue", .kind = FC_SIMULATOR},
    .event_name = "customers",
    .observables = queue_observables,
    .controls = queue_controls,
    .create = queue_create,
    .advance = queue_advance,
    .release = queue_release,
    .time_scale = queue_time_scale,
};

const fc_scenario *queue_scenario(const queue_case *what) {
    return (const fc_scenario *)(const void *)what;
}

double queue_mean_latency(const queue_case *what) {
    const double wait = what->load / (1 - what->load);
    return 1 + (what->deterministic ? 0.5 * wait : wait);
}
