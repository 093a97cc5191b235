/* Closed traffic on slotted rings: processors that read and write the memories of other stations,
 * with the packets that this takes. */
#ifndef FC_SIMULATORS_SLOT_RING_CLOSED_H
#define FC_SIMULATORS_SLOT_RING_CLOSED_H

#include "simulators/calendar.h"
#include "simulators/slot/slotted_rings.h"

/* The packets of a request; a packet's `message` is FC_RING_MESSAGES times its customer, plus one
 * of these. */
enum {
    FC_RING_REQUEST,
    FC_RING_ACCEPTED, /* acknowledgements */
    FC_RING_REFUSED,
    FC_RING_DATA,
    FC_RING_MESSAGES
};

/* What is due at the cycle in the calendar. */
enum { FC_RING_THOUGHT, FC_RING_RETRY, FC_RING_READ, FC_RING_BACK };

/* One of the `outstanding` of a station, numbered station by station. */
typedef struct fc_ring_customer {
    uint64_t joined;             /* its processor's queue */
    uint64_t sent;               /* the request, for the first time */
    uint64_t attempt;            /* cycle of the last sending */
    uint32_t memory;             /* station */
    uint32_t next;               /* at the processor */
    uint32_t refused;            /* times */
    uint16_t turn;               /* of its packets */
    uint8_t due, reads, awaited; /* awaited: packets until it is complete */
} fc_ring_customer;

typedef struct fc_ring_station {
    uint32_t first, last;      /* customers at the processor, the first in service */
    uint64_t memory_free_from; /* cycle */
} fc_ring_station;

enum { FC_RING_AT_PROCESSOR, FC_RING_UNDER_WAY, FC_RING_ROUND, FC_RING_CLOSED_STATIONS };

/* Since the start, and as they were when measuring started; [reads]. */
typedef struct fc_ring_closed_sums {
    uint64_t served[2], response[2], refused[2];
    uint64_t tried;     /* cycles until the attempt that was accepted was sent, of those served */
    uint64_t at_memory; /* until the data were sent */
    uint64_t services, service_cycles;
    uint64_t busy; /* processors, summed over cycles */
    uint64_t left, stay, round_trip;
    uint64_t served_hot, response_hot;
} fc_ring_closed_sums;

typedef struct fc_ring_closed {
    fc_ring_requests of;
    uint32_t customers;
    fc_ring_customer *customer;
    fc_ring_station *station;
    fc_calendar calendar; /* of customers */
    uint64_t *now;        /* a bit for each customer */
    uint32_t at_processors, busy;
    uint64_t last_arrival;                  /* cycle in which a packet came to its station */
    fc_ring_closed_sums all, start, before; /* before: the present batch */
} fc_ring_closed;

fc_status fc_ring_closed_create(fc_slotted_rings *rings, const fc_ring_requests *of,
                                fc_error *error);
void fc_ring_closed_free(fc_ring_closed *closed); /* accepts NULL */

/* Before the packets of a cycle move: what is due. */
fc_status fc_ring_closed_begin(fc_slotted_rings *rings, fc_error *error);
/* A packet has come to its station. True: it has become an acknowledgement. */
bool fc_ring_closed_arrive(fc_slotted_rings *rings, fc_ring_packet *packet);
void fc_ring_closed_end(fc_slotted_rings *rings); /* of a cycle */
/* Whether crossings whose queues are full wait for each other in a circle. */
fc_status fc_ring_closed_check(const fc_slotted_rings *rings, fc_error *error);

void fc_ring_closed_fill(fc_slotted_rings *rings, uint64_t cycles, fc_sample *sample);

extern const fc_metric_id fc_ring_closed_observables[];
extern const char *const fc_ring_closed_stations[];
extern const char *const fc_ring_closed_controls[];
void fc_ring_closed_report(void *const *states, size_t replications, fc_result *result);

#endif
