/* Waiting for links: service times (5.1), the wait behind other inputs (5.2), the part of it that
 * is spent without a channel (5.3) and in turns on the link (5.4). */
#include <math.h>
#include "models/router/router_solver.h"

static const double same_link_most = 0.95;  /* probability that a train of messages continues */
static const double lag_load_most = 0.98;   /* load of a link, in the lag of 5.4 */
static const double input_load_most = 0.98; /* load of an input by one output's messages, in the
                                               wait of an ideal queue: keeps it finite */
static const double lane_load_most = 0.97;  /* of a lane's channels, in the wait for one of them */
static const double overload = 1 - 1e-9;

fc_sharing_station fc_sharing_station_of(double rate, double time, double cap, double channels) {
    const int count = (int)channels;
    double weight = 1, sum = 0, busy = 0;
    for (int n = 0; n < count; ++n) {
        sum += weight;
        busy += n * weight;
        weight *= rate / fc_smaller((n + 1) / time, cap);
    }
    const double fastest = fc_smaller(count / time, cap);
    weight /= 1 - fc_smaller(FC_STATION_LOAD_MOST, rate / fastest);
    const double norm = sum + weight;
    return (fc_sharing_station){weight / norm, (busy + count * weight) / norm, fastest};
}

/* ---- 5.1 ---- */

static void find_extra(const fc_router_timing *timing, double channels, fc_solver_link *link) {
    const double stalls = link->credit + link->stall;
    if (channels <= 1) {
        link->extra = timing->va + link->turn + stalls;
        return;
    }
    const double held = link->alone + timing->va + link->lag + stalls + link->turn;
    link->extra = stalls > 0 ? stalls * pow(stalls / held, channels - 1) : 0;
}

/* How long a message on a link is stopped if it finds no channel behind it. */
static void look_ahead(fc_router_solver *s) {
    for (uint32_t c = 0; c < s->link_count; ++c)
        s->links[c].ahead = 0;
    for (uint32_t j = 0; j < s->movement_count; ++j) {
        const fc_solver_movement *m = &s->movements[j];
        s->links[m->in].ahead += m->leaving * m->share * s->lanes[m->to].blocked;
    }
}

/* Slots that a separable allocator loses on a link, for each flit that passes: the link offers
 * itself to an input that takes the offer of another link, while further inputs wait. */
static double lost_slots(const fc_router_solver *s, const fc_solver_movement *m) {
    const fc_solver_link *in = &s->links[m->in], *out = &s->links[m->out];
    if (!s->timing.one_port || in->used_channels <= 1)
        return 0;
    const double elsewhere = in->load * (1 - m->together);
    const double others = fc_larger(0, out->last_busy - in->load * m->together);
    /* of two offers one is taken */
    const double lost = s->timing.lost_slots * (1 - 1 / in->used_channels) * elsewhere * others;
    return s->timing.allocator_rounds > 1 ? pow(lost, s->timing.allocator_rounds) : lost;
}

/* A link's time for a flit of the movement, over that of one that waits for nothing. */
static double slowness_of(const fc_router_solver *s, const fc_solver_movement *m, double bursts) {
    const fc_solver_link *out = &s->links[m->out];
    double alone = out->slow;
    /* Those that find it busy wait for the credits of a predecessor; with a single channel that
     * wait is part of `extra`. */
    if (out->used_channels > 1)
        alone += out->gap / out->length * fc_smaller(1, bursts * out->last_busy);
    const double taken = fc_lane_taken(out, &s->lanes[m->to], out->alone) / out->length;
    const double slow = fc_larger(alone / out->even_channels, taken / out->used_channels);
    /* Behind a faster crossbar flits wait for the link while their channel is free again. */
    const double free = s->flows->paths->paced && out->used_channels <= 1 ? out->extra : 0;
    return fc_larger(slow, 1 - free / m->length) * (1 + lost_slots(s, m));
}

/* A train ends with its burst, of so many messages in the mean. */
static double longest_train(const fc_router_solver *s, double bursts) {
    const double each = s->rate * s->flows->rate / s->flows->senders; /* of a node */
    return bursts > 1
               ? fc_smaller(same_link_most, 1 - 1 / (1 + s->timing.injection.on * bursts * each))
               : same_link_most;
}

static bool find_work(fc_router_solver *s, fc_router_solution *solution) {
    for (uint32_t p = 0; p < s->pair_count; ++p)
        s->pair_work[p] = s->pair_port[p] = 0;
    for (uint32_t c = 0; c < s->link_count; ++c) {
        s->links[c].last_busy = s->links[c].busy;
        s->links[c].busy = s->links[c].port = s->links[c].backlog = 0;
        if (s->links[c].kind != FC_INJECTION_LINK)
            find_extra(&s->timing, s->links[c].used_channels, &s->links[c]);
    }
    look_ahead(s);
    const double bursts = fc_burst_peak(&s->timing.injection);
    const double burst_most = longest_train(s, bursts);
    for (uint32_t j = 0; j < s->movement_count; ++j) {
        fc_solver_movement *m = &s->movements[j];
        const fc_solver_link *out = &s->links[m->out];
        const double slow = slowness_of(s, m, bursts);
        const double mean = m->length * slow + out->extra;
        const double varies = fc_larger(out->extra, out->ahead);
        const double square =
            m->square * slow * slow + 2 * m->length * slow * out->extra + out->extra * varies;
        const fc_solver_link *in = &s->links[m->in];
        const double burst = in->kind == FC_INJECTION_LINK ? bursts * in->load : in->load;
        const double follows = fc_smaller(
            in->kind == FC_INJECTION_LINK ? burst_most : same_link_most, m->together * burst);
        m->work = m->rate * mean;
        m->age =
            ((square - mean * mean) + mean * mean * (1 + follows) / (1 - follows)) / (2 * mean);
        s->pair_work[m->pair] += m->work;
        s->links[m->out].busy += m->count * m->work;
        const double port = m->rate * (m->mean_growth + m->turn);
        s->pair_port[m->pair] += port;
        s->links[m->in].port += m->leaving * port;
    }
    for (uint32_t c = 0; c < s->link_count; ++c) {
        if (s->links[c].busy >= overload) {
            solution->bottleneck = c;
            solution->cause = "the";
            return false;
        }
    }
    return true;
}

/* ---- 5.3 ---- */

/* The time for which a message takes a channel: until the next may be granted it. Where it needs
 * room, that is when the flits of this one have left the next buffer, but for those that fit
 * beside the new ones, and their credits are back. */
double fc_lane_taken(const fc_solver_link *link, const fc_solver_lane *lane, double held) {
    if (!(lane->promised > 0))
        return held;
    const double turn = held + link->loop + lane->excess - lane->spare;
    const double taken = fc_larger(held, turn / lane->slots);
    return 1 / ((1 - lane->promised) / held + lane->promised / taken);
}

static void fill_lane(const fc_solver_link *link, fc_solver_lane *lane) {
    const double held =
        fc_lane_taken(link, lane, link->alone + link->stall + link->credit + link->turn);
    double present = lane->rate * lane->length / (1 - link->load) +
                     lane->rate * (link->stall + link->credit + (link->slow - 1) * link->length);
    present = fc_larger(present, lane->rate * (held + link->lag));
    lane->filling = present / (1 + present);
    if (lane->channels > 1 && (link->slow > 1 + 1e-9 || lane->promised > 0)) {
        const double cap = (1 - link->load + lane->rate * lane->length) / lane->length;
        lane->full = fc_larger(
            fc_sharing_station_of(lane->rate, held, cap, lane->channels).full,
            fc_sharing_station_of(lane->rate, held + link->lag, (double)INFINITY, lane->channels)
                .full);
    } else {
        lane->full = pow(lane->filling, lane->channels);
    }
}

/* The part of the wait that is spent without a channel, and how much longer it takes then. */
static double blocked_share(const fc_solver_link *out, const fc_solver_lane *lane, double *longer) {
    *longer = 1;
    if (lane->channels <= 1)
        return fc_smaller(1, lane->filling / (out->load + out->rate * (out->stall + out->credit) *
                                                              (1 - out->load)));
    if (out->slow > 1 + 1e-9 || lane->promised > 0)
        *longer = 1 + (1 - out->busy) * (lane->channels - 1) / (lane->channels + 1);
    return fc_smaller(1, lane->full / out->busy);
}

/* ---- 5.4 ---- */

static void find_lag(const fc_solver_link *out, double others, double mean, fc_solver_movement *m) {
    const double busy = fc_smaller(lag_load_most, others);
    const double chance = 1 - (1 - busy) * exp(-busy);
    if (mean <= 0) {
        m->chance = 0;
        m->spread = 1;
        return;
    }
    const double most = fc_larger(out->channels, 2) * m->length;
    m->spread = chance > 0 ? fc_smaller(mean / chance, most) : most;
    m->chance = fc_smaller(1, mean / m->spread);
}

/* What is seen of an exponential backlog, of this mean, through a window of `room`: its mean is
 * room (1 - exp(-backlog / room)), here with the first terms of the exponential series. */
static double limited(double backlog, double room) {
    const double x = backlog / room;
    return room - room / (1 + x * (1 + x * (1.0 / 2 + x * (1.0 / 6))));
}

/* The wait behind the messages of other inputs (5.2). An input shows no more messages at a time
 * than it has virtual channels: those behind them wait for their predecessors (5.7), not for the
 * link. */
static double wait_for_link(const fc_router_solver *s, const fc_solver_movement *m) {
    const fc_solver_link *out = &s->links[m->out];
    const double own = s->pair_work[m->pair];
    const double each = out->backlog / out->busy, met = (1 - own) * m->age;
    double wait = 0;
    for (uint32_t p = s->first_pair[m->out]; p < s->first_pair[m->out + 1]; ++p)
        wait += s->pair_copies[p] * limited((each + met) * s->pair_work[p], s->pair_room[p]);
    /* Of the own input only those in other channels. */
    const double room = s->pair_room[m->pair], one = s->pair_mean[m->pair];
    wait -= limited((each + met) * own, room);
    if (room > one)
        wait += limited(each * own, room - one);
    if (s->lanes[m->to].channels <= 1 && s->lanes[m->from].channels > 1) {
        const double rate = own / one, load = fc_smaller(input_load_most, rate * m->length);
        const double held = own * one / (2 * (1 - own));
        wait += limited(fc_larger(0, held - load * m->length / (2 * (1 - load))), room - one);
    }
    return wait;
}

/* Messages that an input shows at a time: one in each of its channels. A node that sends fewer at
 * a time has the others only where they are all in the buffer. */
static double shown_by(const fc_router_solver *s, const fc_solver_link *in) {
    const double channels = fc_larger(1, in->used_channels), sent = s->timing.injection_channels;
    if (in->kind != FC_INJECTION_LINK || sent >= channels)
        return channels;
    const double part = s->timing.buffer / in->length; /* of a message that the buffer holds */
    if (part >= 1)
        return channels;
    return sent + part * fc_smaller(channels - sent, part / (1 - part));
}

/* The wait for the channels of a lane, where the link has others that the message may not take: a
 * queue of its own, of the messages that come from other lanes, as many as those show at a time.
 * A faster router frees a channel before its flits have passed the link: there it would be too
 * long. */
static double wait_for_lane(const fc_router_solver *s, const fc_solver_movement *m) {
    const fc_solver_lane *to = &s->lanes[m->to];
    const double V = to->channels, H = to->holding;
    if (s->flows->paths->paced)
        return 0;
    const double own = m->rate / to->rate;
    const double use = fc_smaller(lane_load_most, to->rate * H / V);
    const double full = V <= 1 ? use : fc_sharing_station_of(to->rate, H, (double)INFINITY, V).full;
    const double wait = (1 - own) * full * H / (2 * V * (1 - use));
    const double room = (to->feeders - s->lanes[m->from].channels) * H / V;
    return room > 0 ? limited(wait, room) : 0;
}

static void wait_and_share(fc_router_solver *s, fc_solver_movement *m) {
    const fc_solver_link *out = &s->links[m->out], *in = &s->links[m->in];
    const double others = out->busy - s->pair_work[m->pair];
    const double wait = wait_for_link(s, m);
    double longer;
    const double blocked = blocked_share(out, &s->lanes[m->to], &longer);
    const double shared = fc_larger(0, wait) * (1 - blocked) * out->sharing;
    const double M = m->length;
    m->next_channel = fc_larger(0, wait) * blocked * longer;
    if (out->used_channels > s->lanes[m->to].channels)
        m->next_channel = fc_larger(m->next_channel, wait_for_lane(s, m));
    if (m->outputs > 1) /* all of its outputs must be taken, and one become free */
        m->next_channel *= pow(s->lanes[m->to].full, m->outputs - 1) / m->outputs;
    m->next_turn = shared / (M * M) + (1 - 1 / M) * out->alternating;
    double mean = 0;
    if (M > 1)
        mean = fc_larger(0, 2 * shared * sqrt(M * M / m->square) * (1 - 1 / (2 * M * M)) -
                                m->next_turn);
    if (s->timing.one_port) {
        const double elsewhere = fc_larger(0, in->port - s->pair_port[m->pair]);
        const double met =
            2 * s->timing.slower *
            fc_smaller(elsewhere, fc_larger(0, fc_smaller(in->channels, shown_by(s, in)) - 1));
        mean += (M - 1) * met;
        m->next_turn += met / 2;
    }
    find_lag(out, others, mean, m);
}

/* Of each pair of links: the mean service, and the work of the messages it can show at a time. */
static void find_rooms(fc_router_solver *s) {
    for (uint32_t p = 0; p < s->pair_count; ++p)
        s->pair_room[p] = 0;
    for (uint32_t j = 0; j < s->movement_count; ++j)
        s->pair_room[s->movements[j].pair] += s->movements[j].rate;
    for (uint32_t j = 0; j < s->movement_count; ++j) {
        const fc_solver_movement *m = &s->movements[j];
        if (j > 0 && s->movements[j - 1].pair == m->pair)
            continue;
        const double mean = s->pair_work[m->pair] / s->pair_room[m->pair];
        s->pair_mean[m->pair] = mean;
        s->pair_room[m->pair] = mean * shown_by(s, &s->links[m->in]);
        s->pair_copies[m->pair] = m->count;
    }
    for (uint32_t c = 0; c < s->link_count; ++c) {
        double squares = 0;
        for (uint32_t p = s->first_pair[c]; p < s->first_pair[c + 1]; ++p)
            squares += s->pair_copies[p] * s->pair_work[p] * s->pair_work[p];
        s->links[c].alike =
            s->links[c].busy > 0 ? squares / (s->links[c].busy * s->links[c].busy) : 0;
    }
}

bool fc_router_serve(fc_router_solver *s, fc_router_solution *solution) {
    if (!find_work(s, solution))
        return false;
    for (uint32_t j = 0; j < s->movement_count; ++j) {
        const fc_solver_movement *m = &s->movements[j];
        fc_solver_link *out = &s->links[m->out];
        const double own = s->pair_work[m->pair];
        out->backlog +=
            m->count * m->work * (1 - own) * (out->busy - own) * m->age / (1 - out->busy);
    }
    find_rooms(s);
    for (uint32_t l = 0; l < s->lane_count; ++l)
        fill_lane(&s->links[s->lanes[l].link], &s->lanes[l]);
    for (uint32_t j = 0; j < s->movement_count; ++j)
        wait_and_share(s, &s->movements[j]);
    return true;
}
