/* The networks, interfaces and memories of a chip, cycle by cycle. See chip_network.c for the
 * rules.
 *
 * A transfer is cut into parts of at most a packet's data. A part of a read is a request of one
 * flit that goes to the tile with the data, and then the data that come back behind a header flit;
 * of a write, the data behind a header, and then one flit that says that they have come. */
#ifndef FC_SIMULATORS_CHIP_NETWORK_H
#define FC_SIMULATORS_CHIP_NETWORK_H

#include "base/histogram.h"
#include "scenario/families/chip.h"

/* Links out of the tile's router, from the tile into it and from it into the tile. */
enum { FC_CHIP_ALONG_ROW, FC_CHIP_ALONG_COLUMN, FC_CHIP_INJECT, FC_CHIP_EJECT, FC_CHIP_KINDS };
#define FC_CHIP_NONE UINT32_MAX

typedef enum fc_chip_stage {
    FC_PART_WAITING, /* it has not been asked for */
    FC_PART_REQUEST, /* the request is queued at its tile or under way */
    FC_PART_MEMORY,  /* queued at the memory */
    FC_PART_REPLY,   /* the data are at the memory's interface or under way */
    FC_PART_DONE,
} fc_chip_stage;

typedef struct fc_chip_part {
    uint32_t transfer;
    uint32_t next;         /* in a queue of a tile */
    uint32_t there, back;  /* flits of the request and of the reply, headers included */
    uint32_t sent;         /* flits of the packet under way that have left its tile */
    uint16_t source, home; /* tiles: who asks, who has the data or gets them */
    uint8_t network;
    uint8_t stage;    /* fc_chip_stage */
    uint8_t along;    /* kind of the link it was given last */
    uint8_t behind;   /* 1: it has passed the wrap-around link of this dimension */
    uint64_t arrived; /* cycle in which the request came to the memory */
} fc_chip_part;

typedef struct fc_chip_queue {
    uint32_t first, last, count;
} fc_chip_queue;

/* One of the parts that a memory serves at the same time. */
typedef struct fc_chip_service {
    uint32_t part;  /* whose data leave; FC_CHIP_NONE */
    bool sending;   /* they have been given a virtual channel */
    uint64_t begin; /* cycle from which they may leave */
    uint64_t free;  /* cycle from which the next part may be served */
} fc_chip_service;

/* What a tile has in each network. */
typedef struct fc_chip_interface {
    fc_chip_queue asked;    /* requests that have not left the tile */
    fc_chip_queue requests; /* at its memory */
    fc_chip_service services[FC_CHIP_AT_ONCE_MAX];
    uint32_t inputs[FC_CHIP_EJECT]; /* links into its router, by their kind */
} fc_chip_interface;

/* What a memory may still read and write, of all networks together. */
typedef struct fc_chip_allowance {
    double bytes; /* as known in cycle `at`; data that come in may make it negative */
    uint64_t at;
} fc_chip_allowance;

typedef struct fc_chip_flit {
    uint64_t ready; /* cycle in which it can leave the buffer */
    uint32_t part, index;
} fc_chip_flit;

/* A virtual channel of a link, with the buffer at the link's end. */
typedef struct fc_chip_channel {
    uint32_t owner;  /* part whose packet enters it; FC_CHIP_NONE */
    uint32_t link;   /* its own */
    uint32_t to;     /* channel that its flits go to; FC_CHIP_NONE: not known */
    uint32_t from;   /* channel in whose buffer the owner's flits are; FC_CHIP_NONE: at the tile */
    uint32_t places; /* free ones, as known at the link's beginning */
    uint32_t first, count; /* of the buffer */
} fc_chip_channel;

/* Channels of a link that a packet may take: those of its class, before or behind the dateline. */
enum { FC_CHIP_GROUPS = 4 };

typedef struct fc_chip_link {
    uint32_t end; /* tile whose router (or interface) it leads to */
    uint8_t last; /* channel that sent last */
    bool amid;    /* that was not the end of its packet */
    /* bit sets of its channels: those that are owned; without a place; whose owner's flits have not
     * come yet, as far as is known */
    uint16_t owned, full, dry;
    uint16_t heads; /* of its channels whose first flit is a header on its way to the router */
    bool crosses;   /* the dateline */
    uint8_t kind;
    uint64_t
        waiting[FC_CHIP_GROUPS];     /* bit sets of inputs with a header that waits for a channel */
    uint8_t granted[FC_CHIP_GROUPS]; /* input whose header was given one last */
    uint8_t taken;                   /* into a tile: channel whose request was taken last */
    uint64_t carried;                /* flits */
    uint64_t sent_at;                /* cycle of the last flit, plus one */
    uint64_t passed_on;              /* cycle in which a flit left its buffers last, plus one */
} fc_chip_link;

typedef struct fc_chip_processor_state {
    uint32_t next; /* part that it asks for next, of `parts`; first + count of them at its end */
    uint32_t end;
    uint64_t due; /* cycle in which it asks; UINT64_MAX: never, or it waits for a barrier */
} fc_chip_processor_state;

typedef struct fc_chip_run {
    const fc_chip *chip;
    uint64_t time;
    uint64_t hops;                 /* flits that crossed a link between routers */
    uint64_t ended;                /* cycle of the last data so far */
    uint64_t delivered, under_way; /* parts */
    uint32_t part_count;
    fc_chip_part *parts;  /* in the order of the trace's transfers */
    uint32_t *parts_left; /* of each transfer */
    fc_chip_processor_state *processors;
    uint64_t soonest;              /* the least `due` */
    uint64_t *barrier_end;         /* cycle of the last data of each barrier */
    bool *passed;                  /* of each barrier; see fc_noc_pass */
    uint32_t *transfers_left;      /* of each barrier */
    uint64_t *asked_at;            /* of each transfer: cycle in which it was asked for */
    fc_chip_interface *interfaces; /* network x tile */
    fc_chip_link *links;           /* (network x tile) x kind */
    uint32_t interface_count, link_count, channels; /* channels  of a link */
    fc_chip_channel *channel;                       /* link x channels */
    fc_chip_flit *flits;                            /* channel x slots */
    uint32_t slots;                                 /* a power of two */
    uint32_t *returned;     /* channels whose places come back, the first first: a ring */
    uint32_t returned_room; /* a power of two */
    uint32_t returned_first, returned_last;
    uint32_t *returns;             /* of the cycles from now on, a ring: how many come back */
    uint64_t *busy_links;          /* bit sets: links with a channel that may send, ... */
    uint64_t *fronts;              /* ... links with such heads, ... */
    uint64_t *turns;               /* ... links for which headers wait, ... */
    uint64_t *ends;                /* ... links into tiles with flits in their buffers, ... */
    uint64_t *busy_tiles;          /* ... interfaces with something to send */
    fc_chip_allowance *allowances; /* of each tile, then of each memory that its tiles share */
    fc_histogram *latencies;       /* of transfers; may be NULL */
    double latency_sum, transfers_done;
} fc_chip_run;

fc_status fc_chip_run_create(const fc_chip *chip, fc_error *error, fc_chip_run **run);
void fc_chip_run_free(fc_chip_run *run); /* accepts NULL */
/* Until this cycle, or until all data have come. */
void fc_chip_run_advance(fc_chip_run *run, uint64_t until);
static inline bool fc_chip_run_done(const fc_chip_run *run) {
    return run->delivered == run->part_count;
}

/* ---- shared by the files of the simulator ---- */

static inline uint32_t fc_chip_interface_of(const fc_chip_run *run, uint32_t network,
                                            uint32_t tile) {
    return network * run->chip->tiles + tile;
}
/* When the next transfer of a processor is due. */
void fc_chip_find_due(fc_chip_run *run, fc_chip_processor_state *state);

#endif
