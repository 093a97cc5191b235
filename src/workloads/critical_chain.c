#include "workloads/critical_chain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "workloads/work_bounds.h"

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

/* Fills the table; the cycles that all messages would take alone. */
static double list(const fc_chained *messages, const fc_work *work,
                   const fc_router_network *network, const fc_routed *routed,
                   fc_critical_chain *chain) {
    double sum = 0;
    for (size_t i = 0; i < chain->rows; ++i) {
        const fc_chained *message = &messages[i];
        const uint64_t path = fc_path_alone(network, routed, fc_work_node(work, message->source),
                                            fc_work_node(work, message->destination));
        const double alone = (double)(path + message->flits - 1);
        const double row[FC_CHAIN_COLUMNS] = {message->phase + 1.0, (double)message->flits,
                                              (double)message->due, (double)message->delivered,
                                              alone};
        memcpy(&chain->values[i * FC_CHAIN_COLUMNS], row, sizeof row);
        snprintf(chain->labels[i], FC_NAME_SIZE, "%u to %u", message->source, message->destination);
        sum += alone;
    }
    return chain->rows ? sum : (double)NAN;
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
    if (chain->rows) {
        chain->labels = fc_allocate(count, sizeof *chain->labels);
        chain->values = fc_allocate(count * FC_CHAIN_COLUMNS, sizeof *chain->values);
        if (!chain->labels || !chain->values) {
            fc_release(messages);
            fc_critical_chain_clear(chain);
            return fc_fail_memory(error);
        }
    }
    if (count) {
        const double alone = list(messages, work, network, routed, chain);
        sum_up(messages, count, fc_work_ended(work), alone, &chain->summary);
    }
    fc_release(messages);
    return FC_OK;
}

void fc_critical_chain_clear(fc_critical_chain *chain) {
    fc_release(chain->labels);
    fc_release(chain->values);
    *chain = (fc_critical_chain){.rows = 0};
}
