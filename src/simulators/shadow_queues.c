#include "simulators/shadow_queues.h"

#include <string.h>
#include "base/memory.h"

enum { NONE = UINT32_MAX };
/* Busier queues settle slowly. */
static const double busiest = 0.97;

/* ---- plan ---- */

fc_status fc_shadow_plan_create(uint32_t queues, fc_error *error, fc_shadow_plan *plan) {
    *plan = (fc_shadow_plan){.queues = queues, .room = 1024, .path_room = 256};
    plan->queue = fc_allocate(queues + 1, sizeof *plan->queue);
    plan->visit = fc_allocate(plan->room, sizeof *plan->visit);
    plan->first = fc_allocate(plan->path_room + 1, sizeof *plan->first);
    if (plan->queue && plan->visit && plan->first)
        return FC_OK;
    fc_shadow_plan_free(plan);
    return fc_fail_memory(error);
}

void fc_shadow_plan_free(fc_shadow_plan *plan) {
    fc_release(plan->queue);
    fc_release(plan->visit);
    fc_release(plan->first);
    *plan = (fc_shadow_plan){0};
}

static fc_status make_room(fc_shadow_plan *plan, size_t visits, fc_error *error) {
    if (plan->visits + visits > plan->room) {
        const size_t room = 2 * (plan->visits + visits);
        fc_shadow_visit *more = fc_reallocate(plan->visit, room, sizeof *more);
        if (!more)
            return fc_fail_memory(error);
        plan->visit = more;
        plan->room = room;
    }
    if (plan->paths == plan->path_room) {
        const size_t room = 2 * plan->path_room;
        uint32_t *more = fc_reallocate(plan->first, room + 1, sizeof *more);
        if (!more)
            return fc_fail_memory(error);
        plan->first = more;
        plan->path_room = room;
    }
    return FC_OK;
}

fc_status fc_shadow_plan_path(fc_shadow_plan *plan, double share, const fc_shadow_visit *visits,
                              size_t count, fc_error *error) {
    const fc_status status = make_room(plan, count, error);
    if (status != FC_OK)
        return status;
    ++plan->paths;
    for (size_t i = 0; i < count; ++i) {
        fc_shadow_visit visit = visits[i];
        fc_shadow_queue *queue = &plan->queue[visit.queue];
        if (queue->path == plan->paths)
            continue;
        queue->path = plan->paths;
        if (!(queue->share > 0)) {
            queue->several_delays |= queue->seen && queue->delay != visit.delay;
            queue->delay = visit.delay;
            queue->seen = true;
        }
        queue->share += share;
        if (visit.stream != FC_NO_STREAM) {
            fc_shadow_queue *stream = &plan->queue[visit.stream];
            queue->streams += !stream->seen;
            stream->seen = true;
            stream->share += share;
        } else {
            queue->streams += 2;
        }
        visit.delay = queue->delay;
        plan->longest = visit.delay > plan->longest ? visit.delay : plan->longest;
        plan->visit[plan->visits++] = visit;
    }
    plan->first[plan->paths] = (uint32_t)plan->visits;
    return FC_OK;
}

void fc_shadow_plan_sender(fc_shadow_plan *plan, double rate) {
    for (uint32_t q = 0; q < plan->queues; ++q) {
        fc_shadow_queue *queue = &plan->queue[q];
        const double messages = rate * queue->share;
        queue->rate += messages;
        queue->rate_squares += messages * messages;
        queue->share = 0;
    }
}

static double busy(const fc_shadow_queue *queue, const fc_shadow_law *law) {
    return queue->rate * law->flits;
}

/* What is added to the sum in a cycle: the mean work. X is a sum over senders and their trials. */
static double mean_work(const fc_shadow_queue *queue, const fc_shadow_law *law) {
    const double load = busy(queue, law);
    const double square = queue->rate * law->flits_squared + load * load -
                          queue->rate_squares * law->flits * law->flits / law->trials;
    return (square - load) / (2 * (1 - load));
}

void fc_shadow_plan_finish(fc_shadow_plan *plan, const fc_shadow_law *law) {
    size_t kept = 0, from = 0;
    for (uint32_t path = 0; path < plan->paths; ++path) {
        for (; from < plan->first[path + 1]; ++from) {
            fc_shadow_visit visit = plan->visit[from];
            fc_shadow_queue *queue = &plan->queue[visit.queue];
            if (queue->streams < 2 || busy(queue, law) > busiest)
                continue;
            visit.at_once = !queue->several_delays;
            plan->calendar |= !visit.at_once;
            plan->visit[kept++] = visit;
            /* each queue and stream once */
            if (queue->path != NONE)
                plan->expected += mean_work(queue, law);
            queue->path = NONE;
            if (visit.stream == FC_NO_STREAM)
                continue;
            fc_shadow_queue *stream = &plan->queue[visit.stream];
            if (stream->path != NONE)
                plan->expected -= mean_work(stream, law);
            stream->path = NONE;
        }
        plan->first[path + 1] = (uint32_t)kept;
    }
    plan->visits = kept;
    fc_release(plan->queue);
    plan->queue = NULL;
}

/* ---- replication ---- */

fc_status fc_shadow_create(const fc_shadow_plan *plan, fc_error *error, fc_shadow *shadow) {
    *shadow = (fc_shadow){.plan = plan, .free = fc_free_list_make(), .mask = 1};
    while (shadow->mask <= plan->longest)
        shadow->mask = 2 * shadow->mask + 1;
    shadow->idle_from = fc_allocate(plan->queues + 1, sizeof *shadow->idle_from);
    shadow->due = fc_allocate(shadow->mask + 1, sizeof *shadow->due);
    if (!shadow->idle_from || !shadow->due) {
        fc_shadow_free(shadow);
        return fc_fail_memory(error);
    }
    memset(shadow->due, 0xff, (shadow->mask + 1) * sizeof *shadow->due);
    return FC_OK;
}

void fc_shadow_free(fc_shadow *shadow) {
    fc_release(shadow->idle_from);
    fc_release(shadow->due);
    fc_release(shadow->arrival);
    *shadow = (fc_shadow){0};
}

/* What the message adds to the sum of the work over all cycles, less S (S - 1) / 2. */
static inline uint64_t join(uint64_t *idle_from, uint64_t now, uint32_t flits) {
    const uint64_t before = *idle_from > now ? *idle_from - now : 0;
    *idle_from = now + before + flits;
    return before * flits;
}

/* What an arrival adds to the sum. */
static inline int64_t arrive(uint64_t *idle_from, uint32_t queue, uint32_t stream, uint64_t now,
                             uint32_t flits) {
    const uint64_t waits = join(&idle_from[queue], now, flits);
    const uint64_t less = stream != FC_NO_STREAM ? join(&idle_from[stream], now, flits)
                                                 : 0 - (uint64_t)flits * (flits - 1) / 2;
    return (int64_t)(waits - less);
}

static void count_until(fc_shadow *s, uint64_t until) {
    if (!s->plan->calendar)
        return;
    int64_t sum = 0;
    for (; s->now < until; ++s->now) {
        uint32_t *list = &s->due[s->now & s->mask];
        for (uint32_t a = *list, next; a != NONE; a = next) {
            const struct fc_shadow_arrival *arrival = &s->arrival[a];
            sum += arrive(s->idle_from, arrival->queue, arrival->stream, s->now, arrival->flits);
            next = arrival->next;
            fc_free_list_give(&s->free, FC_RECORDS(s->arrival), a);
        }
        *list = NONE;
    }
    s->sum += sum;
}

static fc_status grow(fc_shadow *s, fc_error *error) {
    enum { FIRST_ARRIVALS = 256 };
    struct fc_shadow_arrival *grown =
        fc_free_list_grow(&s->free, FC_RECORDS(s->arrival), FIRST_ARRIVALS);
    if (!grown)
        return fc_fail_memory(error);
    s->arrival = grown;
    return FC_OK;
}

fc_status fc_shadow_message(fc_shadow *s, uint64_t cycle, uint32_t path, uint32_t flits,
                            fc_error *error) {
    const fc_shadow_plan *plan = s->plan;
    const uint32_t end = plan->first[path + 1];
    int64_t sum = 0;
    count_until(s, cycle);
    for (uint32_t v = plan->first[path]; v < end; ++v) {
        const fc_shadow_visit *visit = &plan->visit[v];
        if (visit->at_once) {
            sum += arrive(s->idle_from, visit->queue, visit->stream, cycle + visit->delay, flits);
            continue;
        }
        if (s->free.first == NONE) {
            const fc_status status = grow(s, error);
            if (status != FC_OK)
                return status;
        }
        const uint32_t a = fc_free_list_take(&s->free, FC_RECORDS(s->arrival));
        uint32_t *list = &s->due[(cycle + visit->delay) & s->mask];
        s->arrival[a] = (struct fc_shadow_arrival){*list, visit->queue, visit->stream, flits};
        *list = a;
    }
    s->sum += sum;
    return FC_OK;
}

double fc_shadow_surplus(fc_shadow *s, uint64_t until, double cycles) {
    count_until(s, until);
    const double sum = (double)s->sum;
    s->sum = 0;
    return sum - s->plan->expected * cycles;
}
