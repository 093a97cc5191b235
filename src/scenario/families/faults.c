/* Reader and writer of network.faults. */
#include "scenario/faults.h"

#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "scenario/patterns/traffic_readers.h"
#include "scenario/readers.h"

static const char key[] = "network.faults";

/* ---- links ---- */

static fc_status read_direction(const fc_document *document, const fc_value *value, fc_fault *fault,
                                fc_error *error) {
    const fc_range dimension = {.minimum = 0, .maximum = FC_LIST_MAX - 1};
    const fc_range direction = {.minimum = -1, .maximum = 1};
    fc_status status =
        fc_read_integer(document, value->items[1], key, dimension, error, &fault->dimension);
    if (status == FC_OK)
        status =
            fc_read_integer(document, value->items[2], key, direction, error, &fault->direction);
    if (status == FC_OK && fault->direction == 0)
        status = fc_fail_at(error, document, value->items[2],
                            "the direction of a fault is 1 (the digit grows) or -1 (it falls)");
    return status;
}

static fc_status read_link(const fc_document *document, const fc_value *value, fc_fault *fault,
                           fc_error *error) {
    if (value->kind != FC_VALUE_SEQUENCE || (value->count != 2 && value->count != 3))
        return fc_fail_at(error, document, value,
                          "a broken link is [router, router], for example [3, 4] or [[2, 3], [2, "
                          "4]], or, of a torus or mesh, [node, dimension, direction], for example "
                          "[[2, 3], 0, 1]");
    const fc_status status =
        fc_coordinates_read(document, value->items[0], key, error, &fault->coordinates);
    if (status != FC_OK)
        return status;
    return value->count == 2
               ? fc_coordinates_read(document, value->items[1], key, error, &fault->other)
               : read_direction(document, value, fault, error);
}

static fc_status read_links(const fc_document *document, const fc_value *value, fc_faults *faults,
                            fc_error *error) {
    if (value->kind != FC_VALUE_SEQUENCE || value->count > FC_FAULTS_MAX)
        return fc_fail_at(error, document, value,
                          "broken links must be a list of at most %d [router, router] or [node, "
                          "dimension, direction]",
                          FC_FAULTS_MAX);
    if (value->count == 0)
        return FC_OK;
    faults->list = fc_allocate(value->count, sizeof *faults->list);
    if (!faults->list)
        return fc_fail_memory(error);
    for (; faults->count < value->count; ++faults->count) {
        const fc_status status =
            read_link(document, value->items[faults->count], &faults->list[faults->count], error);
        if (status != FC_OK)
            return status;
    }
    return FC_OK;
}

/* ---- routers, and what is drawn ---- */

static fc_status read_routers(const fc_document *document, const fc_value *value, fc_faults *faults,
                              fc_error *error) {
    if (value->kind != FC_VALUE_SEQUENCE || value->count > FC_FAULTS_MAX)
        return fc_fail_at(error, document, value,
                          "failed routers must be a list of at most %d, for example [5] or [[2, "
                          "3]]",
                          FC_FAULTS_MAX);
    if (value->count == 0)
        return FC_OK;
    faults->routers = fc_allocate(value->count, sizeof *faults->routers);
    if (!faults->routers)
        return fc_fail_memory(error);
    for (; faults->router_count < value->count; ++faults->router_count) {
        const fc_status status =
            fc_coordinates_read(document, value->items[faults->router_count], key, error,
                                &faults->routers[faults->router_count]);
        if (status != FC_OK)
            return status;
    }
    return FC_OK;
}

static fc_status read_random(const fc_document *document, const fc_value *value, fc_faults *faults,
                             fc_error *error) {
    static const char *const names[] = {"links", "routers", "seed", NULL};
    const fc_range share = {.minimum = 0, .maximum = 1};
    const fc_range seed = {.minimum = 0, .maximum = 0x1p53};
    double *const shares[] = {&faults->link_share, &faults->router_share};
    fc_status status = fc_check_members(document, value, "network.faults.random", names, error);
    faults->drawn = true;
    faults->seed = 1;
    for (size_t i = 0; i < 2 && status == FC_OK; ++i) {
        const fc_value *member = fc_value_member(value, names[i]);
        if (member)
            status = fc_read_number(document, member, names[i], share, error, shares[i]);
    }
    const fc_value *member = status == FC_OK ? fc_value_member(value, "seed") : NULL;
    return member ? fc_read_integer(document, member, "seed", seed, error, &faults->seed) : status;
}

/* ---- the whole ---- */

fc_status fc_faults_read(const fc_document *document, const fc_value *value, void *field,
                         fc_error *error) {
    static const char *const names[] = {"links", "routers", "random", NULL};
    static fc_status (*const readers[])(const fc_document *, const fc_value *, fc_faults *,
                                        fc_error *) = {read_links, read_routers, read_random};
    fc_faults *faults = field;
    faults->given = true;
    if (value->kind == FC_VALUE_SEQUENCE)
        return read_links(document, value, faults, error);
    fc_status status = fc_check_members(document, value, key, names, error);
    for (size_t i = 0; names[i] && status == FC_OK; ++i) {
        const fc_value *member = fc_value_member(value, names[i]);
        if (member)
            status = readers[i](document, member, faults, error);
    }
    return status;
}

static void write_router(const fc_integer_list *coordinates, FILE *stream) {
    if (coordinates->count == 1)
        fprintf(stream, "%lld", (long long)coordinates->values[0]);
    else
        fc_coordinates_write(coordinates, stream);
}

static void write_links(const fc_faults *faults, FILE *stream) {
    fputs("[", stream);
    for (size_t i = 0; i < faults->count; ++i) {
        const fc_fault *fault = &faults->list[i];
        fputs(i ? ", [" : "[", stream);
        if (fault->other.count) {
            write_router(&fault->coordinates, stream);
            fputs(", ", stream);
            write_router(&fault->other, stream);
            fputs("]", stream);
            continue;
        }
        fc_coordinates_write(&fault->coordinates, stream);
        fprintf(stream, ", %lld, %lld]", (long long)fault->dimension, (long long)fault->direction);
    }
    fputs("]", stream);
}

/* Links alone are a list, as if there were no other way to say it. */
void fc_faults_write(const void *field, FILE *stream) {
    const fc_faults *faults = field;
    if (!faults->router_count && !faults->drawn) {
        write_links(faults, stream);
        return;
    }
    fputs("{links: ", stream);
    write_links(faults, stream);
    fputs(", routers: [", stream);
    for (size_t i = 0; i < faults->router_count; ++i) {
        fputs(i ? ", " : "", stream);
        write_router(&faults->routers[i], stream);
    }
    fputs("]", stream);
    if (faults->drawn) {
        fc_number_write(", random: {links: ", faults->link_share, stream);
        fc_number_write(", routers: ", faults->router_share, stream);
        fprintf(stream, ", seed: %lld}", (long long)faults->seed);
    }
    fputs("}", stream);
}

void fc_faults_release(fc_faults *faults) {
    fc_release(faults->list);
    fc_release(faults->routers);
}
