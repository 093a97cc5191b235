/* State of closed traffic: processors, memories, node links. */
#ifndef FC_SIMULATORS_FLIT_CLOSED_H
#define FC_SIMULATORS_FLIT_CLOSED_H

#include "simulators/flit/flit.h"

/* A customer: at its processor, on its way as a request, at a memory, on its way as a reply. */
typedef struct fc_transaction {
    uint64_t sequence; /* requests its node had sent before */
    uint64_t joined;   /* cycle in which it joined its processor's queue */
    uint64_t requested;
    uint64_t request_time; /* cycles of the request in the network */
    uint64_t arrived;      /* at the memory */
    uint64_t reply_due;
    uint64_t replied;
    uint32_t owner, memory; /* nodes */
    uint32_t type;          /* of request */
    uint32_t request_rising, reply_rising;
    uint32_t next; /* in the queue it is in */
} fc_transaction;

typedef struct fc_closed_node {
    fc_random random;
    uint64_t sequence;                /* requests sent */
    uint32_t queue_first, queue_last; /* customers at the processor, the first in service */
    uint64_t service_from;
    uint32_t serving; /* customers in service, where each has a processor */
    uint64_t stolen;  /* cycles by which the end of the service is put off for messages handled */
    uint32_t memory_first, memory_last; /* requests waiting for the memory */
    uint64_t memory_busy_until;
    uint32_t reply_first, reply_last; /* accesses whose reply is not queued yet, as they began */
    uint32_t turn;                    /* among links that would do */
    /* detail, since the warm-up */
    uint64_t busy_cycles, served, service_counted_from;
} fc_closed_node;

typedef struct fc_closed_queue { /* of one link into the switch */
    uint32_t first, last;        /* waiting behind the one that is sent */
    uint32_t messages;           /* with that one */
} fc_closed_queue;

typedef struct fc_closed_due {
    uint64_t time;
    /* With N nodes, below N: the end of a service; below 2 N: the memory of node what - N; else the
     * end of the service of customer what - 2 N, who has a processor of its own. */
    uint32_t what;
    uint32_t next;
} fc_closed_due;

struct fc_closed_nodes {
    fc_closed_node *node;
    fc_closed_queue *queue;
    bool unlimited;   /* requests outstanding */
    int processors;   /* traffic.processors */
    uint32_t busy;    /* processors */
    uint64_t counted; /* cycle up to which busy processors have been counted */
    uint32_t *wheel;  /* calendar: lists by time modulo its length */
    fc_closed_due *due;
    uint32_t due_room, due_free;
    uint32_t *now; /* what is due in this cycle; due_room entries */
    fc_transaction *transaction;
    uint32_t transaction_room, transaction_free;
    uint32_t population[FC_CLOSED_STATIONS]; /* customers; none at processors if unlimited */
};

/* Brings sums.busy up to the present. */
void fc_closed_settle(fc_flit *engine);
void fc_closed_clear_detail(fc_flit *engine);
/* Cycles the processor has been busy since the warm-up. */
double fc_closed_busy_cycles(const fc_flit *engine, uint32_t node);

#endif
