/* A chip: a grid of tiles, and networks side by side that join them, each a torus with links in one
 * direction only. Its tiles read from each other's memories. */
#ifndef FC_SCENARIO_CHIP_H
#define FC_SCENARIO_CHIP_H

#include "scenario/family.h"
#include "scenario/formats/noc_trace.h"

enum {
    FC_CHIP_MEMORIES_MAX = 8,
    FC_CHIP_TILES_MAX = FC_NOC_SIDE_MAX * FC_NOC_SIDE_MAX,
    FC_CHIP_QUEUE = 16,        /* requests at a memory, if nothing else is said */
    FC_CHIP_AT_ONCE_MAX = 4,   /* parts that a memory serves at the same time */
    FC_CHIP_CLASS_MAX = 4,     /* channels of a class on one side of the dateline */
    FC_CHIP_CHANNELS_MAX = 16, /* of a link: two classes, two sides */
};

typedef struct fc_chip_network {
    char name[FC_NOC_NAME_SIZE];
    bool falling;    /* direction: decreasing: links lead to the lower column and row */
    bool rows_first; /* order: descending: along its column first, then along the row */
} fc_chip_network;

typedef struct fc_chip_networks {
    size_t count;
    fc_chip_network network[FC_NOC_NETWORKS_MAX];
} fc_chip_networks;

typedef struct fc_chip_tile {
    uint8_t x, y;
} fc_chip_tile;

typedef struct fc_chip_memory {
    char name[FC_NOC_NAME_SIZE];
    int64_t latency;  /* cycles from the arrival of a request until the data can begin to leave */
    int64_t gap;      /* cycles between the data of a read and those of the next */
    int64_t queue;    /* requests that wait there, of each network; then they wait in the network */
    int64_t at_once;  /* reads that are served at the same time, of each network */
    double bandwidth; /* bytes that are read and written per cycle, in all networks; 0: no limit */
    bool shared;      /* the bandwidth is of all its tiles together, not of each */
    bool all;         /* of every tile that no other memory names */
    size_t tile_count;
    fc_chip_tile *tiles;
} fc_chip_memory;

typedef struct fc_chip_memories {
    size_t count;
    fc_chip_memory memory[FC_CHIP_MEMORIES_MAX];
} fc_chip_memories;

enum { FC_REPLAY_OPEN, FC_REPLAY_CLOSED };      /* traffic.replay */
enum { FC_CHANNEL_FREE, FC_CHANNEL_FIXED };     /* network.channel_choice */
enum { FC_CROSSBAR_LINK, FC_CROSSBAR_CHANNEL }; /* network.crossbar */
enum { FC_DATELINE_AT, FC_DATELINE_AFTER };     /* network.dateline */
enum { FC_TURNS_FLIT, FC_TURNS_PACKET };        /* network.link_turns */
enum { FC_HANDOVER_TAKEN, FC_HANDOVER_SENT };   /* network.tile_handover */
enum {                                          /* network.arbitration */
       FC_ARBITRATION_ROUND_ROBIN,
       FC_ARBITRATION_OLDEST,
       FC_ARBITRATION_LOWEST
};

typedef struct fc_chip {
    int topology;
    fc_integer_list radix; /* columns, rows */
    fc_chip_networks networks;
    int64_t flit_bytes, packet_bytes; /* of data; a packet of data has one flit more, its header */
    int64_t link_delay;               /* cycles from a router to the next */
    int64_t node_delay;               /* cycles between a tile and its router */
    int64_t credit_delay;             /* cycles until a freed place is known upstream */
    int64_t buffer;                   /* flits of a virtual channel */
    int64_t request_channels, reply_channels; /* before the dateline, and as many behind it */
    int arbitration, channel_choice, crossbar, dateline, link_turns, tile_handover;
    int64_t barrier_delay; /* cycles from the last data until the barrier is passed */
    fc_chip_memories memories;
    fc_noc_trace trace;
    int replay;
    /* derived */
    uint32_t columns, rows, tiles;
    uint8_t *memory_of; /* of each tile: index into memories; UINT8_MAX: none */
} fc_chip;

extern const fc_family fc_chip_family;

static inline uint32_t fc_chip_tile_at(const fc_chip *chip, uint32_t x, uint32_t y) {
    return y * chip->columns + x;
}

/* A packet of a transfer: from the tile that asks to the one that has or gets the data, and back.
 */
typedef struct fc_chip_packet {
    uint16_t source, home; /* tiles */
    uint32_t there, back;  /* flits, the header included */
} fc_chip_packet;

/* A transfer is cut into packets of at most packet_bytes. A multicast sends each to every column of
 * its rectangle (or row, where the network goes along columns first): to the last tile there. */
uint64_t fc_chip_packet_count(const fc_chip *chip, const fc_noc_transfer *transfer);
fc_chip_packet fc_chip_packet_at(const fc_chip *chip, const fc_noc_transfer *transfer,
                                 uint64_t number);
/* Of all transfers; fails if they are more than are followed. */
fc_status fc_chip_count_packets(const fc_chip *chip, fc_error *error, uint32_t *count);

/* Cycles that were measured, from the first event of the trace until the last data came. */
double fc_chip_measured(const fc_chip *chip);

#endif
