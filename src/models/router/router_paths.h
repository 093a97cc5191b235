/* Messages alone: how long each path takes and how long each of its links is held. */
#ifndef FC_MODELS_ROUTER_PATHS_H
#define FC_MODELS_ROUTER_PATHS_H

#include "base/status.h"
#include "scenario/routed.h"

/* The kinds of messages: their classes. */
enum { FC_KINDS_MAX = FC_CLASSES_MAX };
typedef struct fc_message_kinds {
    size_t count;
    fc_lengths lengths[FC_KINDS_MAX];
    uint64_t channels[FC_KINDS_MAX];                 /* the virtual channels of each */
    double mean[FC_KINDS_MAX], square[FC_KINDS_MAX]; /* moments of the length */
    uint32_t rank[FC_KINDS_MAX];                     /* the lowest goes first */
    bool ranked;
    int64_t longest;
    double memory, memory_variance; /* cycles from a request's arrival until its reply is sent */
} fc_message_kinds;

fc_message_kinds fc_message_kinds_of(const fc_routed *routed);

/* What tells paths apart: the number of routers, the sum of the delays of the links behind them
 * and, where credits matter and delays differ, their order. */
typedef struct fc_path_key {
    uint32_t routers, delay;
    uint64_t order;
} fc_path_key;

/* The link behind a router. */
typedef struct fc_path_link {
    uint32_t delay;    /* cycles */
    uint32_t interval; /* cycles between two flits on it, times 2^FC_LINK_BITS; 0: one */
} fc_path_link;
enum { FC_LINK_BITS = 16 };

typedef struct fc_path {
    fc_path_key key;
    double header;                /* latency of a message of one flit */
    size_t hold;                  /* where its holding times begin; see fc_path_hold */
    double weight[FC_KINDS_MAX];  /* messages per cycle at traffic.rate = 1 */
    double latency[FC_KINDS_MAX]; /* mean over lengths, cycles */
    double source[FC_KINDS_MAX], source_square[FC_KINDS_MAX]; /* the link of the node is taken */
} fc_path;

typedef struct fc_paths {
    const fc_routed *routed;
    const fc_message_kinds *kinds;
    bool tight;        /* some message is held back by the credits of its own flits, or by links
                          and routers that do not take one flit per cycle */
    bool paced;        /* routers are faster than links, or links have widths of their own */
    bool equal_delays; /* links between routers are alike: a path is identified by its length */
    size_t count, room;
    fc_path *list;
    uint32_t *slot; /* hash table, 2 * room: 1 + index; 0: empty */
    double *hold;   /* tight: kinds x (routers + 1) for each path */
    size_t hold_count, hold_room;
    int64_t *scratch; /* departures of flits */
    size_t scratch_room;
} fc_paths;

fc_status fc_paths_create(const fc_routed *routed, const fc_message_kinds *kinds, bool equal_delays,
                          uint32_t longest_link, fc_error *error, fc_paths **paths);
void fc_paths_free(fc_paths *paths);

/* The path that goes through one router more before `rest`. */
fc_path_key fc_path_key_before(const fc_paths *paths, fc_path_key rest, fc_path_link hop);
/* Index of the path; SIZE_MAX if it was not added yet. */
size_t fc_paths_find(const fc_paths *paths, fc_path_key key);
/* Adds a path that is not there yet; hops: the links behind its routers, the last into the node.
 * Its index, SIZE_MAX if out of memory. */
size_t fc_paths_add(fc_paths *paths, fc_path_key key, const fc_path_link *hops);
/* Mean cycles for which a message of a kind holds the link behind station `at` (0: the node). */
double fc_path_hold(const fc_paths *paths, const fc_path *path, size_t kind, uint32_t at);

/* Means over all messages. */
typedef struct fc_alone {
    double latency, source, source_square;
    double header; /* latency of a message of one flit */
    double flits, routers, rate;
} fc_alone;
fc_alone fc_paths_mean(const fc_paths *paths);

typedef struct fc_lone_message {
    int64_t flits;
    int64_t start; /* cycle; it only matters where routers have a faster clock than links */
} fc_lone_message;
/* Cycles of a message alone over these links. hold (may be NULL): routers + 1, cycles for which
 * each link is held; ticks of routers where these have a faster clock than links or links differ in
 * width. scratch: (routers + 2) * (flits + 2). */
int64_t fc_path_latency(const fc_routed *routed, const fc_path_link *hops, uint32_t routers,
                        fc_lone_message message, int64_t *scratch, int64_t *hold);

#endif
