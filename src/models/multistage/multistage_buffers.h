/* Buffers of a multistage network that hold back what the buffer ahead cannot take: the pieces that
 * the model multistage-backpressure puts together. Times are in units of the service time d, rates
 * per d. The theory is in docs/theory/multistage.md. */
#ifndef FC_MODELS_MULTISTAGE_BUFFERS_H
#define FC_MODELS_MULTISTAGE_BUFFERS_H

#include <stdbool.h>
#include <stdint.h>
#include "queueing/merged_queue.h"

/* Utilisation of a server that the model takes to be never idle. */
#define FC_NEVER_IDLE (1.0 - 1e-7)

typedef struct fc_buffer_tuning {
    double merge_rise;    /* of dispersion at full load, after Kruskal, Snir and Weiss */
    double second_moment; /* of a held time over the square of its mean */
    double memory_fixed;  /* how spells of full buffers add to the variation of services, */
    double memory_switch; /* per waiting place: fixed, and by the share sent the same way */
    double memory_least;  /* times 1/a, at least */
    double source_memory; /* the same for first buffers */
    double share_fixed;   /* corrects the share of packets that find a full buffer, */
    double share_switch;  /* fixed, and by 1/a */
    double relief;        /* senders once blocked come back in step with the buffer */
    double held_least;    /* corrects the number of blocked senders, */
    double held_rise;     /* from steady to variable services */
    double held_half;
    double throttle;       /* sources that often reach their limit send more evenly, */
    double throttle_decay; /* less so with every stage */
    double memory_most;    /* the most that spells can add, */
    double memory_even;    /* and what even traffic allows beyond it */
    double held_uneven;    /* corrects the number of blocked senders with uneven traffic */
    double line_meet;      /* mean square of a wait for a line, over wait times holding time */
    double line_queue;     /* and over the square of the wait */
    double line_fixed;     /* dispersion of what comes over a line, */
    double line_switch;    /* fixed, and by 1/a */
    double line_memory;    /* as memory_switch with lines, per root of the waiting places */
    double line_held;      /* as held_least and second_moment, */
    double line_moment;    /* with lines */
} fc_buffer_tuning;

extern const fc_buffer_tuning fc_buffer_tuned;

/* One kind of buffer, or (line only) a memory. */
typedef struct fc_buffer_kind {
    double service;   /* mean, held time and wait for a line included */
    double held;      /* mean time held by the buffers ahead */
    double variation; /* squared coefficient of variation due to held times: these come in spells */
    double brief;     /* the same due to waits for lines: these do not */
    double rate;      /* arrivals per buffer and d */
    double waiting;   /* mean number waiting in the buffer */
    double entry;     /* mean time a packet is held before it enters */
    double entry2;    /* second moment of that */
    double share;     /* of arrivals that find it full */
    double along;     /* share of its packets that go on to the same buffer */
    double line;      /* mean time a packet waits for the line into this buffer (contention) */
    double line2;     /* second moment of that */
} fc_buffer_kind;

/* What all buffers have in common. */
typedef struct fc_buffer_rules {
    fc_merge_room *room;
    double a;                   /* inputs of a switch */
    size_t places;              /* L */
    bool infinite;              /* L is infinite */
    bool lines;                 /* contention for output ports */
    double throttle;            /* by how much a limit on outstanding packets smooths its source */
    double relief_rate, relief; /* the last relief found, and for which rate */
} fc_buffer_rules;

/* Solves the buffer of a stage (from 2) given its rate and service, where each of its senders sends
 * the share `sent` of its packets to it; false if it cannot carry its rate. */
bool fc_buffer_solve(fc_buffer_rules *rules, fc_buffer_kind *at, double sent, int64_t stage);
/* The wait for the line into a buffer or memory, given its rate and entry, where each of its
 * senders sends the share `sent` of its packets over it; none without contention. */
void fc_buffer_solve_line(const fc_buffer_rules *rules, fc_buffer_kind *at, double sent);
/* Mean wait of a packet in the buffer; 0 where none comes. */
double fc_buffer_wait(const fc_buffer_kind *at);
/* The service of a buffer that sends the share `sent` into `ahead` and the rest into `beside`. */
void fc_buffer_serve_into(fc_buffer_kind *at, const fc_buffer_kind *ahead,
                          const fc_buffer_kind *beside, double sent);
/* Entry and share by decree: second moment to match. */
void fc_buffer_set_entry(const fc_buffer_rules *rules, fc_buffer_kind *at, double entry,
                         double share);

#endif
