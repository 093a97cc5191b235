/* The key traffic.placement: which node each rank is on. */
#include <string.h>
#include "base/decimal.h"
#include "base/memory.h"
#include "base/status.h"
#include "scenario/readers.h"
#include "scenario/text_file.h"
#include "scenario/workload_read.h"

static const char what[] = "traffic.placement";
static const char *const kinds[] = {"linear", "random", "blocks", "file", NULL};
enum { BYTES_MAX = 1 << 24 };

static fc_status append(fc_placement *placement, const fc_lines *lines, const char *text,
                        size_t *room, fc_error *error) {
    uint64_t node;
    if (!fc_parse_whole(text, FC_RANKS_MAX - 1, &node))
        return fc_lines_fail(lines, error, "'%.40s' is not a node; expected a whole number", text);
    for (size_t i = 0; i < placement->count; ++i) {
        if (placement->node[i] == node)
            return fc_lines_fail(lines, error, "node %llu has rank %zu already",
                                 (unsigned long long)node, i);
    }
    if (placement->count == *room) {
        *room = *room ? 2 * *room : 256;
        uint32_t *more = fc_reallocate(placement->node, *room, sizeof *more);
        if (!more)
            return fc_fail_memory(error);
        placement->node = more;
    }
    placement->node[placement->count++] = (uint32_t)node;
    return FC_OK;
}

/* The node of rank 0, of rank 1, ...: one a line, or several with commas or blanks between. */
static fc_status parse(char *text, const char *path, fc_placement *placement, fc_error *error) {
    fc_lines lines = {.next = text, .path = path, .comment = '#'};
    size_t room = 0;
    fc_status status = FC_OK;
    for (char *line; status == FC_OK && (line = fc_lines_next(&lines));) {
        for (char *rest, *word = strtok_r(line, ", \t", &rest); word && status == FC_OK;
             word = strtok_r(NULL, ", \t", &rest))
            status = append(placement, &lines, word, &room, error);
    }
    if (status == FC_OK && placement->count == 0)
        status = fc_lines_fail(&lines, error, "no node; expected the node of each rank");
    return status;
}

static fc_status read_file(const fc_document *document, const fc_value *value,
                           fc_placement *placement, fc_error *error) {
    fc_named_file file = {
        .what = what, .kind = "a file with the node of each rank", .most = BYTES_MAX};
    fc_status status = fc_named_file_read(document, value, placement->file, &file, error);
    if (status != FC_OK)
        return status;
    fc_error cause;
    placement->checksum = file.checksum;
    status = parse(file.text, file.path, placement, &cause);
    fc_release(file.text);
    return status == FC_OK ? FC_OK : fc_named_file_fail(document, value, &cause, status, error);
}

fc_status fc_placement_read(const fc_document *document, const fc_value *value, void *field,
                            fc_error *error) {
    fc_placement *placement = field;
    if (value->kind == FC_VALUE_SCALAR) {
        const fc_status status =
            fc_read_choice(document, value, what, kinds, error, &placement->kind);
        if (status == FC_OK && placement->kind >= FC_PLACE_BLOCKS)
            return fc_fail_at(error, document, value,
                              "%s: %s needs a value: {blocks: 4} or {file: "
                              "nodes.txt}",
                              what, kinds[placement->kind]);
        return status;
    }
    fc_status status = fc_check_members(document, value, what, kinds + 1, error);
    if (status == FC_OK && value->count != 1)
        status = fc_fail_at(error, document, value,
                            "%s: expected linear, random, {random: SEED}, {blocks: RANKS} or "
                            "{file: FILE}",
                            what);
    if (status != FC_OK)
        return status;
    while (strcmp(kinds[placement->kind], value->keys[0]) != 0)
        ++placement->kind;
    if (placement->kind == FC_PLACE_RANDOM)
        return fc_read_integer(document, value->items[0], "traffic.placement.random",
                               (fc_range){.minimum = 0, .maximum = 0x1p53}, error,
                               &placement->seed);
    if (placement->kind == FC_PLACE_BLOCKS)
        return fc_read_integer(document, value->items[0], "traffic.placement.blocks",
                               (fc_range){.minimum = 1, .maximum = FC_RANKS_MAX}, error,
                               &placement->block);
    return read_file(document, value->items[0], placement, error);
}

void fc_placement_write(const void *field, FILE *stream) {
    const fc_placement *placement = field;
    if (placement->kind == FC_PLACE_BLOCKS) {
        fprintf(stream, "{blocks: %lld}", (long long)placement->block);
    } else if (placement->kind == FC_PLACE_RANDOM && placement->seed >= 0) {
        fprintf(stream, "{random: %lld}", (long long)placement->seed);
    } else if (placement->kind == FC_PLACE_FILE) {
        fputs("{file: ", stream);
        fc_file_name_write(placement->file, stream);
        fprintf(stream, "} # content %016llx", (unsigned long long)placement->checksum);
    } else {
        fputs(kinds[placement->kind], stream);
    }
}
