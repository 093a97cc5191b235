#include "models/router/router_solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"

enum { ROUNDS_LEAST = 6, ROUNDS_AGAIN = 4, ROUNDS_TO_SETTLE = 30, FIRST_PASSES = 2, PASSES = 1 };
/* New values count for half, and for more where links are far from full: there the rounds do not
 * swing. */
static const double step_least = 0.5, step_most = 0.85, step_falls = 0.6;
static const double latency_most = 20; /* times that without load: saturated */
static const double limit_precision = 3e-4;

/* ---- creation ---- */

static fc_router_timing timing_of(const fc_router_flows *flows, const fc_routed *routed) {
    const int64_t *stage = routed->router_delay;
    const fc_message_kinds *kinds = &flows->kinds;
    const fc_channel_sets sets = fc_channel_sets_of(routed);
    int64_t channels = sets.channels[0];
    for (uint32_t i = 1; i < sets.count && routed->given; ++i)
        channels = sets.channels[i] > channels ? sets.channels[i] : channels;
    const double speedup = fc_larger(1, routed->internal_speedup);
    fc_router_timing timing = {
        .r = (double)stage[FC_STAGE_ROUTING] / speedup,
        .va = (double)stage[FC_STAGE_ALLOCATION] / speedup,
        .catch_up = (double)(stage[FC_STAGE_ROUTING] + stage[FC_STAGE_ALLOCATION]) / speedup,
        .buffer = (double)routed->buffer,
        .longest = (double)kinds->longest,
        .one_port = routed->input_speedup == 1,
        .slower = fc_larger(0, 2 - speedup),
        .allocator_rounds = (double)routed->allocator_rounds,
        .oldest_first = routed->arbitration == FC_OLDEST_FIRST,
        .lost_slots = 0.5 * fc_larger(0, 2 - speedup),
        .injection_channels =
            (double)(routed->injection_channels < channels ? routed->injection_channels : channels),
        .injection = routed->injection,
        .replies = kinds->count > 1,
        .whole = routed->switching == FC_CUT_THROUGH,
        .empty = routed->handover == FC_WHEN_EMPTY || flows->escapes != 0,
    };
    double rounds = 0, flits = 0;
    for (size_t k = 0; k < kinds->count; ++k) {
        for (size_t i = 0; i < kinds->lengths[k].count; ++i) {
            const int64_t length = kinds->lengths[k].flits[i];
            const int64_t whole_rounds = (length - 1) / routed->buffer;
            rounds += kinds->lengths[k].share[i] * (double)whole_rounds;
            flits += kinds->lengths[k].share[i] * (double)length;
        }
    }
    timing.stalled_rounds = rounds / flits;
    timing.outstanding = routed->requests.count && routed->outstanding != FC_INFINITE
                             ? (double)routed->outstanding
                             : (double)INFINITY;
    return timing;
}

static void promise_room(const fc_router_solver *s, const fc_lane *from, fc_solver_lane *lane) {
    const uint64_t escapes = from->mask & s->flows->escapes;
    const double room = s->timing.buffer * s->links[lane->link].pace;
    if (s->timing.whole) {
        lane->promised = 1;
        lane->slots = fc_larger(1, floor(room / lane->length));
        lane->spare = fc_larger(0, room - lane->slots * lane->length);
    } else if (s->timing.empty) {
        lane->slots = 1;
        lane->promised = 1 - __builtin_popcountll(escapes) / lane->channels;
    }
}

/* Of messages that others ask for. */
static bool carries_answers_alone(const fc_router_flows *flows, const fc_classes *classes,
                                  uint64_t mask) {
    for (size_t k = 0; k < classes->count; ++k)
        if (classes->list[k].share > 0 && (mask & flows->kinds.channels[k]))
            return false;
    return true;
}

static void fill_lanes(fc_router_solver *s, const fc_routed *routed) {
    const fc_classes classes = fc_classes_of(routed);
    for (uint32_t l = 0; l < s->lane_count; ++l) {
        const fc_lane *lane = &s->flows->lanes[s->alike->first_lane[l]];
        const uint32_t on = s->alike->link_of[lane->link];
        fc_solver_link *link = &s->links[on];
        s->lanes[l] =
            (fc_solver_lane){.link = on,
                             .channels = lane->channels,
                             .replies = carries_answers_alone(s->flows, &classes, lane->mask),
                             .unit_rate = lane->rate,
                             .length = lane->rate > 0 ? link->pace * lane->flits / lane->rate : 1,
                             .alone = lane->rate > 0 ? lane->hold / lane->rate : 1};
        if (link->kind == FC_ROUTER_LINK)
            promise_room(s, lane, &s->lanes[l]);
        link->channels += lane->rate * lane->channels;
        link->used_channels += lane->channels;
        link->even_channels = fc_larger(link->even_channels, lane->rate / lane->channels);
        link->alone += lane->hold;
    }
}

static void fill_links(fc_router_solver *s, const fc_routed *routed) {
    double loops = 0, loop_count = 0, length = 0, messages = 0;
    for (uint32_t c = 0; c < s->link_count; ++c) {
        const fc_flow_link *link = &s->flows->links[s->alike->first_link[c]];
        const bool router = link->kind == FC_ROUTER_LINK;
        const double copies = s->alike->copies[c];
        s->links[c] =
            (fc_solver_link){.kind = link->kind,
                             .members = copies * link->members,
                             .copies = copies,
                             .unit_rate = link->rate,
                             .unit_flits = link->pace * link->flits,
                             .pace = link->pace,
                             .loop = link->loop,
                             .all_channels = (double)routed->virtual_channels,
                             .length = link->rate > 0 ? link->pace * link->flits / link->rate : 1};
        loops += router ? copies * link->loop : 0;
        loop_count += router ? copies : 0;
        if (link->kind == FC_INJECTION_LINK) {
            length += s->links[c].members * link->flits;
            messages += s->links[c].members * link->rate;
        }
    }
    fill_lanes(s, routed);
    const double B = s->timing.buffer, a = s->timing.catch_up;
    for (uint32_t c = 0; c < s->link_count; ++c) {
        fc_solver_link *link = &s->links[c];
        link->channels = link->unit_rate > 0 ? fc_larger(1, link->channels / link->unit_rate) : 1;
        link->alone = link->unit_rate > 0 ? link->alone / link->unit_rate : 1;
        link->even_channels = link->even_channels > 0 ? link->unit_rate / link->even_channels : 1;
        link->slow = link->alone / link->length;
        /* both over the time of a flit on the link */
        const double loop = link->loop / link->pace;
        link->period = link->kind == FC_EJECTION_LINK ? 1 : fc_larger(1, loop / B);
        link->capped = link->kind == FC_EJECTION_LINK
                           ? 1
                           : 1 + fc_larger(0, loop - B) * s->timing.stalled_rounds;
        link->gap = fc_larger(0, link->period * link->length - link->alone - s->timing.va);
    }
    length = messages > 0 ? length / messages : 1;
    const double loop = loop_count > 0 ? loops / loop_count : 0;
    s->timing.catch_up_room =
        length <= B ? a : a * B / length + (1 - B / length) * fc_smaller(a, fc_larger(0, B - loop));
}

static int by_links(const void *a, const void *b) {
    const fc_solver_movement *x = a, *y = b;
    if (x->out != y->out)
        return x->out < y->out ? -1 : 1;
    if (x->in != y->in)
        return x->in < y->in ? -1 : 1;
    if (x->pair != y->pair)
        return x->pair < y->pair ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

static void fill_movements(fc_router_solver *s) {
    for (uint32_t j = 0; j < s->movement_count; ++j) {
        const fc_movement *m = &s->alike->movements[j].of;
        const double pace = s->links[s->lanes[m->to].link].pace;
        s->movements[j] = (fc_solver_movement){.from = m->from,
                                               .to = m->to,
                                               .in = s->lanes[m->from].link,
                                               .out = s->lanes[m->to].link,
                                               .pair = s->alike->movements[j].pair,
                                               .unit_rate = m->rate,
                                               .count = m->count,
                                               .leaving = m->leaving,
                                               .outputs = m->outputs,
                                               .length = pace * m->flits / m->rate,
                                               .square = pace * pace * m->squares / m->rate,
                                               .keep = m->rate / s->lanes[m->from].unit_rate};
    }
    qsort(s->movements, s->movement_count, sizeof *s->movements, by_links);
    fc_solver_movement last = {.in = UINT32_MAX};
    for (uint32_t j = 0; j < s->movement_count; ++j) {
        fc_solver_movement *m = &s->movements[j];
        const bool same = m->in == last.in && m->out == last.out && m->pair == last.pair;
        last = *m;
        s->pair_count += !same;
        s->first_pair[m->out + 1] += !same;
        m->pair = s->pair_count - 1;
    }
    for (uint32_t c = 0; c < s->link_count; ++c)
        s->first_pair[c + 1] += s->first_pair[c];
    /* Rates of pairs of links, while pair_work is free. */
    for (uint32_t j = 0; j < s->movement_count; ++j)
        s->pair_work[s->movements[j].pair] += s->movements[j].unit_rate;
    for (uint32_t j = 0; j < s->movement_count; ++j) {
        fc_solver_movement *m = &s->movements[j];
        m->together = s->pair_work[m->pair] / s->links[m->in].unit_rate;
        m->share = m->unit_rate / s->links[m->in].unit_rate;
        s->lanes[m->to].feeders += m->count * s->lanes[m->from].channels;
        fc_solver_lane *to = &s->lanes[m->to];
        to->one_stream =
            s->lanes[m->from].channels <= 1 && m->unit_rate > (1 - 1e-9) * to->unit_rate;
    }
}

/* The movements out of each lane. */
static void list_out_of(fc_router_solver *s) {
    for (uint32_t j = 0; j < s->movement_count; ++j)
        ++s->first_out[s->movements[j].from + 1];
    for (uint32_t l = 0; l < s->lane_count; ++l)
        s->first_out[l + 1] += s->first_out[l];
    for (uint32_t j = 0; j < s->movement_count; ++j)
        s->out_of[s->first_out[s->movements[j].from]++] = j;
    memmove(s->first_out + 1, s->first_out, s->lane_count * sizeof *s->first_out);
    s->first_out[0] = 0;
}

static void choose_grid(fc_router_solver *s) {
    double most = 1;
    for (uint32_t l = 0; l < s->lane_count; ++l)
        most = fc_larger(most, s->lanes[l].channels);
    const double M = s->timing.longest;
    s->step = fc_smaller(fc_larger(8, (fc_smaller(most, 8) - 1) * M), 8 * M) / (FC_LAG_POINTS - 1);
}

static bool allocate(fc_router_solver *s) {
    const size_t links = s->link_count, movements = s->movement_count, lanes = s->lane_count;
    const size_t points = links * FC_LAG_ROW;
    s->links = fc_allocate(links, sizeof *s->links);
    s->lanes = fc_allocate(lanes, sizeof *s->lanes);
    s->movements = fc_allocate(movements, sizeof *s->movements);
    s->pair_work = fc_allocate(movements, sizeof *s->pair_work);
    s->pair_port = fc_allocate(movements, sizeof *s->pair_port);
    s->pair_room = fc_allocate(movements, sizeof *s->pair_room);
    s->pair_mean = fc_allocate(movements, sizeof *s->pair_mean);
    s->pair_copies = fc_allocate(movements, sizeof *s->pair_copies);
    s->first_pair = fc_allocate(links + 1, sizeof *s->first_pair);
    s->together = fc_allocate(points, sizeof *s->together);
    s->parted = fc_allocate(points, sizeof *s->parted);
    s->next_together = fc_allocate(points, sizeof *s->next_together);
    s->next_parted = fc_allocate(points, sizeof *s->next_parted);
    s->shift_together = fc_allocate(points, sizeof *s->shift_together);
    s->shift_parted = fc_allocate(points, sizeof *s->shift_parted);
    s->ahead = fc_allocate(links, sizeof(double));
    s->next_ahead = fc_allocate(links, sizeof(double));
    s->scratch = fc_allocate(lanes * 4, sizeof(double));
    s->first_out = fc_allocate(lanes + 1, sizeof *s->first_out);
    s->out_of = fc_allocate(movements, sizeof *s->out_of);
    return s->links && s->lanes && s->movements && s->pair_work && s->pair_port && s->pair_room &&
           s->pair_mean && s->pair_copies && s->first_pair && s->together && s->parted &&
           s->next_together && s->next_parted && s->shift_together && s->shift_parted && s->ahead &&
           s->next_ahead && s->scratch && s->first_out && s->out_of;
}

fc_status fc_router_solver_create(const fc_router_flows *flows, const fc_routed *routed,
                                  bool merges, fc_error *error, fc_router_solver **solver) {
    fc_router_solver *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    const fc_status status = fc_router_alike_create(flows, merges, error, &made->alike);
    if (status != FC_OK) {
        fc_router_solver_free(made);
        return status;
    }
    made->flows = flows;
    made->link_count = made->alike->link_count;
    made->lane_count = made->alike->lane_count;
    made->movement_count = made->alike->movement_count;
    made->alone = fc_paths_mean(flows->paths);
    made->timing = timing_of(flows, routed);
    if (!allocate(made)) {
        fc_router_solver_free(made);
        return fc_fail_memory(error);
    }
    fill_links(made, routed);
    fill_movements(made);
    list_out_of(made);
    choose_grid(made);
    *solver = made;
    return FC_OK;
}

void fc_router_solver_free(fc_router_solver *s) {
    if (!s)
        return;
    fc_router_alike_free(s->alike);
    fc_release(s->links);
    fc_release(s->lanes);
    fc_release(s->movements);
    fc_release(s->pair_work);
    fc_release(s->pair_port);
    fc_release(s->pair_room);
    fc_release(s->pair_mean);
    fc_release(s->pair_copies);
    fc_release(s->first_pair);
    fc_release(s->together);
    fc_release(s->parted);
    fc_release(s->next_together);
    fc_release(s->next_parted);
    fc_release(s->shift_together);
    fc_release(s->shift_parted);
    fc_release(s->ahead);
    fc_release(s->next_ahead);
    fc_release(s->scratch);
    fc_release(s->first_out);
    fc_release(s->out_of);
    fc_release(s);
}

/* ---- the fixed point ---- */

/* Messages delay each other on a link only if more of them are there than it has room for: fs. */
static double sharing_of(const fc_solver_link *link) {
    if (link->capped <= 1 || link->rate <= 0)
        return 1;
    const double M = link->length, work = link->rate * M, capped = M * link->capped;
    const double plain =
        fc_sharing_station_of(link->rate, M, 1 / M, link->all_channels).served - work;
    const double slow =
        fc_sharing_station_of(link->rate, capped, 1 / M, link->all_channels).served -
        link->rate * capped;
    return plain > 1e-12 ? fc_smaller(1, fc_larger(0, slow / plain)) : 1;
}

/* again: the waits of the last rate are where the rounds start from. */
static void set_rate(fc_router_solver *s, double rate, bool again) {
    const size_t points = (size_t)s->link_count * FC_LAG_ROW;
    s->rate = rate;
    for (uint32_t c = 0; c < s->link_count; ++c) {
        fc_solver_link *link = &s->links[c];
        link->rate = rate * link->unit_rate;
        link->load = rate * link->unit_flits;
        if (!again)
            link->stall = link->lag = link->credit = link->turn = link->busy = 0;
        if (link->load >= 1)
            continue;
        link->sharing = sharing_of(link);
        link->alternating = link->load * link->load *
                            (1 - pow(link->load, fc_larger(0, link->channels - 2))) /
                            (2 * (1 - link->load));
    }
    for (uint32_t l = 0; l < s->lane_count; ++l) {
        fc_solver_lane *lane = &s->lanes[l];
        lane->rate = rate * lane->unit_rate;
        if (again)
            continue;
        lane->behind = lane->credit = lane->excess = lane->late = lane->holding = 0;
        lane->blocked = 1;
    }
    for (uint32_t j = 0; j < s->movement_count; ++j) {
        fc_solver_movement *m = &s->movements[j];
        m->rate = rate * m->unit_rate;
        if (!again)
            m->channel = m->turn = m->growth = m->mean_growth = 0;
    }
    if (again)
        return;
    memset(s->together, 0, points * sizeof *s->together);
    memset(s->parted, 0, points * sizeof *s->parted);
}

/* Means of links over their movements and lanes. */
static void take_means(fc_router_solver *s) {
    for (uint32_t c = 0; c < s->link_count; ++c)
        s->links[c].turn = s->links[c].credit = 0;
    for (uint32_t j = 0; j < s->movement_count; ++j) {
        const fc_solver_movement *m = &s->movements[j];
        s->links[m->out].turn += m->count * m->rate * m->turn;
    }
    for (uint32_t l = 0; l < s->lane_count; ++l)
        s->links[s->lanes[l].link].credit += s->lanes[l].rate * s->lanes[l].credit;
    for (uint32_t c = 0; c < s->link_count; ++c) {
        fc_solver_link *link = &s->links[c];
        if (link->rate > 0) {
            link->turn /= link->rate;
            link->credit /= link->rate;
        }
    }
}

/* The share of the new values. */
static double step_of(const fc_router_solver *s) {
    double busy = 0;
    for (uint32_t c = 0; c < s->link_count; ++c)
        busy = fc_larger(busy, s->links[c].busy);
    return fc_larger(step_least, step_most - step_falls * busy);
}

/* Averages new values with the last ones; returns the sum of waits. */
static double move_on(fc_router_solver *s) {
    const double step = step_of(s);
    double sum = 0;
    for (uint32_t j = 0; j < s->movement_count; ++j) {
        fc_solver_movement *m = &s->movements[j];
        m->channel += step * (m->next_channel - m->channel);
        m->turn += step * (m->next_turn - m->turn);
        sum += s->links[m->out].members * m->count * m->rate * (m->channel + m->turn);
    }
    for (uint32_t l = 0; l < s->lane_count; ++l) {
        fc_solver_lane *lane = &s->lanes[l];
        lane->behind += step * (lane->next_behind - lane->behind);
        lane->credit += step * (lane->next_credit - lane->credit);
        sum += s->links[lane->link].members * lane->rate * lane->behind;
    }
    return sum;
}

static bool lanes_hold(const fc_router_solver *s, fc_router_solution *solution) {
    for (uint32_t l = 0; l < s->lane_count; ++l) {
        if (s->lanes[l].use >= 1) {
            solution->bottleneck = s->lanes[l].link;
            solution->cause = "the virtual channels of the";
            return false;
        }
    }
    return true;
}

static bool iterate(fc_router_solver *s, double tolerance, size_t rounds_max, bool again,
                    fc_router_solution *solution) {
    const size_t least = again ? ROUNDS_AGAIN : ROUNDS_LEAST;
    double last = 0;
    for (size_t round = 0; round < rounds_max; ++round) {
        if (fc_stop_asked(s->flows->cancel)) /* seen by whoever asked for a solution */
            return false;
        take_means(s);
        solution->rounds = round + 1;
        if (!fc_router_serve(s, solution))
            return false;
        fc_router_spread_lag(s, round < 2 && !again ? FIRST_PASSES : PASSES);
        fc_router_feel_stalls(s);
        fc_router_wait_behind(s);
        const double sum = move_on(s);
        solution->residual = sum > 0 ? fabs(sum - last) / sum : 0;
        last = sum;
        if (!isfinite(sum))
            return false;
        if (round + 1 >= ROUNDS_TO_SETTLE && !lanes_hold(s, solution))
            return false;
        if (round + 1 >= least && solution->residual < tolerance)
            break;
    }
    take_means(s);
    return lanes_hold(s, solution);
}

/* ---- 6: the result ---- */

bool fc_router_waits_behind(const fc_router_solver *s, const fc_solver_lane *lane) {
    return s->links[lane->link].kind != FC_INJECTION_LINK || lane->channels > 1;
}

static bool add_up(fc_router_solver *s, double rate, fc_router_solution *solution) {
    double source = 0, injected = 0, ejected = 0;
    const double all = rate * s->flows->rate;
    for (uint32_t l = 0; l < s->lane_count; ++l) {
        fc_solver_lane *lane = &s->lanes[l];
        const fc_link_kind kind = s->links[lane->link].kind;
        const double crossing = s->links[lane->link].members * lane->rate;
        lane->permit = lane->permit_chance = 0;
        if (kind == FC_INJECTION_LINK && lane->rate > 0) {
            const double wait = fc_router_source_wait(s, lane, l);
            if (!isfinite(wait)) {
                solution->bottleneck = lane->link;
                solution->cause = "the source at the";
                return false;
            }
            source += crossing * wait;
            injected += crossing;
        }
        if (!fc_router_waits_behind(s, lane))
            continue;
        solution->behind += crossing * (lane->behind - lane->credit) / all;
        if (kind != FC_INJECTION_LINK)
            solution->credit += crossing * lane->credit / all;
    }
    for (uint32_t j = 0; j < s->movement_count; ++j) {
        const fc_solver_movement *m = &s->movements[j];
        const double moving = s->links[m->out].members * m->count * m->rate;
        solution->channel += moving * m->channel / all;
        solution->turn += moving * m->turn / all;
    }
    for (uint32_t c = 0; c < s->link_count; ++c) {
        if (s->links[c].kind == FC_EJECTION_LINK) {
            const double crossing = s->links[c].members * s->links[c].rate;
            solution->lag += crossing * s->links[c].lag;
            ejected += crossing;
        }
    }
    solution->lag = ejected > 0 ? solution->lag / ejected : 0;
    solution->source = injected > 0 ? source / injected : 0;
    solution->latency = s->alone.latency + solution->source + solution->behind + solution->credit +
                        solution->channel + solution->turn + solution->lag;
    return isfinite(solution->latency) && fc_router_wait_for_replies(s, solution);
}

static uint32_t fullest_link(const fc_router_solver *s) {
    uint32_t fullest = 0;
    for (uint32_t c = 1; c < s->link_count; ++c)
        fullest = s->links[c].load > s->links[fullest].load ? c : fullest;
    return fullest;
}

static void solve(fc_router_solver *s, double rate, double tolerance, size_t rounds_max, bool again,
                  fc_router_solution *solution) {
    *solution = (fc_router_solution){.cause = "the"};
    set_rate(s, rate, again);
    solution->bottleneck = fullest_link(s);
    if (s->links[solution->bottleneck].load >= 1) {
        solution->saturated = true;
        return;
    }
    solution->saturated =
        !iterate(s, tolerance, rounds_max, again, solution) || !add_up(s, rate, solution);
}

void fc_router_solve(fc_router_solver *s, double rate, double tolerance, size_t rounds_max,
                     fc_router_solution *solution) {
    solve(s, rate, tolerance, rounds_max, false, solution);
}

void fc_router_solve_again(fc_router_solver *s, double rate, double tolerance, size_t rounds_max,
                           fc_router_solution *solution) {
    solve(s, rate, tolerance, rounds_max, true, solution);
}

double fc_router_solver_limit(fc_router_solver *s) {
    double most = 0;
    for (uint32_t c = 0; c < s->link_count; ++c)
        most = fc_larger(most, s->links[c].unit_flits);
    if (!(most > 0))
        return (double)INFINITY;
    double low = 0, high = 1 / most;
    const fc_injection *injection = &s->timing.injection;
    const double burst = injection->process == FC_ON_OFF ? injection->on : 0;
    const double most_latency = latency_most * (s->alone.latency + burst);
    bool again = false; /* the waits are those of the rate `low` */
    while (high - low > limit_precision * high && !fc_stop_asked(s->flows->cancel)) {
        fc_router_solution solution;
        const double rate = 0.5 * (low + high);
        solve(s, rate, 1e-4, 60, again, &solution);
        again = !solution.saturated && solution.latency - solution.permit <= most_latency;
        *(again ? &low : &high) = rate;
    }
    return low;
}
