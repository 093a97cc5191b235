#include "studies/explain_repairs.h"

#include <stdlib.h>
#include "network/router_faults.h"

enum { REPAIRS_MAX = 32 };

/* Failures as a value of network.faults, without one of the links or routers; UINT32_MAX: none is
 * left out. Free with free; NULL: out of memory. */
static char *list_without(const fc_failures *failures, uint32_t link, uint32_t router) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    const char *comma = "";
    if (!stream)
        return NULL;
    fputs("{links: [", stream);
    for (uint32_t i = 0; i < failures->link_count; ++i) {
        if (i == link)
            continue;
        fprintf(stream, "%s[%u, %u]", comma, failures->links[i].from, failures->links[i].to);
        comma = ", ";
    }
    fputs("], routers: [", stream);
    comma = "";
    for (uint32_t i = 0; i < failures->router_count; ++i) {
        if (i == router)
            continue;
        fprintf(stream, "%s%u", comma, failures->routers[i]);
        comma = ", ";
    }
    fputs("]}", stream);
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

/* One direction of a cable cannot be listed by its ends. */
static bool can_be_listed(const fc_router_network *network) {
    for (uint32_t i = 0; i < network->failures->link_count; ++i) {
        const fc_failed_link *link = &network->failures->links[i];
        for (uint32_t o = network->output_first[link->to];
             link->one_way && o < network->output_first[link->to + 1]; ++o) {
            const uint32_t end = network->output_end[o];
            if (!(end & FC_TO_NODE) && network->input_router[end] == link->from)
                return false;
        }
    }
    return true;
}

fc_status fc_explain_repairs(const fc_scenario *scenario, fc_error *error,
                             void (*add)(void *context, const char *what, const char *value),
                             void *context) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    fc_router_network *network;
    if (!routed || !routed->around)
        return FC_OK;
    fc_status status = fc_router_network_create(scenario, error, &network);
    if (status != FC_OK)
        return status;
    const fc_failures *failures = network->failures;
    const uint32_t links = failures->link_count, all = links + failures->router_count;
    for (uint32_t i = 0; i < all && i < REPAIRS_MAX && can_be_listed(network); ++i) {
        const bool router = i >= links;
        char what[48];
        char *value = list_without(failures, router ? UINT32_MAX : i, router ? i - links : all);
        if (!value) {
            status = fc_fail_memory(error);
            break;
        }
        if (router)
            snprintf(what, sizeof what, "router %u", failures->routers[i - links]);
        else
            snprintf(what, sizeof what, "link %u-%u", failures->links[i].from,
                     failures->links[i].to);
        add(context, what, value);
        free(value);
    }
    fc_router_network_free(network);
    return status;
}
