#include "workloads/critical_chain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "network/node_ports.h"
#include "workloads/lone_path.h"

const char *const fc_chain_columns[FC_CHAIN_COLUMNS] = {"phase", "flits", "due", "delivered",
                                                        "alone"};

/* "0 to 1, 1 to 2, 2 to 3, ..., 6 to 7" */
static void write_path(const fc_chained *messages, size_t count, size_t size, char *text) {
    enum { FIRST = 3, ALL = 5 };
    size_t used = 0;
    for (size_t i = 0; i < count && used < size; ++i) {
        const bool skipped = count > ALL && i >= FIRST && i + 1 < count;
        if (skipped && i > FIRST)
            continue;
        const int more = skipped ? snprintf(text + used, size - used, ", ...")
                                 : snprintf(text + used, size - used, "%s%u to %u", i ? ", " : "",
                                            messages[i].source, messages[i].destination);
        used += more > 0 ? (size_t)more : 0;
    }
}

static void sum_up(const fc_chained *messages, size_t count, uint64_t end, double alone,
                   fc_chain *summary) {
    double moving = 0;
    for (size_t i = 0; i < count; ++i)
        moving += (double)(messages[i].delivered - messages[i].due);
    *summary = (fc_chain){.messages = count,
                          .cycles = (double)end,
                          .alone = alone,
                          .waiting = moving - alone,
                          .computing = (double)end - moving};
    write_path(messages, count, sizeof summary->path, summary->path);
}

/* Fills the table; *sum: the cycles that all messages would take alone. False: no memory. */
static bool list(const fc_chained *messages, const fc_work *work, const fc_router_network *network,
                 fc_lone_paths *paths, fc_critical_chain *chain, double *sum) {
    *sum = chain->rows ? 0 : (double)NAN;
    for (size_t i = 0; i < chain->rows; ++i) {
        const fc_chained *message = &messages[i];
        const uint32_t from = fc_work_node(work, message->source);
        const uint32_t to = fc_work_node(work, message->destination);
        const uint64_t path = fc_lone_path(paths, from, to);
        if (path == UINT64_MAX)
            return false;
        const uint32_t parallel = fc_ports_parallel(network, from, to);
        const double alone = (double)(path + fc_lone_tail(paths, parallel, message->flits));
        const double row[FC_CHAIN_COLUMNS] = {message->phase + 1.0, (double)message->flits,
                                              (double)message->due, (double)message->delivered,
                                              alone};
        memcpy(&chain->values[i * FC_CHAIN_COLUMNS], row, sizeof row);
        snprintf(chain->labels[i], FC_NAME_SIZE, "%u to %u", message->source, message->destination);
        *sum += alone;
    }
    return true;
}

fc_status fc_critical_chain_find(const fc_work *work, const fc_router_network *network,
                                 const fc_routed *routed, fc_error *error,
                                 fc_critical_chain *chain) {
    size_t count;
    fc_chained *messages;
    *chain = (fc_critical_chain){0};
    const fc_status status = fc_work_chain(work, error, &messages, &count);
    if (status != FC_OK)
        return status;
    *chain = (fc_critical_chain){.rows = count <= FC_CHAIN_MESSAGES_MAX ? count : 0};
    fc_lone_paths *paths = NULL;
    double alone = 0;
    bool listed = true;
    if (chain->rows) {
        chain->labels = fc_allocate(count, sizeof *chain->labels);
        chain->values = fc_allocate(count * FC_CHAIN_COLUMNS, sizeof *chain->values);
        listed = chain->labels && chain->values &&
                 fc_lone_paths_create(network, routed, error, &paths) == FC_OK;
    }
    listed = listed && list(messages, work, network, paths, chain, &alone);
    if (listed && count)
        sum_up(messages, count, fc_work_ended(work), alone, &chain->summary);
    fc_lone_paths_free(paths);
    fc_release(messages);
    if (listed)
        return FC_OK;
    fc_critical_chain_clear(chain);
    return fc_fail_memory(error);
}

void fc_critical_chain_clear(fc_critical_chain *chain) {
    fc_release(chain->labels);
    fc_release(chain->values);
    *chain = (fc_critical_chain){.rows = 0};
}
