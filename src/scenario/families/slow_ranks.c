/* The key traffic.slow_ranks: some ranks by a factor, or each by one that is drawn. */
#include "scenario/families/slow_ranks.h"

#include "base/memory.h"
#include "base/status.h"
#include "scenario/readers.h"

static const char what[] = "traffic.slow_ranks";

static fc_status read_list(const fc_document *document, const fc_value *list, fc_slow_ranks *slow,
                           fc_error *error) {
    if (list->kind != FC_VALUE_SEQUENCE || list->count == 0)
        return fc_fail_at(error, document, list, "%s.ranks: expected a list of ranks, [3, 17]",
                          what);
    slow->rank = fc_allocate(list->count, sizeof *slow->rank);
    if (!slow->rank)
        return fc_fail_memory(error);
    for (size_t i = 0; i < list->count; ++i) {
        int64_t rank;
        const fc_status status =
            fc_read_integer(document, list->items[i], "traffic.slow_ranks.ranks",
                            (fc_range){.minimum = 0, .maximum = FC_RANKS_MAX - 1}, error, &rank);
        if (status != FC_OK)
            return status;
        slow->rank[slow->count++] = (uint32_t)rank;
    }
    return FC_OK;
}

fc_status fc_slow_ranks_read(const fc_document *document, const fc_value *value, void *field,
                             fc_error *error) {
    static const char *const names[] = {"ranks", "share", "factor", "deviation", NULL};
    fc_slow_ranks *slow = field;
    fc_status status = fc_check_members(document, value, what, names, error);
    if (status != FC_OK)
        return status;
    const fc_value *ranks = fc_value_member(value, "ranks");
    const fc_value *share = fc_value_member(value, "share");
    const fc_value *factor = fc_value_member(value, "factor");
    const fc_value *deviation = fc_value_member(value, "deviation");
    const bool by_factor = ranks || share;
    if (!!ranks + !!share + !!deviation != 1 || by_factor != !!factor)
        return fc_fail_at(error, document, value,
                          "%s: expected {ranks: [3, 17], factor: 1.5}, {share: 0.05, factor: 1.5} "
                          "or {deviation: 0.1}",
                          what);
    if (ranks)
        status = read_list(document, ranks, slow, error);
    if (status == FC_OK && share)
        status = fc_read_number(document, share, "traffic.slow_ranks.share",
                                (fc_range){.minimum = 0, .maximum = 1, .above = true}, error,
                                &slow->share);
    if (status == FC_OK && factor)
        status = fc_read_number(document, factor, "traffic.slow_ranks.factor",
                                (fc_range){.minimum = 0, .maximum = 1e6, .above = true}, error,
                                &slow->factor);
    if (status == FC_OK && deviation)
        status = fc_read_number(document, deviation, "traffic.slow_ranks.deviation",
                                (fc_range){.minimum = 0, .maximum = 10, .above = true}, error,
                                &slow->deviation);
    return status;
}

void fc_slow_ranks_write(const void *field, FILE *stream) {
    const fc_slow_ranks *slow = field;
    const char *between = "{";
    if (!slow->count && !(slow->share > 0) && !(slow->deviation > 0)) {
        fputs("none", stream);
        return;
    }
    for (size_t i = 0; i < slow->count; ++i)
        fprintf(stream, "%s%u", i ? ", " : "{ranks: [", slow->rank[i]);
    if (slow->count) {
        fputs("]", stream);
        between = ", ";
    }
    if (slow->share > 0) {
        fc_number_write("{share: ", slow->share, stream);
        between = ", ";
    }
    if (slow->factor > 0) {
        fputs(between, stream);
        fc_number_write("factor: ", slow->factor, stream);
    }
    if (slow->deviation > 0)
        fc_number_write("{deviation: ", slow->deviation, stream);
    fputs("}", stream);
}
