/* The key traffic.placement: which node each rank is on. */
#include <string.h>
#include "base/decimal.h"
#include "base/memory.h"
#include "base/status.h"
#include "scenario/readers.h"
#include "scenario/text_file.h"
#include "scenario/families/workload_read.h"

static const char what[] = "traffic.placement";
static const char *const kinds[] = {"linear", "random", "blocks", "file", NULL};
enum { BYTES_MAX = 1 << 24 };

typedef struct placing {
    fc_lines lines;
    fc_placement *placement;
    size_t room;
    uint32_t *rank; /* of each node, plus 1; 0: none */
    fc_error *error;
} placing;

static fc_status append(placing *p, const char *text) {
    fc_placement *placement = p->placement;
    uint64_t node;
    if (!fc_parse_whole(text, FC_RANKS_MAX - 1, &node))
        return fc_lines_fail(&p->lines, p->error, "'%.40s' is not a node; expected a whole number",
                             text);
    if (p->rank[node])
        return fc_lines_fail(&p->lines, p->error, "node %llu has rank %u already",
                             (unsigned long long)node, p->rank[node] - 1);
    uint32_t *nodes = fc_make_room(placement->node, &p->room, placement->count, 1, sizeof *nodes);
    if (!nodes)
        return fc_fail_memory(p->error);
    placement->node = nodes;
    placement->node[placement->count++] = (uint32_t)node;
    p->rank[node] = (uint32_t)placement->count;
    return FC_OK;
}

/* The node of rank 0, of rank 1, ...: one a line, or several with commas or blanks between. */
fc_status fc_placement_parse(char *text, const char *path, fc_error *error,
                             fc_placement *placement) {
    placing p = {.lines = {.next = text, .path = path, .comment = '#'},
                 .placement = placement,
                 .rank = fc_allocate(FC_RANKS_MAX, sizeof *p.rank),
                 .error = error};
    if (!p.rank)
        return fc_fail_memory(error);
    fc_status status = FC_OK;
    for (char *line; status == FC_OK && (line = fc_lines_next(&p.lines));) {
        for (char *rest, *word = strtok_r(line, ", \t", &rest); word && status == FC_OK;
             word = strtok_r(NULL, ", \t", &rest))
            status = append(&p, word);
    }
    if (status == FC_OK && placement->count == 0)
        status = fc_lines_fail(&p.lines, error, "no node; expected the node of each rank");
    fc_release(p.rank);
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
    status = fc_placement_parse(file.text, file.path, &cause, placement);
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

void fc_placement_write_value(const fc_placement *placement, FILE *stream) {
    if (placement->kind == FC_PLACE_BLOCKS) {
        fprintf(stream, "{blocks: %lld}", (long long)placement->block);
    } else if (placement->kind == FC_PLACE_RANDOM && placement->seed >= 0) {
        fprintf(stream, "{random: %lld}", (long long)placement->seed);
    } else if (placement->kind == FC_PLACE_FILE) {
        fputs("{file: ", stream);
        fc_file_name_write(placement->file, stream);
        fputs("}", stream);
    } else {
        fputs(kinds[placement->kind], stream);
    }
}

void fc_placement_write(const void *field, FILE *stream) {
    const fc_placement *placement = field;
    fc_placement_write_value(placement, stream);
    if (placement->kind == FC_PLACE_FILE)
        fprintf(stream, " # content %016llx", (unsigned long long)placement->checksum);
}
