/* Exchanges between ranks that need no steps, or steps of one kind: all-to-all, a stencil's halo, a
 * matrix of bytes, tokens to experts and back; and phases without messages. */
#include <math.h>
#include "base/memory.h"
#include "base/random.h"
#include "workloads/phase_plan.h"

static const fc_task only_wait = {.in_order = true};

/* ---- all-to-all ---- */

/* A permutation of 0 .. count - 1 that is drawn, without memory for it: four rounds of mixing on
 * the next power of four, again until the number is among them. */
static uint32_t drawn_place(uint64_t key, uint32_t count, uint32_t i) {
    uint32_t bits = 1;
    while ((uint64_t)1 << 2 * bits < count)
        ++bits;
    const uint32_t mask = (1u << bits) - 1;
    do {
        uint32_t left = i >> bits, right = i & mask;
        for (uint64_t round = 0; round < 4; ++round) {
            uint64_t mixed = key + (round + 1) * 0x9E3779B97F4A7C15u + right;
            mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
            mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
            const uint32_t next = left ^ ((uint32_t)(mixed >> 32) & mask);
            left = right;
            right = next;
        }
        i = left << bits | right;
    } while (i >= count);
    return i;
}

uint32_t fc_plan_partner(const fc_phase_plan *plan, uint32_t rank, uint32_t i) {
    switch (plan->phase->order) {
    case FC_ORDER_RANK:
        return i < rank ? i : i + 1;
    case FC_ORDER_RANDOM: {
        const uint64_t key = (plan->seed << 32 ^ plan->replication) * 0xD1342543DE82EF95u + rank;
        return (rank + 1 + drawn_place(key, plan->ranks - 1, i)) % plan->ranks;
    }
    default:
        return (rank + 1 + i) % plan->ranks;
    }
}

/* direct: everything is sent at once, in the phase's order; pairwise: to the next but s in step s,
 * when what the last step brings is there. */
static bool pairwise(const fc_phase_plan *plan) {
    return plan->phase->algorithm == FC_ALGORITHM_PAIRWISE;
}

static fc_status prepare_all_to_all(fc_phase_plan *plan, fc_error *error) {
    (void)error;
    plan->tasks = pairwise(plan) ? plan->ranks : 2;
    return FC_OK;
}

static void all_to_all_task(const fc_phase_plan *plan, uint32_t rank, uint32_t task,
                            fc_task *what) {
    (void)rank;
    const uint64_t packets = fc_plan_packets(plan, (uint64_t)plan->phase->bytes);
    const uint32_t others = plan->ranks - 1;
    *what = only_wait;
    what->packets = !task ? 0 : pairwise(plan) ? packets : packets * others;
    what->sends = pairwise(plan) ? task < others : task ? 0 : others;
}

static void all_to_all_send(const fc_phase_plan *plan, uint32_t rank, uint32_t task, uint32_t i,
                            fc_send *message) {
    *message = (fc_send){.rank = pairwise(plan) ? (rank + 1 + task) % plan->ranks
                                                : fc_plan_partner(plan, rank, i),
                         .task = task + 1,
                         .bytes = (uint64_t)plan->phase->bytes};
}

const fc_phase_type fc_all_to_all = {prepare_all_to_all, all_to_all_task, all_to_all_send};

/* ---- halo ---- */

typedef struct halo {
    size_t dimensions;
    uint32_t radix[FC_LIST_MAX], stride[FC_LIST_MAX];
    bool wraps;
} halo;

/* As square as the number of ranks allows. */
static fc_integer_list square_grid(uint32_t ranks) {
    uint32_t side = (uint32_t)sqrt((double)ranks);
    while (ranks % side)
        --side;
    return (fc_integer_list){.count = 2, .values = {side, ranks / side}};
}

static fc_status prepare_halo(fc_phase_plan *plan, fc_error *error) {
    const fc_phase *phase = plan->phase;
    halo *grid = fc_allocate(1, sizeof *grid);
    if (!grid)
        return fc_fail_memory(error);
    const bool all = plan->ranks == (uint64_t)plan->workload->ranks;
    const fc_integer_list list = phase->grid.count                   ? phase->grid
                                 : all && plan->workload->grid.count ? plan->workload->grid
                                                                     : square_grid(plan->ranks);
    uint32_t stride = 1;
    for (size_t d = 0; d < list.count; ++d) {
        grid->radix[d] = (uint32_t)list.values[d];
        grid->stride[d] = stride;
        stride *= grid->radix[d];
    }
    grid->dimensions = list.count;
    grid->wraps = phase->periodic < 0 ? plan->workload->wraps : phase->periodic;
    plan->data = grid;
    plan->tasks = 2;
    return FC_OK;
}

/* Neighbour number i, or only how many there are with UINT32_MAX. Two ranks are neighbours once,
 * even where a dimension of two wraps. */
static uint32_t find_neighbour(const halo *grid, uint32_t rank, uint32_t wanted, uint32_t *found) {
    uint32_t count = 0;
    for (size_t d = 0; d < grid->dimensions; ++d) {
        const uint32_t k = grid->radix[d], at = rank / grid->stride[d] % k;
        const uint32_t here = rank - at * grid->stride[d];
        const bool up = at + 1 < k || (grid->wraps && k > 2);
        const bool down = at > 0 || (grid->wraps && k > 2);
        if (up && count++ == wanted)
            *found = here + (at + 1) % k * grid->stride[d];
        if (down && count++ == wanted)
            *found = here + (at + k - 1) % k * grid->stride[d];
    }
    return count;
}

static void halo_task(const fc_phase_plan *plan, uint32_t rank, uint32_t task, fc_task *what) {
    const uint32_t neighbours = find_neighbour(plan->data, rank, UINT32_MAX, NULL);
    *what = only_wait;
    what->sends = task ? 0 : neighbours;
    what->packets = task ? neighbours * fc_plan_packets(plan, (uint64_t)plan->phase->bytes) : 0;
}

static void halo_send(const fc_phase_plan *plan, uint32_t rank, uint32_t task, uint32_t i,
                      fc_send *message) {
    uint32_t to = rank;
    find_neighbour(plan->data, rank, i, &to);
    *message = (fc_send){.rank = to, .task = task + 1, .bytes = (uint64_t)plan->phase->bytes};
}

const fc_phase_type fc_halo_exchange = {prepare_halo, halo_task, halo_send};

/* ---- matrices ---- */

enum { MATRIX_RANKS_MAX = 4096 };

/* What each rank sends, row by row, beginning behind the diagonal so that not all begin with rank
 * 0. The same turned over is what each receives. */
typedef struct flow {
    uint32_t rank;
    uint64_t bytes;
} flow;
typedef struct flows {
    uint64_t *kept;      /* tokens of a rank that stay with it, or come to it (experts) */
    uint32_t *out_first; /* ranks + 1 */
    uint32_t *in_first;  /* ranks + 1 */
    flow *out, *in;
} flows;

static flows *allocate_flows(uint32_t ranks, size_t entries) {
    const size_t first = ((size_t)ranks + 2) * sizeof(uint64_t);
    char *block = fc_allocate(1, sizeof(flows) + 3 * first + 2 * (entries + 1) * sizeof(flow));
    if (!block)
        return NULL;
    flows *made = (flows *)block;
    made->kept = (uint64_t *)(block + sizeof(flows));
    made->out = (flow *)(block + sizeof(flows) + first);
    made->in = made->out + entries + 1;
    made->out_first = (uint32_t *)(made->in + entries + 1);
    made->in_first = made->out_first + ranks + 2;
    return made;
}

static fc_status gather_flows(fc_phase_plan *plan, uint32_t size, const double *bytes,
                              fc_error *error) {
    const uint32_t ranks = plan->ranks;
    size_t entries = 0;
    for (size_t i = 0; i < (size_t)size * size; ++i)
        entries += bytes[i] > 0 && i / size != i % size;
    flows *made = allocate_flows(ranks, entries);
    if (!made)
        return fc_fail_memory(error);
    plan->data = made;
    for (int turned = 0; turned < 2; ++turned) {
        uint32_t *first = turned ? made->in_first : made->out_first, count = 0;
        flow *list = turned ? made->in : made->out;
        for (uint32_t row = 0; row < ranks; ++row) {
            first[row] = count;
            for (uint32_t k = 1; row < size && k < size; ++k) {
                const uint32_t other = (row + k) % size;
                const double amount =
                    turned ? bytes[(size_t)other * size + row] : bytes[(size_t)row * size + other];
                if (amount > 0)
                    list[count++] = (flow){other, (uint64_t)amount};
            }
        }
        first[ranks] = count;
    }
    return FC_OK;
}

static fc_status prepare_matrix(fc_phase_plan *plan, fc_error *error) {
    plan->tasks = 2;
    return gather_flows(plan, plan->phase->matrix.ranks, plan->phase->matrix.bytes, error);
}

/* Tasks in pairs: one sends along the flows (or back along them), the next waits for what comes. */
static void flow_task(const fc_phase_plan *plan, uint32_t rank, bool back, bool sends, bool waits,
                      fc_task *what) {
    const flows *all = plan->data;
    const uint32_t *sent = back ? all->in_first : all->out_first;
    *what = only_wait;
    if (sends)
        what->sends = sent[rank + 1] - sent[rank];
    if (!waits)
        return;
    /* What is waited for was sent along the flows, by the task before. */
    const bool received_back = back && !sends;
    const uint32_t *first = received_back ? all->out_first : all->in_first;
    const flow *list = received_back ? all->out : all->in;
    for (uint32_t i = first[rank]; i < first[rank + 1]; ++i)
        what->packets += fc_plan_packets(plan, list[i].bytes);
}

static void matrix_task(const fc_phase_plan *plan, uint32_t rank, uint32_t task, fc_task *what) {
    flow_task(plan, rank, false, task == 0, task == 1, what);
}

static void flow_send(const fc_phase_plan *plan, uint32_t rank, uint32_t task, uint32_t i,
                      fc_send *message) {
    const flows *all = plan->data;
    const flow *to = task ? &all->in[all->in_first[rank] + i] : &all->out[all->out_first[rank] + i];
    *message = (fc_send){.rank = to->rank, .task = task + 1, .bytes = to->bytes};
}

const fc_phase_type fc_matrix_exchange = {prepare_matrix, matrix_task, flow_send};

/* ---- mixture of experts ---- */

enum { STREAM_TOKENS = 21 };

/* Every token of a rank goes to `choices` different experts, expert k with a probability in
 * proportion to 1 / (k + 1)^skew. Expert k is on rank k mod ranks. */
static void draw_tokens(const fc_phase_plan *plan, const double *until, uint32_t experts,
                        uint32_t rank, fc_random *random, double *row) {
    enum { CHOICES_MAX = 64 };
    const fc_phase *phase = plan->phase;
    for (int64_t token = 0; token < phase->tokens; ++token) {
        uint32_t chosen[CHOICES_MAX], count = 0;
        while (count < phase->choices) {
            const double draw = fc_random_unit(random) * until[experts - 1];
            uint32_t low = 0, high = experts - 1;
            while (low < high) {
                const uint32_t middle = (low + high) / 2;
                if (draw < until[middle])
                    high = middle;
                else
                    low = middle + 1;
            }
            bool again = false;
            for (uint32_t i = 0; i < count; ++i)
                again |= chosen[i] == low;
            if (again)
                continue;
            chosen[count++] = low;
            row[low % plan->ranks] += 1;
        }
    }
    (void)rank;
}

static fc_status draw_matrix(const fc_phase_plan *plan, double *matrix, fc_error *error) {
    const uint32_t experts = plan->phase->experts ? (uint32_t)plan->phase->experts : plan->ranks;
    double *until = fc_allocate(experts, sizeof *until), sum = 0;
    if (!until)
        return fc_fail_memory(error);
    for (uint32_t k = 0; k < experts; ++k)
        until[k] = sum += pow(k + 1.0, -plan->phase->skew);
    for (uint32_t rank = 0; rank < plan->ranks; ++rank) {
        fc_random random =
            fc_random_stream(plan->seed ^ (uint64_t)rank << 32, plan->replication, STREAM_TOKENS);
        draw_tokens(plan, until, experts, rank, &random, &matrix[(size_t)rank * plan->ranks]);
    }
    fc_release(until);
    return FC_OK;
}

static fc_status prepare_experts(fc_phase_plan *plan, fc_error *error) {
    const fc_phase *phase = plan->phase;
    const uint32_t ranks = plan->ranks;
    if (ranks > MATRIX_RANKS_MAX)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "mixture-of-experts takes at most %d ranks; there are %u", MATRIX_RANKS_MAX,
                       ranks);
    if ((double)ranks * (double)phase->tokens * (double)phase->choices > FC_WORK_MESSAGES_MAX)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "mixture-of-experts draws at most %.0f million tokens; use fewer, of more "
                       "bytes",
                       FC_WORK_MESSAGES_MAX / 1e6);
    double *matrix = fc_allocate((size_t)ranks * ranks, sizeof *matrix);
    if (!matrix)
        return fc_fail_memory(error);
    fc_status status = FC_OK;
    if (phase->matrix.bytes) {
        for (uint32_t i = 0; i < phase->matrix.ranks; ++i)
            for (uint32_t j = 0; j < phase->matrix.ranks; ++j)
                matrix[(size_t)i * ranks + j] =
                    phase->matrix.bytes[(size_t)i * phase->matrix.ranks + j];
    } else {
        status = draw_matrix(plan, matrix, error);
    }
    uint64_t *tokens = fc_allocate(ranks, sizeof *tokens);
    if (status == FC_OK && !tokens)
        status = fc_fail_memory(error);
    for (size_t i = 0; status == FC_OK && i < (size_t)ranks * ranks; ++i) {
        tokens[i % ranks] += (uint64_t)matrix[i];
        matrix[i] *= (double)phase->bytes;
    }
    if (status == FC_OK)
        status = gather_flows(plan, ranks, matrix, error);
    for (uint32_t rank = 0; status == FC_OK && rank < ranks; ++rank)
        ((flows *)plan->data)->kept[rank] = tokens[rank];
    fc_release(tokens);
    fc_release(matrix);
    plan->tasks = 3;
    return status;
}

static void experts_task(const fc_phase_plan *plan, uint32_t rank, uint32_t task, fc_task *what) {
    const flows *all = plan->data;
    flow_task(plan, rank, task > 0, task<2, task> 0, what);
    if (task == 1)
        what->cycles = all->kept[rank] * (uint64_t)plan->phase->cycles;
}

const fc_phase_type fc_experts = {prepare_experts, experts_task, flow_send};

/* ---- without messages ---- */

static fc_status prepare_computation(fc_phase_plan *plan, fc_error *error) {
    (void)error;
    plan->tasks = 1;
    return FC_OK;
}

static void computation_task(const fc_phase_plan *plan, uint32_t rank, uint32_t task,
                             fc_task *what) {
    (void)rank;
    (void)task;
    *what = only_wait;
    what->cycles = (uint64_t)plan->phase->cycles;
}

const fc_phase_type fc_computation = {prepare_computation, computation_task, NULL};

static fc_status prepare_barrier(fc_phase_plan *plan, fc_error *error) {
    (void)error;
    plan->tasks = 0;
    return FC_OK;
}

const fc_phase_type fc_barrier = {prepare_barrier, NULL, NULL};
