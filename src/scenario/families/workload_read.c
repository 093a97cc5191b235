#include "scenario/families/workload_read.h"

#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "scenario/formats/byte_matrix.h"
#include "scenario/readers.h"
#include "scenario/text_file.h"
#include "scenario/formats/trace_file.h"

static const char what[] = "traffic.workload";

const char *const fc_algorithm_names[] = {"ring",      "recursive-doubling", "halving-doubling",
                                          "two-trees", "recursive-halving",  "binomial",
                                          "direct",    "pairwise",           NULL};

const char *const fc_phase_names[] = {"all-to-all",
                                      "all-reduce",
                                      "reduce-scatter",
                                      "all-gather",
                                      "broadcast",
                                      "halo-exchange",
                                      "mixture-of-experts",
                                      "matrix",
                                      "file",
                                      "compute",
                                      "barrier",
                                      NULL};

/* ---- members ---- */

/* A number of a phase. */
typedef struct member {
    const char *name;
    size_t offset; /* of an int64_t */
    double minimum, maximum;
} member;
#define AT(field) offsetof(fc_phase, field)
static const member bytes = {"bytes", AT(bytes), 1, 1e12};
static const member root = {"root", AT(root), 0, FC_RANKS_MAX - 1};
static const member chunks = {"chunks", AT(chunks), 1, 65536};
static const member tokens = {"tokens", AT(tokens), 1, 1e9};
static const member experts = {"experts", AT(experts), 1, FC_RANKS_MAX};
static const member choices = {"choices", AT(choices), 1, 64};
static const member compute = {"compute", AT(cycles), 0, 1e12};

enum { MEMBERS_MAX = 8, ALGORITHMS_MAX = 5 };
/* What a phase of each kind may say: numbers, of which the first `needed` must be given; then
 * algorithms, the first is the default (two with `choose`: it must be given). */
typedef struct phase_form {
    const member *members[MEMBERS_MAX];
    size_t needed;
    bool choose;
    const char *algorithms[ALGORITHMS_MAX];
    const char *example;
} phase_form;

static const phase_form forms[FC_PHASE_KINDS] = {
    [FC_PHASE_ALL_TO_ALL] = {{&bytes}, 1, false, {"direct", "pairwise"}, "{bytes: 4096}"},
    [FC_PHASE_ALL_REDUCE] = {{&bytes, &chunks},
                             1,
                             true,
                             {"ring", "recursive-doubling", "halving-doubling", "two-trees"},
                             "{algorithm: ring, bytes: 1048576}"},
    [FC_PHASE_REDUCE_SCATTER] =
        {{&bytes}, 1, false, {"ring", "recursive-halving"}, "{bytes: 1048576}"},
    [FC_PHASE_ALL_GATHER] =
        {{&bytes}, 1, false, {"ring", "recursive-doubling"}, "{bytes: 1048576}"},
    [FC_PHASE_BROADCAST] =
        {{&bytes, &root, &chunks}, 1, false, {"binomial", "ring"}, "{root: 0, bytes: 4096}"},
    [FC_PHASE_HALO_EXCHANGE] = {{&bytes}, 1, false, {0}, "{bytes: 4096}"},
    [FC_PHASE_EXPERTS] = {{&bytes, &tokens, &experts, &choices, &compute},
                          1,
                          false,
                          {0},
                          "{tokens: 256, bytes: 8192, skew: 0.5}"},
};

static fc_status read_members(const fc_document *document, const fc_value *value,
                              const phase_form *form, const char *path, fc_phase *phase,
                              fc_error *error) {
    for (size_t i = 0; i < MEMBERS_MAX && form->members[i]; ++i) {
        const member *m = form->members[i];
        const fc_value *given = fc_value_member(value, m->name);
        char name[160];
        snprintf(name, sizeof name, "%s.%s", path, m->name);
        if (!given && i < form->needed)
            return fc_fail_at(error, document, value, "%s: '%s' is missing, for example %s", path,
                              m->name, form->example);
        const fc_range range = {.minimum = m->minimum, .maximum = m->maximum};
        const fc_status status = given ? fc_read_integer(document, given, name, range, error,
                                                         (int64_t *)((char *)phase + m->offset))
                                       : FC_OK;
        if (status != FC_OK)
            return status;
    }
    return FC_OK;
}

static fc_status read_algorithm(const fc_document *document, const fc_value *value,
                                const phase_form *form, const char *path, fc_phase *phase,
                                fc_error *error) {
    const fc_value *given = fc_value_member(value, "algorithm");
    const char *names[ALGORITHMS_MAX + 1] = {0};
    int choice = 0;
    if (!form->algorithms[0])
        return FC_OK;
    memcpy(names, form->algorithms, sizeof form->algorithms);
    if (!given && form->choose)
        return fc_fail_at(error, document, value, "%s: 'algorithm' is missing, for example %s",
                          path, form->example);
    if (given) {
        char name[160];
        snprintf(name, sizeof name, "%s.algorithm", path);
        const fc_status status = fc_read_choice(document, given, name, names, error, &choice);
        if (status != FC_OK)
            return status;
    }
    while (strcmp(fc_algorithm_names[phase->algorithm], names[choice]) != 0)
        ++phase->algorithm;
    return FC_OK;
}

/* ---- members of single kinds ---- */

static fc_status read_halo(const fc_document *document, const fc_value *value, fc_phase *phase,
                           fc_error *error) {
    static const char *const answers[] = {"no", "yes", NULL};
    const fc_value *grid = fc_value_member(value, "grid");
    const fc_value *periodic = fc_value_member(value, "periodic");
    const fc_range size = {.minimum = 1, .maximum = FC_RANKS_MAX};
    fc_status status = FC_OK;
    if (grid)
        status = fc_read_integers(document, grid, "traffic.workload.halo-exchange.grid", size,
                                  error, &phase->grid);
    if (status == FC_OK && periodic)
        status = fc_read_choice(document, periodic, "traffic.workload.halo-exchange.periodic",
                                answers, error, &phase->periodic);
    return status;
}

static fc_status read_experts(const fc_document *document, const fc_value *value, fc_phase *phase,
                              fc_error *error) {
    const fc_value *skew = fc_value_member(value, "skew");
    const fc_value *matrix = fc_value_member(value, "matrix");
    fc_status status = FC_OK;
    if (skew)
        status = fc_read_number(document, skew, "traffic.workload.mixture-of-experts.skew",
                                (fc_range){.minimum = 0, .maximum = 10}, error, &phase->skew);
    if (status == FC_OK && matrix)
        status = fc_byte_matrix_read(document, matrix, "traffic.workload.mixture-of-experts.matrix",
                                     &phase->matrix, error);
    if (status == FC_OK && matrix && (skew || fc_value_member(value, "experts")))
        status = fc_fail_at(error, document, matrix,
                            "%s: a matrix says how many tokens go where, so that skew and experts "
                            "have no use",
                            what);
    if (status == FC_OK && !matrix && phase->experts && phase->choices > phase->experts)
        status =
            fc_fail_at(error, document, value, "%s: a token cannot be sent to %lld of %lld experts",
                       what, (long long)phase->choices, (long long)phase->experts);
    return status;
}

/* ---- a phase ---- */

static fc_status read_form(const fc_document *document, const fc_value *value, fc_phase *phase,
                           fc_error *error) {
    const phase_form *form = &forms[phase->kind];
    const char *names[MEMBERS_MAX + 4] = {0};
    size_t count = 0;
    char path[96];
    snprintf(path, sizeof path, "%s.%s", what, fc_phase_names[phase->kind]);
    for (size_t i = 0; i < MEMBERS_MAX && form->members[i]; ++i)
        names[count++] = form->members[i]->name;
    if (form->algorithms[0])
        names[count++] = "algorithm";
    if (phase->kind == FC_PHASE_HALO_EXCHANGE) {
        names[count++] = "grid";
        names[count++] = "periodic";
    } else if (phase->kind == FC_PHASE_EXPERTS) {
        names[count++] = "skew";
        names[count++] = "matrix";
    }
    fc_status status = fc_check_members(document, value, path, names, error);
    if (status == FC_OK)
        status = read_members(document, value, form, path, phase, error);
    if (status == FC_OK)
        status = read_algorithm(document, value, form, path, phase, error);
    if (status == FC_OK && phase->kind == FC_PHASE_HALO_EXCHANGE)
        status = read_halo(document, value, phase, error);
    if (status == FC_OK && phase->kind == FC_PHASE_EXPERTS)
        status = read_experts(document, value, phase, error);
    return status;
}

static fc_status read_phase(const fc_document *document, const fc_value *value, const char *name,
                            fc_phase *phase, fc_error *error) {
    static const char in_file[] = "traffic.workload.file", of_bytes[] = "traffic.workload.matrix";
    while (strcmp(fc_phase_names[phase->kind], name) != 0)
        ++phase->kind;
    phase->periodic = -1;
    phase->tokens = 256;
    phase->choices = 1;
    switch (phase->kind) {
    case FC_PHASE_FILE:
        return fc_trace_file_read(document, value, in_file, &phase->trace, error);
    case FC_PHASE_MATRIX:
        return fc_byte_matrix_read(document, value, of_bytes, &phase->matrix, error);
    case FC_PHASE_COMPUTE:
        return fc_read_integer(document, value, "traffic.workload.compute",
                               (fc_range){.minimum = 0, .maximum = 1e12}, error, &phase->cycles);
    case FC_PHASE_BARRIER:
        return value ? fc_fail_at(error, document, value, "a barrier has no value: '- barrier'")
                     : FC_OK;
    default:
        return read_form(document, value, phase, error);
    }
}

/* ---- the list ---- */

static fc_status add_group(fc_workload *workload, fc_error *error) {
    if (workload->group_count && workload->groups[workload->group_count - 1].times == 1)
        return FC_OK;
    fc_phase_group *more = fc_reallocate(workload->groups, workload->group_count + 1, sizeof *more);
    if (!more)
        return fc_fail_memory(error);
    more[workload->group_count++] = (fc_phase_group){.first = workload->count, .times = 1};
    workload->groups = more;
    return FC_OK;
}

static fc_status add_phase(const fc_document *document, const fc_value *item, const char *name,
                           const fc_value *value, fc_workload *workload, fc_error *error) {
    if (workload->count == FC_PHASES_MAX)
        return fc_fail_at(error, document, item, "%s: more than %d phases; use repeat", what,
                          FC_PHASES_MAX);
    fc_phase *more = fc_reallocate(workload->phases, workload->count + 1, sizeof *more);
    if (!more)
        return fc_fail_memory(error);
    workload->phases = more;
    fc_phase *phase = &more[workload->count++];
    memset(phase, 0, sizeof *phase);
    ++workload->groups[workload->group_count - 1].count;
    return read_phase(document, value, name, phase, error);
}

static fc_status read_item(const fc_document *document, const fc_value *item, bool nested,
                           fc_workload *workload, fc_error *error);

static fc_status read_repeat(const fc_document *document, const fc_value *value,
                             fc_workload *workload, fc_error *error) {
    static const char *const names[] = {"times", "phases", NULL};
    fc_status status = fc_check_members(document, value, "traffic.workload.repeat", names, error);
    if (status != FC_OK)
        return status;
    const fc_value *times = fc_value_member(value, "times");
    const fc_value *phases = fc_value_member(value, "phases");
    if (!times || !phases || phases->kind != FC_VALUE_SEQUENCE)
        return fc_fail_at(error, document, value,
                          "a repetition has times and a list of phases, for example {repeat: "
                          "{times: 10, phases: [{compute: 1000}, {halo-exchange: {bytes: "
                          "4096}}]}}");
    int64_t count = 0;
    status = fc_read_integer(document, times, "traffic.workload.repeat.times",
                             (fc_range){.minimum = 2, .maximum = 1e6}, error, &count);
    if (status != FC_OK)
        return status;
    fc_phase_group *more = fc_reallocate(workload->groups, workload->group_count + 1, sizeof *more);
    if (!more)
        return fc_fail_memory(error);
    workload->groups = more;
    more[workload->group_count++] = (fc_phase_group){.first = workload->count, .times = count};
    for (size_t i = 0; i < phases->count && status == FC_OK; ++i)
        status = read_item(document, phases->items[i], true, workload, error);
    return status;
}

static fc_status read_item(const fc_document *document, const fc_value *item, bool nested,
                           fc_workload *workload, fc_error *error) {
    const char *names[FC_PHASE_KINDS + 2] = {0};
    memcpy(names, fc_phase_names, FC_PHASE_KINDS * sizeof *names);
    if (!nested)
        names[FC_PHASE_KINDS] = "repeat";
    fc_status status = FC_OK;
    if (item->kind == FC_VALUE_SCALAR) {
        int choice;
        status = fc_read_choice(document, item, what, names, error, &choice);
        if (status == FC_OK && choice != FC_PHASE_BARRIER)
            return fc_fail_at(error, document, item, "%s: %s needs a value%s%s", what,
                              names[choice], forms[choice % FC_PHASE_KINDS].example ? ": " : "",
                              forms[choice % FC_PHASE_KINDS].example
                                  ? forms[choice % FC_PHASE_KINDS].example
                                  : "");
    } else {
        status = fc_check_members(document, item, what, names, error);
        if (status == FC_OK && item->count != 1)
            status = fc_fail_at(error, document, item,
                                "%s: %zu phases in one entry; phases that follow each other are "
                                "entries of a list",
                                what, item->count);
        if (status == FC_OK && strcmp(item->keys[0], "repeat") == 0)
            return read_repeat(document, item->items[0], workload, error);
    }
    if (status == FC_OK && !nested)
        status = add_group(workload, error);
    if (status != FC_OK)
        return status;
    const bool plain = item->kind == FC_VALUE_SCALAR;
    return add_phase(document, item, plain ? item->text : item->keys[0],
                     plain ? NULL : item->items[0], workload, error);
}

fc_status fc_workload_read(const fc_document *document, const fc_value *value, void *field,
                           fc_error *error) {
    fc_workload *workload = field;
    if (workload->phases) /* a trace: the two are refused together later */
        return FC_OK;
    if (value->kind != FC_VALUE_SEQUENCE)
        return read_item(document, value, false, workload, error);
    if (value->count == 0)
        return fc_fail_at(error, document, value, "%s is an empty list; expected phases", what);
    fc_status status = FC_OK;
    for (size_t i = 0; i < value->count && status == FC_OK; ++i)
        status = read_item(document, value->items[i], false, workload, error);
    return status;
}

void fc_workload_initialise(fc_workload *workload) {
    workload->flit_bytes = 32;
    workload->packet_flits = 16;
    workload->placement.seed = -1;
}

void fc_workload_release(fc_workload *workload) {
    for (size_t i = 0; i < workload->count; ++i) {
        fc_trace_clear(&workload->phases[i].trace);
        fc_release(workload->phases[i].matrix.bytes);
    }
    fc_release(workload->phases);
    fc_release(workload->groups);
    fc_release(workload->placement.node);
}

/* ---- writing ---- */

static void write_form(const fc_phase *phase, FILE *stream) {
    const phase_form *form = &forms[phase->kind];
    const char *between = "";
    fprintf(stream, "{%s: {", fc_phase_names[phase->kind]);
    if (form->algorithms[0]) {
        fprintf(stream, "algorithm: %s", fc_algorithm_names[phase->algorithm]);
        between = ", ";
    }
    for (size_t i = 0; i < MEMBERS_MAX && form->members[i]; ++i) {
        const member *m = form->members[i];
        const int64_t number = *(const int64_t *)((const char *)phase + m->offset);
        if ((double)number < m->minimum) /* not given */
            continue;
        fprintf(stream, "%s%s: %lld", between, m->name, (long long)number);
        between = ", ";
    }
    if (phase->skew > 0)
        fc_number_write(", skew: ", phase->skew, stream);
    if (phase->grid.count) {
        for (size_t i = 0; i < phase->grid.count; ++i)
            fprintf(stream, "%s%lld", i ? ", " : ", grid: [", (long long)phase->grid.values[i]);
        fputs("]", stream);
    }
    if (phase->kind == FC_PHASE_HALO_EXCHANGE && phase->periodic >= 0)
        fprintf(stream, ", periodic: %s", phase->periodic ? "yes" : "no");
    if (phase->matrix.bytes) {
        fputs(", matrix: ", stream);
        fc_file_name_write(phase->matrix.file, stream);
    }
    fputs("}}", stream);
}

static void write_phase(const fc_phase *phase, FILE *stream) {
    switch (phase->kind) {
    case FC_PHASE_FILE:
        fputs("{file: ", stream);
        fc_trace_file_write(&phase->trace, stream);
        fputs("}", stream);
        break;
    case FC_PHASE_MATRIX:
        fputs("{matrix: ", stream);
        fc_file_name_write(phase->matrix.file, stream);
        fputs("}", stream);
        break;
    case FC_PHASE_COMPUTE:
        fprintf(stream, "{compute: %lld}", (long long)phase->cycles);
        break;
    case FC_PHASE_BARRIER:
        fputs("barrier", stream);
        break;
    default:
        write_form(phase, stream);
        break;
    }
}

void fc_workload_write(const void *field, FILE *stream) {
    const fc_workload *workload = field;
    if (workload->of_trace || !workload->phases) {
        fputs("none", stream);
        return;
    }
    uint64_t content = 0;
    fputs("[", stream);
    for (size_t g = 0; g < workload->group_count; ++g) {
        const fc_phase_group *group = &workload->groups[g];
        fputs(g ? ", " : "", stream);
        if (group->times > 1)
            fprintf(stream, "{repeat: {times: %lld, phases: [", (long long)group->times);
        for (size_t i = 0; i < group->count; ++i) {
            const fc_phase *phase = &workload->phases[group->first + i];
            fputs(i ? ", " : "", stream);
            write_phase(phase, stream);
            content = content * 31 + phase->trace.checksum + phase->matrix.checksum;
        }
        fputs(group->times > 1 ? "]}}" : "", stream);
    }
    fputs("]", stream);
    if (content)
        fprintf(stream, " # content %016llx", (unsigned long long)content);
}
