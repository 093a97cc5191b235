#include "scenario/routed.h"

#include <string.h>
#include "base/status.h"
#include "scenario/readers.h"
#include "scenario/scenario.h"

const fc_routed *fc_scenario_routed(const fc_scenario *scenario) {
    return scenario->family->routed ? scenario->family->routed(scenario->parameters) : NULL;
}

const char *fc_routed_main_metric(const fc_routed *routed) {
    return routed->workload && !routed->workload->of_trace ? "duration" : "latency";
}

int64_t fc_routed_longest_message(const fc_routed *routed) {
    const fc_workload *workload = routed->workload;
    if (workload && !workload->of_trace)
        return workload->packet_flits;
    const fc_trace *trace = workload ? &workload->phases[0].trace : NULL;
    int64_t longest = 0;
    for (size_t i = 0; trace && trace->messages && i < trace->count; ++i)
        longest = trace->messages[i].flits > longest ? trace->messages[i].flits : longest;
    if (longest > 0)
        return longest;
    const fc_classes classes = fc_classes_of(routed);
    for (size_t c = 0; c < classes.count; ++c) {
        const fc_lengths *lengths = &classes.list[c].lengths;
        for (size_t i = 0; i < lengths->count; ++i)
            longest = lengths->flits[i] > longest ? lengths->flits[i] : longest;
    }
    return longest;
}

double fc_routed_message_flits(const fc_routed *routed, const fc_requests *requests) {
    double mean = 0;
    if (routed->given && routed->nodes) { /* what follows from other keys is known */
        const fc_classes classes = fc_classes_of(routed);
        for (size_t c = 0; c < classes.count; ++c)
            mean += fc_class_chain_flits(&classes, c);
        return mean;
    }
    for (size_t i = 0; i < requests->count; ++i) {
        const fc_request_type *type = &requests->types[i];
        mean += type->share * (double)(type->flits + type->reply_flits);
    }
    for (size_t i = 0; i < routed->lengths.count && !requests->count; ++i)
        mean += routed->lengths.share[i] * (double)routed->lengths.flits[i];
    return mean > 0 ? mean : (double)routed->message_flits;
}

/* "network.link_delay: 3", or the key alone where its value is long. */
static void describe_key(const fc_scenario *scenario, const char *path, char *text, size_t size) {
    const fc_family *family = scenario->family;
    const char *parameters = scenario->parameters;
    snprintf(text, size, "%s", path);
    if (strcmp(path, "network.topology") == 0)
        snprintf(text, size, "%s: %s", path,
                 family->topologies[*(const int *)(parameters + family->topology_offset)]);
    for (const fc_key *key = family->keys; key->path; ++key) {
        if (strcmp(key->path, path) != 0)
            continue;
        char value[64] = "";
        FILE *stream = fmemopen(value, sizeof value, "w");
        if (!stream)
            return;
        fc_key_write(key, parameters + key->offset, stream);
        const bool whole = fclose(stream) == 0 && strlen(value) < sizeof value - 1;
        char *content = strstr(value, " # "); /* the checksum of a file */
        if (content)
            *content = '\0';
        if (whole)
            snprintf(text, size, "%s: %s", path, value);
    }
}

fc_status fc_scenario_require_ideal(const fc_scenario *scenario, const char *who, fc_error *error) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    if (!routed || !routed->pipelined_by)
        return FC_OK;
    char what[192];
    describe_key(scenario, routed->pipelined_by, what, sizeof what);
    return fc_fail(error, FC_ERROR_UNSUPPORTED,
                   "%s is for the idealised router of the papers, which does not allow %s", who,
                   what);
}
