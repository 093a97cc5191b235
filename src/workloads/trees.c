/* Collective operations on trees, cut into chunks that follow each other.
 *
 *   broadcast, binomial  rank r (counted from the root) gets it from the rank without its lowest
 *                        bit and sends it to those with one more bit below that, the largest
 *                        subtree first
 *   broadcast, ring      from each rank to the next
 *   two trees            an all-reduce: every half of the vector is added up along one of two trees
 *                        and sent back along it. A rank inside one tree is a leaf of the other, so
 *                        that every link into and out of a rank carries about one vector (Sanders,
 *                        Speck and Traeff, Parallel Computing 35, 2009).
 *
 * The first tree is that of the numbers 1 .. p by the lowest bit that is set; the second is the
 * same with the ranks moved on by one (p odd) or taken backwards (p even). */
#include "workloads/phase_plan.h"

#include "base/memory.h"

enum { CHILDREN_MAX = 32, CHUNKS_MAX = 64, CHUNK_PACKETS = 16 };

/* Enough chunks to keep the links busy while the tree fills, each long against a router's delays.
 */
static uint32_t count_chunks(const fc_phase_plan *plan, uint64_t bytes) {
    const uint64_t chunk = (uint64_t)CHUNK_PACKETS *
                           (uint64_t)(plan->workload->packet_flits * plan->workload->flit_bytes);
    if (plan->phase->chunks)
        return (uint32_t)plan->phase->chunks;
    return bytes <= chunk ? 1 : bytes / chunk < CHUNKS_MAX ? (uint32_t)(bytes / chunk) : CHUNKS_MAX;
}

/* ---- broadcast ---- */

static uint32_t lowest_bit(uint32_t number) {
    return number & (0u - number);
}

/* The children of rank number `turned`, counted from the root. */
static uint32_t broadcast_children(const fc_phase_plan *plan, uint32_t turned,
                                   uint32_t child[CHILDREN_MAX]) {
    uint32_t count = 0, bit = 1;
    if (plan->phase->algorithm == FC_ALGORITHM_RING) {
        child[0] = turned + 1;
        return turned + 1 < plan->ranks;
    }
    while (turned ? bit < lowest_bit(turned) : bit < plan->ranks)
        bit <<= 1;
    for (bit >>= 1; bit; bit >>= 1) {
        if (turned + bit < plan->ranks)
            child[count++] = turned + bit;
    }
    return count;
}

static uint32_t from_root(const fc_phase_plan *plan, uint32_t rank) {
    return (rank + plan->ranks - (uint32_t)plan->phase->root) % plan->ranks;
}

static fc_status prepare_broadcast(fc_phase_plan *plan, fc_error *error) {
    (void)error;
    plan->tasks = count_chunks(plan, (uint64_t)plan->phase->bytes);
    return FC_OK;
}

static void broadcast_task(const fc_phase_plan *plan, uint32_t rank, uint32_t task, fc_task *what) {
    uint32_t child[CHILDREN_MAX];
    const uint32_t turned = from_root(plan, rank);
    const uint64_t bytes = fc_part_bytes((uint64_t)plan->phase->bytes, plan->tasks, task);
    *what = (fc_task){.packets = turned ? fc_plan_packets(plan, bytes) : 0,
                      .sends = broadcast_children(plan, turned, child)};
}

static void broadcast_send(const fc_phase_plan *plan, uint32_t rank, uint32_t task, uint32_t i,
                           fc_send *message) {
    uint32_t child[CHILDREN_MAX];
    broadcast_children(plan, from_root(plan, rank), child);
    *message = (fc_send){.rank = (child[i] + (uint32_t)plan->phase->root) % plan->ranks,
                         .task = task,
                         .bytes = fc_part_bytes((uint64_t)plan->phase->bytes, plan->tasks, task)};
}

const fc_phase_type fc_broadcast = {prepare_broadcast, broadcast_task, broadcast_send};

/* ---- two trees ---- */

#define NO_PARENT UINT32_MAX

typedef struct tree_place {
    uint32_t parent;
    uint32_t child[2];
    uint32_t children;
} tree_place;

typedef struct two_trees {
    uint32_t chunks;    /* of a half */
    tree_place place[]; /* ranks of the first tree, then of the second */
} two_trees;

/* The parent of number k of 1 .. p: its lowest bit goes up by one place; numbers beyond p fold
 * back. */
static uint32_t parent_number(uint32_t k, uint32_t p) {
    const uint32_t bit = lowest_bit(k);
    const uint32_t up = (k & ~bit & ~(bit << 1)) | bit << 1;
    if (up <= p && up != k)
        return up;
    const uint32_t down = k - bit;
    return down >= 1 ? down : NO_PARENT;
}

static void build_tree(const fc_phase_plan *plan, bool second, tree_place *place) {
    const uint32_t p = plan->ranks;
    for (uint32_t rank = 0; rank < p; ++rank)
        place[rank] = (tree_place){.parent = NO_PARENT};
    for (uint32_t k = 1; k <= p; ++k) {
        const uint32_t parent = parent_number(k, p);
        if (parent == NO_PARENT)
            continue;
        const uint32_t from = !second ? k - 1 : p % 2 ? k % p : p - k;
        const uint32_t to = !second ? parent - 1 : p % 2 ? parent % p : p - parent;
        place[from].parent = to;
        place[to].child[place[to].children++] = from;
    }
}

/* Task numbers: first every chunk up, tree by tree in turn, then every chunk down. */
static uint32_t up_task(uint32_t chunk, uint32_t tree) {
    return 2 * chunk + tree;
}

static fc_status prepare_trees(fc_phase_plan *plan, fc_error *error) {
    const uint32_t chunks = count_chunks(plan, (uint64_t)plan->phase->bytes / 2);
    two_trees *trees =
        fc_allocate(1, sizeof *trees + 2 * (size_t)plan->ranks * sizeof *trees->place);
    if (!trees)
        return fc_fail_memory(error);
    trees->chunks = chunks;
    build_tree(plan, false, trees->place);
    build_tree(plan, true, trees->place + plan->ranks);
    plan->data = trees;
    plan->tasks = 4 * chunks;
    return FC_OK;
}

static uint64_t chunk_bytes(const fc_phase_plan *plan, uint32_t chunk, uint32_t tree) {
    const two_trees *trees = plan->data;
    return fc_part_bytes(fc_part_bytes((uint64_t)plan->phase->bytes, 2, tree), trees->chunks,
                         chunk);
}

static void tree_task(const fc_phase_plan *plan, uint32_t rank, uint32_t task, fc_task *what) {
    const two_trees *trees = plan->data;
    const bool down = task >= 2 * trees->chunks;
    const uint32_t of = down ? task - 2 * trees->chunks : task, chunk = of / 2, tree = of % 2;
    const tree_place *place = &trees->place[tree * plan->ranks + rank];
    const uint64_t packets = fc_plan_packets(plan, chunk_bytes(plan, chunk, tree));
    *what = (fc_task){.packets = down ? (place->parent != NO_PARENT) * packets
                                      : place->children * packets};
    if (!down)
        what->reduced = place->children * chunk_bytes(plan, chunk, tree);
    if (down)
        what->sends = place->parent != NO_PARENT ? place->children : 0;
    else
        what->sends = place->parent != NO_PARENT ? 1 : place->children;
}

static void tree_send(const fc_phase_plan *plan, uint32_t rank, uint32_t task, uint32_t i,
                      fc_send *message) {
    const two_trees *trees = plan->data;
    const uint32_t half = 2 * trees->chunks;
    const uint32_t of = task >= half ? task - half : task, chunk = of / 2, tree = of % 2;
    const tree_place *place = &trees->place[tree * plan->ranks + rank];
    const bool up = task < half && place->parent != NO_PARENT;
    *message = (fc_send){.rank = up ? place->parent : place->child[i],
                         .task = up_task(chunk, tree) + (up ? 0 : half),
                         .bytes = chunk_bytes(plan, chunk, tree)};
}

const fc_phase_type fc_two_trees = {prepare_trees, tree_task, tree_send};
