/* The fixed point of router-queueing: unknowns, one function for each part of a round. The symbols
 * are those of docs/theory/router_queueing.md. */
#ifndef FC_MODELS_ROUTER_SOLVER_H
#define FC_MODELS_ROUTER_SOLVER_H

#include "models/router/router_alike.h"

/* Points of the grid on which the lag of tails is kept; numbers kept in a row of it, in fours. */
enum { FC_LAG_POINTS = 61, FC_LAG_ROW = 64 };

/* fmax and fmin where the first is a number: one instruction, where those are calls (a tenth of the
 * time of a solution). */
static inline double fc_larger(double a, double b) {
    return b > a ? b : a;
}

static inline double fc_smaller(double a, double b) {
    return b < a ? b : a;
}

typedef struct fc_solver_link {
    /* given */
    fc_link_kind kind;
    double members;  /* links of the network that it stands for */
    double copies;   /* links of the flows */
    double channels; /* mean of its lanes, at least 1: Vl */
    double all_channels;
    double unit_rate, unit_flits;
    double pace;   /* cycles of a flit on it */
    double length; /* mean cycles of the flits of a message: Mb */
    double loop;   /* cycles of its credit loop: rtt */
    double alone;  /* cycles for which a message alone holds it: hz */
    double period; /* cycles per flit of a channel that is never idle: its credit loop over B */
    /* Cycles by which the credits of a message's flits come later than the next message could use
     * them that is granted the same channel at once: it is in its allocation stage until then. */
    double gap;
    double used_channels; /* of all its lanes */
    double even_channels; /* that would be as busy, if all could take any, as its busiest lane */
    double slow;          /* alone / length: g0 */
    double capped;        /* cycles per flit that credits allow a lone message: gr */
    /* at a rate */
    double rate, load;  /* messages and flits per cycle: lam, rho */
    double sharing;     /* fs */
    double alternating; /* RV */
    /* unknowns */
    double stall;     /* felt by the flits of a message that crosses it: U */
    double lag;       /* mean lag of tails: S */
    double credit;    /* mean wait for credits behind a predecessor: Kc */
    double turn;      /* mean wait of headers for the switch: swc */
    double extra;     /* service beyond the flits: ex */
    double busy;      /* X */
    double last_busy; /* of the last round */
    double ahead;     /* mean wait of those that find no channel at the router behind it */
    double backlog;   /* Q */
    double alike;     /* probability that two flits on it came from the same input */
    double port;      /* backlogged messages at the port behind it: sum of z */
} fc_solver_link;

typedef struct fc_solver_lane {
    uint32_t link;
    bool replies;                    /* of messages that others ask for */
    double channels;                 /* V */
    double unit_rate, length, alone; /* M_l, hz_l */
    double rate;
    double full;                  /* probability that all channels are taken: rl^V or PW */
    double filling;               /* rl */
    double waited;                /* mean vc of the messages that enter it */
    double holding;               /* H */
    double blocked;               /* wait of those that find no channel free: wb */
    double promised;              /* share of its channels that are granted only if there is
                                     room for more than a flit */
    double slots, spare;          /* whole messages that fit the buffer then, flits beside them */
    double excess, excess_square; /* D1, D2 */
    double whole_excess, whole_square; /* D1f, D2f */
    double behind, credit;             /* K, Kst */
    double feeders;                    /* channels of all lanes that lead to it */
    bool one_stream;     /* all messages come from one lane of a single channel: spaced already */
    double late, latest; /* mean and longest wait for the credits of a predecessor that has left */
    double next_behind, next_credit;
    double use;           /* u; at least 1: no solution */
    double permit;        /* wait of requests until fewer than traffic.outstanding are under way */
    double permit_chance; /* that they wait so */
} fc_solver_lane;

typedef struct fc_solver_movement {
    uint32_t from, to; /* lanes */
    uint32_t in, out;  /* links */
    uint32_t pair;
    double unit_rate;
    double count, leaving; /* such movements into a link, and out of one */
    double length, square; /* M, m2 */
    double outputs;        /* that its messages may choose from */
    double keep;           /* share of the messages of its lane: kap */
    double share;          /* share of the messages of its link */
    double together;       /* share of the messages of its link that go to the same link: pr */
    double rate;
    double work;          /* x */
    double age;           /* mean age of the train met: Me */
    double channel, turn; /* vc, sw */
    double next_channel, next_turn;
    double chance, spread;      /* q, cm: lag that arises */
    double growth, mean_growth; /* dl, dlp */
} fc_solver_movement;

typedef struct fc_router_timing {
    double r, va;
    double catch_up;      /* cycles by which data flits gain on a header in a router: a */
    double catch_up_room; /* the same where the buffer lets them: a_eff */
    double buffer;
    double longest;    /* flits of the longest message */
    bool one_port;     /* an input port passes one flit per tick */
    double slower;     /* how much of the conflicts at such a port links of its speed would have */
    double lost_slots; /* of a link, for each offer that an input does not take */
    double allocator_rounds;
    bool oldest_first;
    double injection_channels;
    fc_injection injection;
    bool replies;
    bool whole;            /* a channel is granted only if there is room for all flits */
    bool empty;            /* ... only if it is empty */
    double stalled_rounds; /* E[floor((M - 1) / B)] / E[M] */
    double outstanding;    /* requests of a node under way at most, or infinity */
} fc_router_timing;

typedef struct fc_router_solver {
    const fc_router_flows *flows;
    fc_alike *alike; /* which links of the flows each of these stands for */
    fc_router_timing timing;
    double rate; /* of the last solution: traffic.rate */
    fc_alone alone;
    uint32_t link_count, lane_count, movement_count, pair_count;
    fc_solver_link *links;
    fc_solver_lane *lanes;
    fc_solver_movement *movements; /* sorted by the link they enter, then by the one they leave */
    uint32_t *first_out, *out_of;  /* lanes + 1; movements by the lane they leave */
    double *pair_work, *pair_port; /* x_pair, z_pair */
    double *pair_mean, *pair_room; /* service of a message; of those it can show at a time */
    double *pair_copies;           /* pairs like it that enter the same link: 1 unless merged */
    uint32_t *first_pair;          /* links + 1: pairs by the link they enter */
    double step;                   /* of the grid */
    /* tails of the lag at each link, links x points */
    float *together, *parted, *next_together, *next_parted, *shift_together, *shift_parted;
    double *ahead, *next_ahead; /* stalls, while they are summed up */
    void *scratch;              /* of router_behind.c, 4 numbers a lane */
} fc_router_solver;

typedef struct fc_router_solution {
    bool saturated;
    uint32_t bottleneck; /* link */
    const char *cause;   /* of saturation: what would be overloaded, before the name of the link */
    bool limited;        /* of saturation: traffic.outstanding is too low for the rate */
    uint64_t rounds;
    double residual;
    double source, behind, credit, channel, turn, lag;
    double permit; /* part of `source`: see fc_solver_lane, mean over requests and replies */
    double latency;
} fc_router_solution;

/* merges: links that are alike are solved once. */
fc_status fc_router_solver_create(const fc_router_flows *flows, const fc_routed *routed,
                                  bool merges, fc_error *error, fc_router_solver **solver);
void fc_router_solver_free(fc_router_solver *solver);
/* From zero waits on. */
void fc_router_solve(fc_router_solver *solver, double rate, double tolerance, size_t rounds_max,
                     fc_router_solution *solution);
/* From the waits of the last solution on, at a rate that is not far from its own. */
void fc_router_solve_again(fc_router_solver *solver, double rate, double tolerance,
                           size_t rounds_max, fc_router_solution *solution);
/* The largest rate that has a solution with a latency below 20 times that without load. */
double fc_router_solver_limit(fc_router_solver *solver);

/* ---- parts of a round ---- */

/* router_service.c: 5.1 to 5.4. False: a link would be busy all the time. */
bool fc_router_serve(fc_router_solver *solver, fc_router_solution *solution);
/* The time for which a message takes a channel, if it holds it so long itself. */
double fc_lane_taken(const fc_solver_link *link, const fc_solver_lane *lane, double held);
/* router_lag.c: 5.5. */
void fc_router_spread_lag(fc_router_solver *solver, int passes);
/* router_behind.c: 5.6 and 5.7. */
void fc_router_feel_stalls(fc_router_solver *solver);
void fc_router_wait_behind(fc_router_solver *solver);
/* router_source.c: 6. The mean wait at the source; infinity: overloaded. */
double fc_router_source_wait(const fc_router_solver *solver, const fc_solver_lane *lane,
                             uint32_t index);
/* The same of a source of bursts, each of whose messages takes `time` cycles. rate: messages per
 * cycle. */
double fc_router_burst_wait(double rate, const fc_injection *injection, double time);

/* router_outstanding.c: mean wait of requests for the link of their node. */
double fc_router_request_wait(const fc_router_solver *solver);
/* router_outstanding.c: 6.1. Adds the wait of requests for replies to earlier ones; false: the
 * limit of outstanding requests is too low for the rate. */
bool fc_router_wait_for_replies(fc_router_solver *solver, fc_router_solution *solution);

/* Whether waits behind others in this lane's buffer are counted by themselves. With a single
 * channel the node and the buffer of its link are one queue, counted at the source. */
bool fc_router_waits_behind(const fc_router_solver *solver, const fc_solver_lane *lane);

/* A station at which up to `channels` messages are served at once: alone each takes `time`, all
 * together leave at rate `cap` at most. */
typedef struct fc_sharing_station {
    double full;    /* probability that no channel is free */
    double served;  /* mean number in service */
    double fastest; /* rate at which messages leave if all channels are taken */
} fc_sharing_station;
/* The share of its fastest rate from which on a station counts as overloaded. */
#define FC_STATION_LOAD_MOST 0.9999
fc_sharing_station fc_sharing_station_of(double rate, double time, double cap, double channels);

#endif
