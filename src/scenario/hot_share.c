#include "scenario/hot_share.h"

#include "scenario/readers.h"

enum { NODES_MAX = 1 << 24 };

static const char *const patterns[] = {"uniform", "hot-spot", NULL};

static const char destinations_path[] = "traffic.destinations";

static fc_status read_hot_spot(const fc_document *document, const fc_value *value,
                               fc_hot_share *hot, fc_error *error) {
    static const char *const names[] = {"share", "node", NULL};
    fc_status status =
        fc_check_members(document, value, "traffic.destinations.hot-spot", names, error);
    if (status != FC_OK)
        return status;
    const fc_value *share = fc_value_member(value, "share");
    const fc_value *node = fc_value_member(value, "node");
    if (!share || !node)
        return fc_fail_at(error, document, value,
                          "a hot spot needs share and node, for example "
                          "{hot-spot: {share: 0.05, node: 3}}");
    status = fc_read_number(document, share, "traffic.destinations.hot-spot.share",
                            (fc_range){.minimum = 0, .maximum = 1}, error, &hot->share);
    if (status == FC_OK)
        status = fc_read_integer(document, node, "traffic.destinations.hot-spot.node",
                                 (fc_range){.minimum = 0, .maximum = NODES_MAX}, error, &hot->node);
    return status;
}

fc_status fc_hot_share_read(const fc_document *document, const fc_value *value, void *field,
                            fc_error *error) {
    fc_hot_share *hot = field;
    if (value->kind == FC_VALUE_SCALAR) {
        int choice;
        const fc_status status =
            fc_read_choice(document, value, destinations_path, patterns, error, &choice);
        if (status != FC_OK)
            return status;
        if (choice != 0)
            return fc_fail_at(error, document, value,
                              "%s: hot-spot needs a value: {hot-spot: {share: 0.05, node: 3}}",
                              destinations_path);
        *hot = (fc_hot_share){0};
        return FC_OK;
    }
    static const char *const names[] = {"hot-spot", NULL};
    const fc_status status = fc_check_members(document, value, destinations_path, names, error);
    if (status != FC_OK)
        return status;
    if (value->count != 1)
        return fc_fail_at(error, document, value, "%s holds %zu patterns; expected one",
                          destinations_path, value->count);
    return read_hot_spot(document, value->items[0], hot, error);
}

void fc_hot_share_write(const void *field, FILE *stream) {
    const fc_hot_share *hot = field;
    if (hot->share > 0.0) {
        fc_number_write("{hot-spot: {share: ", hot->share, stream);
        fprintf(stream, ", node: %lld}}", (long long)hot->node);
    } else {
        fputs("uniform", stream);
    }
}
