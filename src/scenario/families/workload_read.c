#include "scenario/families/workload_read.h"
#include "scenario/families/groups_read.h"
#include "scenario/families/jobs_read.h"

#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "scenario/formats/byte_matrix.h"
#include "scenario/formats/chakra_file.h"
#include "scenario/readers.h"
#include "scenario/text_file.h"
#include "scenario/formats/trace_file.h"

static const char what[] = "traffic.workload";

const char *const fc_algorithm_names[] = {"ring",
                                          "recursive-doubling",
                                          "halving-doubling",
                                          "two-trees",
                                          "recursive-halving",
                                          "binomial",
                                          "direct",
                                          "pairwise",
                                          "multi-ring",
                                          "hierarchical",
                                          NULL};

const char *const fc_repeats_names[] = {"skipped", "simulated", NULL};

const char *const fc_order_names[] = {"shifted", "rank", "random", NULL};

const char *const fc_phase_names[] = {
    "all-to-all",    "all-reduce",         "reduce-scatter", "all-gather", "broadcast",
    "halo-exchange", "mixture-of-experts", "matrix",         "file",       "compute",
    "barrier",       "together",           "chakra",         NULL};

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
static const member cycles = {"cycles", AT(cycles), 0, 1e12};
static const member rings = {"rings", AT(rings), 1, 64};
static const member inner_ranks = {"inner_ranks", AT(inner_ranks), 1, FC_RANKS_MAX};

enum { MEMBERS_MAX = 8, ALGORITHMS_MAX = 8 };
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
    [FC_PHASE_ALL_TO_ALL] =
        {{&bytes, &inner_ranks}, 1, false, {"direct", "pairwise", "hierarchical"}, "{bytes: 4096}"},
    [FC_PHASE_ALL_REDUCE] = {{&bytes, &chunks, &rings, &inner_ranks},
                             1,
                             true,
                             {"ring", "recursive-doubling", "halving-doubling", "two-trees",
                              "multi-ring", "direct", "hierarchical"},
                             "{algorithm: ring, bytes: 1048576}"},
    [FC_PHASE_REDUCE_SCATTER] = {{&bytes, &rings, &inner_ranks},
                                 1,
                                 false,
                                 {"ring", "recursive-halving", "multi-ring", "direct",
                                  "hierarchical"},
                                 "{bytes: 1048576}"},
    [FC_PHASE_ALL_GATHER] = {{&bytes, &rings, &inner_ranks},
                             1,
                             false,
                             {"ring", "recursive-doubling", "multi-ring", "direct", "hierarchical"},
                             "{bytes: 1048576}"},
    [FC_PHASE_BROADCAST] =
        {{&bytes, &root, &chunks}, 1, false, {"binomial", "ring"}, "{root: 0, bytes: 4096}"},
    [FC_PHASE_HALO_EXCHANGE] = {{&bytes}, 1, false, {0}, "{bytes: 4096}"},
    [FC_PHASE_EXPERTS] = {{&bytes, &tokens, &experts, &choices, &compute},
                          1,
                          false,
                          {0},
                          "{tokens: 256, bytes: 8192, skew: 0.5}"},
    [FC_PHASE_COMPUTE] = {{&cycles}, 1, false, {0}, "{cycles: 1000, group: stage}"},
};

/* Names that a phase may say beside its numbers, by what it has: which kind, which algorithms. */
static bool has_algorithm(const phase_form *form, const char *name) {
    for (size_t i = 0; i < ALGORITHMS_MAX && form->algorithms[i]; ++i) {
        if (strcmp(form->algorithms[i], name) == 0)
            return true;
    }
    return false;
}

static fc_status read_members(const fc_document *document, const fc_value *value,
                              const phase_form *form, bool of_trace, const char *path,
                              fc_phase *phase, fc_error *error) {
    for (size_t i = of_trace; i < MEMBERS_MAX && form->members[i]; ++i) {
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

/* One of the form's algorithms by its name. A stage of a hierarchical phase is not one itself. */
/* stage: of a hierarchical algorithm. */
static void list_algorithms(const phase_form *form, bool stage,
                            const char *names[ALGORITHMS_MAX + 1]) {
    size_t count = 0;
    for (size_t i = 0; i < ALGORITHMS_MAX && form->algorithms[i]; ++i) {
        if (!stage || strcmp(form->algorithms[i], "hierarchical") != 0)
            names[count++] = form->algorithms[i];
    }
    names[count] = NULL;
}

static fc_status read_algorithm(const fc_document *document, const fc_value *given,
                                const char *name, const char *const *names, fc_error *error,
                                int *algorithm) {
    int choice = 0;
    const fc_status status =
        given ? fc_read_choice(document, given, name, names, error, &choice) : FC_OK;
    if (status != FC_OK)
        return status;
    *algorithm = 0;
    while (strcmp(fc_algorithm_names[*algorithm], names[choice]) != 0)
        ++*algorithm;
    return FC_OK;
}

/* What only some algorithms take is refused for the others. */
static fc_status check_use(const fc_document *document, const fc_value *value, const char *path,
                           const fc_phase *phase, fc_error *error) {
    const bool hierarchical = phase->algorithm == FC_ALGORITHM_HIERARCHICAL;
    const bool many = phase->algorithm == FC_ALGORITHM_MULTI_RING;
    const bool within = hierarchical && (phase->inner == FC_ALGORITHM_MULTI_RING ||
                                         phase->outer == FC_ALGORITHM_MULTI_RING);
    const bool direct = phase->algorithm == FC_ALGORITHM_DIRECT ||
                        (hierarchical && (phase->inner == FC_ALGORITHM_DIRECT ||
                                          phase->outer == FC_ALGORITHM_DIRECT));
    const struct {
        const char *name, *user;
        bool used;
    } uses[] = {{"inner", "hierarchical", hierarchical},
                {"outer", "hierarchical", hierarchical},
                {"inner_ranks", "hierarchical and multi-ring", hierarchical || many},
                {"rings", "multi-ring", many || within},
                {"order", "direct", direct}};
    for (size_t i = 0; i < sizeof uses / sizeof *uses; ++i) {
        const fc_value *given = fc_value_member(value, uses[i].name);
        if (given && !uses[i].used)
            return fc_fail_at(error, document, given, "%s: '%s' is for algorithm: %s, not %s", path,
                              uses[i].name, uses[i].user, fc_algorithm_names[phase->algorithm]);
    }
    return FC_OK;
}

static fc_status read_algorithms(const fc_document *document, const fc_value *value,
                                 const phase_form *form, const char *path, fc_phase *phase,
                                 fc_error *error) {
    const struct {
        const char *name;
        int *algorithm;
    } list[] = {
        {"algorithm", &phase->algorithm}, {"inner", &phase->inner}, {"outer", &phase->outer}};
    const fc_value *order = fc_value_member(value, "order");
    char name[160];
    if (!form->algorithms[0])
        return FC_OK;
    if (!fc_value_member(value, "algorithm") && form->choose)
        return fc_fail_at(error, document, value, "%s: 'algorithm' is missing, for example %s",
                          path, form->example);
    fc_status status = FC_OK;
    for (size_t i = 0; i < sizeof list / sizeof *list && status == FC_OK; ++i) {
        snprintf(name, sizeof name, "%s.%s", path, list[i].name);
        const char *names[ALGORITHMS_MAX + 1];
        list_algorithms(form, i > 0, names);
        status = read_algorithm(document, fc_value_member(value, list[i].name), name, names, error,
                                list[i].algorithm);
    }
    if (status == FC_OK && order) {
        snprintf(name, sizeof name, "%s.order", path);
        status = fc_read_choice(document, order, name, fc_order_names, error, &phase->order);
    }
    return status == FC_OK ? check_use(document, value, path, phase, error) : status;
}

static fc_status read_group(const fc_document *document, const fc_value *value, const char *path,
                            fc_phase *phase, fc_error *error) {
    const fc_value *given = fc_value_member(value, "group");
    if (!given)
        return FC_OK;
    if (given->kind != FC_VALUE_SCALAR || strlen(given->text) >= sizeof phase->group ||
        !given->text[0])
        return fc_fail_at(error, document, given,
                          "%s.group: expected a name of traffic.groups of at most %d letters", path,
                          FC_GROUP_NAME_SIZE - 1);
    strcpy(phase->group, given->text);
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

/* of_trace: how an operation of a trace goes, which says its bytes itself. */
static fc_status read_form(const fc_document *document, const fc_value *value, bool of_trace,
                           fc_phase *phase, fc_error *error) {
    const phase_form *form = &forms[phase->kind];
    const char *names[MEMBERS_MAX + 8] = {0};
    size_t count = 0;
    char path[96];
    snprintf(path, sizeof path, "%s.%s%s", what, of_trace ? "chakra." : "",
             fc_phase_names[phase->kind]);
    if (!of_trace)
        names[count++] = "group";
    for (size_t i = of_trace; i < MEMBERS_MAX && form->members[i]; ++i) {
        if (!of_trace || form->members[i] != &root)
            names[count++] = form->members[i]->name;
    }
    if (form->algorithms[0])
        names[count++] = "algorithm";
    if (has_algorithm(form, "direct"))
        names[count++] = "order";
    if (has_algorithm(form, "hierarchical")) {
        names[count++] = "inner";
        names[count++] = "outer";
    }
    if (phase->kind == FC_PHASE_HALO_EXCHANGE) {
        names[count++] = "grid";
        names[count++] = "periodic";
    } else if (phase->kind == FC_PHASE_EXPERTS) {
        names[count++] = "skew";
        names[count++] = "matrix";
    }
    fc_status status = fc_check_members(document, value, path, names, error);
    if (status == FC_OK)
        status = read_members(document, value, form, of_trace, path, phase, error);
    if (status == FC_OK)
        status = read_algorithms(document, value, form, path, phase, error);
    if (status == FC_OK)
        status = read_group(document, value, path, phase, error);
    if (status == FC_OK && phase->kind == FC_PHASE_HALO_EXCHANGE)
        status = read_halo(document, value, phase, error);
    if (status == FC_OK && phase->kind == FC_PHASE_EXPERTS)
        status = read_experts(document, value, phase, error);
    return status;
}

/* A prefix, or a mapping with one and with how the trace is run. */
static fc_status read_chakra_members(const fc_document *document, const fc_value *value,
                                     fc_chakra *chakra, fc_error *error) {
    static const char path[] = "traffic.workload.chakra";
    static const char *const names[] = {
        "prefix",     "replicas",   "operations_per_cycle", "memory_bytes_per_cycle",
        "all-reduce", "all-gather", "reduce-scatter",       "all-to-all",
        "broadcast",  NULL};
    const fc_value *replicas = fc_value_member(value, "replicas");
    const fc_value *speed = fc_value_member(value, "operations_per_cycle");
    const fc_value *memory = fc_value_member(value, "memory_bytes_per_cycle");
    const fc_range positive = {.minimum = 0, .maximum = 1e12, .above = true};
    fc_status status = fc_check_members(document, value, path, names, error);
    if (status == FC_OK && !fc_value_member(value, "prefix"))
        status =
            fc_fail_at(error, document, value,
                       "%s: 'prefix' is missing, for example {prefix: step, replicas: 8}", path);
    if (status == FC_OK && replicas)
        status = fc_read_integer(document, replicas, "traffic.workload.chakra.replicas",
                                 (fc_range){.minimum = 1, .maximum = FC_RANKS_MAX}, error,
                                 &chakra->replicas);
    if (status == FC_OK && speed)
        status = fc_read_number(document, speed, "traffic.workload.chakra.operations_per_cycle",
                                positive, error, &chakra->operations_per_cycle);
    if (status == FC_OK && memory)
        status = fc_read_number(document, memory, "traffic.workload.chakra.memory_bytes_per_cycle",
                                positive, error, &chakra->memory_bytes_per_cycle);
    for (size_t i = 0; i < FC_CHAKRA_FORMS && status == FC_OK; ++i) {
        const fc_value *form = fc_value_member(value, fc_phase_names[fc_chakra_forms[i]]);
        if (form)
            status = read_form(document, form, true, &chakra->forms[i], error);
    }
    return status;
}

/* The files of a prefix, found beside the scenario by the first of them. */
static fc_status read_chakra_files(const fc_document *document, const fc_value *prefix,
                                   fc_chakra *chakra, fc_error *error) {
    static const char ending[] = ".0.et";
    fc_named_file file = {.what = "traffic.workload.chakra",
                          .kind = "a Chakra trace, without '.0.et'"};
    char first[FC_PATH_SIZE + sizeof ending];
    const bool named = prefix->kind == FC_VALUE_SCALAR && prefix->text[0];
    fc_value of_first = *prefix;
    fc_error cause;
    if (named) {
        snprintf(first, sizeof first, "%s%s", prefix->text, ending);
        of_first.text = first;
    }
    fc_status status = fc_named_file_find(document, &of_first, &file, error);
    if (status != FC_OK)
        return status;
    snprintf(chakra->prefix, sizeof chakra->prefix, "%s", prefix->text);
    file.path[strlen(file.path) - strlen(ending)] = '\0';
    status = fc_chakra_read_files(file.path, &cause, chakra);
    return status == FC_OK ? FC_OK : fc_named_file_fail(document, prefix, &cause, status, error);
}

static fc_status read_chakra(const fc_document *document, const fc_value *value, fc_phase *phase,
                             fc_error *error) {
    fc_chakra *chakra = phase->chakra = fc_allocate(1, sizeof *chakra);
    if (!chakra)
        return fc_fail_memory(error);
    chakra->replicas = 1;
    for (size_t i = 0; i < FC_CHAKRA_FORMS; ++i) {
        fc_phase *form = &chakra->forms[i];
        *form = (fc_phase){.kind = fc_chakra_forms[i]};
        while (strcmp(fc_algorithm_names[form->algorithm], forms[form->kind].algorithms[0]) != 0)
            ++form->algorithm;
    }
    if (value->kind != FC_VALUE_MAPPING)
        return read_chakra_files(document, value, chakra, error);
    const fc_status status = read_chakra_members(document, value, chakra, error);
    return status == FC_OK
               ? read_chakra_files(document, fc_value_member(value, "prefix"), chakra, error)
               : status;
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
        if (value->kind == FC_VALUE_MAPPING)
            return read_form(document, value, false, phase, error);
        return fc_read_integer(document, value, "traffic.workload.compute",
                               (fc_range){.minimum = 0, .maximum = 1e12}, error, &phase->cycles);
    case FC_PHASE_TOGETHER:
        return FC_OK;
    case FC_PHASE_CHAKRA:
        return read_chakra(document, value, phase, error);
    case FC_PHASE_BARRIER:
        return value ? fc_fail_at(error, document, value, "a barrier has no value: '- barrier'")
                     : FC_OK;
    default:
        return read_form(document, value, false, phase, error);
    }
}

/* ---- the list ---- */

/* The list while it is read. What `together` holds is read when the list around it has ended, so
 * that the phases of a group stay side by side. */
typedef struct reading {
    const fc_document *document;
    fc_workload *workload;
    fc_error *error;
    const fc_value *together[FC_PHASES_MAX]; /* of phases of that kind */
    uint32_t strand;
    int64_t outer_times;
} reading;

static fc_status add_group(reading *r, int64_t times) {
    fc_workload *workload = r->workload;
    const fc_phase_group *last =
        workload->group_count ? &workload->groups[workload->group_count - 1] : NULL;
    if (times == 1 && last && last->times == 1 && last->strand == r->strand)
        return FC_OK;
    fc_phase_group *more = fc_reallocate(workload->groups, workload->group_count + 1, sizeof *more);
    if (!more)
        return fc_fail_memory(r->error);
    more[workload->group_count++] = (fc_phase_group){.first = workload->count,
                                                     .times = times,
                                                     .strand = r->strand,
                                                     .outer_times = r->outer_times};
    workload->groups = more;
    return FC_OK;
}

static fc_status add_phase(reading *r, const fc_value *item, const char *name,
                           const fc_value *value) {
    fc_workload *workload = r->workload;
    if (workload->count == FC_PHASES_MAX)
        return fc_fail_at(r->error, r->document, item, "%s: more than %d phases; use repeat", what,
                          FC_PHASES_MAX);
    fc_phase *more = fc_reallocate(workload->phases, workload->count + 1, sizeof *more);
    if (!more)
        return fc_fail_memory(r->error);
    workload->phases = more;
    fc_phase *phase = &more[workload->count++];
    memset(phase, 0, sizeof *phase);
    ++workload->groups[workload->group_count - 1].count;
    r->together[workload->count - 1] = value;
    const fc_status status = read_phase(r->document, value, name, phase, r->error);
    const bool alone = phase->kind == FC_PHASE_BARRIER || phase->kind == FC_PHASE_FILE ||
                       phase->kind == FC_PHASE_TOGETHER || phase->kind == FC_PHASE_CHAKRA;
    if (status == FC_OK && r->strand && alone)
        return fc_fail_at(r->error, r->document, item,
                          "%s: %s is for all ranks at once and cannot stand in together", what,
                          fc_phase_names[phase->kind]);
    return status;
}

static fc_status read_item(reading *r, const fc_value *item, bool nested);

static fc_status read_repeat(reading *r, const fc_value *value) {
    static const char *const names[] = {"times", "phases", NULL};
    fc_status status =
        fc_check_members(r->document, value, "traffic.workload.repeat", names, r->error);
    if (status != FC_OK)
        return status;
    const fc_value *times = fc_value_member(value, "times");
    const fc_value *phases = fc_value_member(value, "phases");
    if (!times || !phases || phases->kind != FC_VALUE_SEQUENCE)
        return fc_fail_at(r->error, r->document, value,
                          "a repetition has times and a list of phases, for example {repeat: "
                          "{times: 10, phases: [{compute: 1000}, {halo-exchange: {bytes: "
                          "4096}}]}}");
    int64_t count = 0;
    status = fc_read_integer(r->document, times, "traffic.workload.repeat.times",
                             (fc_range){.minimum = 2, .maximum = 1e6}, r->error, &count);
    if (status == FC_OK)
        status = add_group(r, count);
    for (size_t i = 0; status == FC_OK && i < phases->count; ++i)
        status = read_item(r, phases->items[i], true);
    return status;
}

static fc_status read_item(reading *r, const fc_value *item, bool nested) {
    const fc_document *document = r->document;
    const char *names[FC_PHASE_KINDS + 2] = {0};
    memcpy(names, fc_phase_names, FC_PHASE_KINDS * sizeof *names);
    if (!nested)
        names[FC_PHASE_KINDS] = "repeat";
    fc_status status = FC_OK;
    if (item->kind == FC_VALUE_SCALAR) {
        int choice;
        status = fc_read_choice(document, item, what, names, r->error, &choice);
        if (status == FC_OK && choice != FC_PHASE_BARRIER)
            return fc_fail_at(r->error, document, item, "%s: %s needs a value%s%s", what,
                              names[choice], forms[choice % FC_PHASE_KINDS].example ? ": " : "",
                              forms[choice % FC_PHASE_KINDS].example
                                  ? forms[choice % FC_PHASE_KINDS].example
                                  : "");
    } else {
        status = fc_check_members(document, item, what, names, r->error);
        if (status == FC_OK && item->count != 1)
            status = fc_fail_at(r->error, document, item,
                                "%s: %zu phases in one entry; phases that follow each other are "
                                "entries of a list",
                                what, item->count);
        if (status == FC_OK && strcmp(item->keys[0], "repeat") == 0)
            return read_repeat(r, item->items[0]);
    }
    if (status == FC_OK && !nested)
        status = add_group(r, 1);
    if (status != FC_OK)
        return status;
    const bool plain = item->kind == FC_VALUE_SCALAR;
    return add_phase(r, item, plain ? item->text : item->keys[0], plain ? NULL : item->items[0]);
}

/* A phase, or a list of phases. */
static fc_status read_list(reading *r, const fc_value *value) {
    if (value->kind != FC_VALUE_SEQUENCE)
        return read_item(r, value, false);
    if (value->count == 0)
        return fc_fail_at(r->error, r->document, value, "%s is an empty list; expected phases",
                          what);
    fc_status status = FC_OK;
    for (size_t i = 0; i < value->count && status == FC_OK; ++i)
        status = read_item(r, value->items[i], false);
    return status;
}

static fc_status read_together(reading *r, size_t phase, int64_t times) {
    const fc_value *value = r->together[phase];
    if (value->kind != FC_VALUE_SEQUENCE || value->count < 2)
        return fc_fail_at(r->error, r->document, value,
                          "%s.together: expected two or more phases, or lists of phases, that go "
                          "on at the same time",
                          what);
    r->workload->phases[phase].first_strand = r->workload->strands + 1;
    r->workload->phases[phase].strands = (uint32_t)value->count;
    r->outer_times = times;
    fc_status status = FC_OK;
    for (size_t i = 0; i < value->count && status == FC_OK; ++i) {
        if (r->workload->strands == FC_STRANDS_MAX)
            return fc_fail_at(r->error, r->document, value->items[i],
                              "%s.together: more than %d lists in the whole workload", what,
                              FC_STRANDS_MAX);
        r->strand = ++r->workload->strands;
        status = read_list(r, value->items[i]);
    }
    return status;
}

fc_status fc_workload_read(const fc_document *document, const fc_value *value, void *field,
                           fc_error *error) {
    reading r = {.document = document, .workload = field, .error = error};
    if (r.workload->phases) /* a trace: the two are refused together later */
        return FC_OK;
    fc_status status = read_list(&r, value);
    const size_t groups = r.workload->group_count;
    for (size_t g = 0; g < groups && status == FC_OK; ++g) {
        const fc_phase_group group = r.workload->groups[g];
        for (size_t i = group.first; i < group.first + group.count && status == FC_OK; ++i) {
            if (r.workload->phases[i].kind == FC_PHASE_TOGETHER)
                status = read_together(&r, i, group.times);
        }
    }
    return status;
}

void fc_workload_initialise(fc_workload *workload) {
    workload->flit_bytes = 32;
    workload->packet_flits = 16;
    workload->placement.seed = -1;
}

void fc_workload_release(fc_workload *workload) {
    for (size_t i = 0; i < workload->count && !workload->jobs; ++i) {
        fc_trace_clear(&workload->phases[i].trace);
        fc_chakra_free(workload->phases[i].chakra);
        fc_release(workload->phases[i].matrix.bytes);
    }
    fc_release(workload->phases);
    fc_release(workload->groups);
    fc_release(workload->placement.node);
    fc_release(workload->slow.rank);
    fc_jobs_release(workload);
    fc_groupings_release(&workload->groupings);
}

/* ---- writing ---- */

/* What stands behind the name of a phase. of_trace: without what the trace says. */
static void write_members(const fc_phase *phase, bool of_trace, FILE *stream) {
    const phase_form *form = &forms[phase->kind];
    const char *between = "";
    fputs("{", stream);
    if (form->algorithms[0]) {
        fprintf(stream, "algorithm: %s", fc_algorithm_names[phase->algorithm]);
        between = ", ";
    }
    if (phase->algorithm == FC_ALGORITHM_HIERARCHICAL)
        fprintf(stream, ", inner: %s, outer: %s", fc_algorithm_names[phase->inner],
                fc_algorithm_names[phase->outer]);
    for (size_t i = 0; i < MEMBERS_MAX && form->members[i]; ++i) {
        const member *m = form->members[i];
        const int64_t number = *(const int64_t *)((const char *)phase + m->offset);
        if ((double)number < m->minimum || (of_trace && (i == 0 || m == &root))) /* not given */
            continue;
        fprintf(stream, "%s%s: %lld", between, m->name, (long long)number);
        between = ", ";
    }
    if (phase->order)
        fprintf(stream, ", order: %s", fc_order_names[phase->order]);
    if (phase->group[0])
        fprintf(stream, ", group: %s", phase->group);
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
    fputs("}", stream);
}

static void write_form(const fc_phase *phase, FILE *stream) {
    fprintf(stream, "{%s: ", fc_phase_names[phase->kind]);
    write_members(phase, false, stream);
    fputs("}", stream);
}

static void write_chakra(const fc_chakra *chakra, FILE *stream) {
    fputs("{chakra: {prefix: ", stream);
    fc_file_name_write(chakra->prefix, stream);
    if (chakra->replicas > 1)
        fprintf(stream, ", replicas: %lld", (long long)chakra->replicas);
    if (chakra->operations_per_cycle > 0)
        fc_number_write(", operations_per_cycle: ", chakra->operations_per_cycle, stream);
    if (chakra->memory_bytes_per_cycle > 0)
        fc_number_write(", memory_bytes_per_cycle: ", chakra->memory_bytes_per_cycle, stream);
    for (size_t i = 0; i < FC_CHAKRA_FORMS; ++i) {
        fprintf(stream, ", %s: ", fc_phase_names[chakra->forms[i].kind]);
        write_members(&chakra->forms[i], true, stream);
    }
    fputs("}}", stream);
}

static void write_groups(const fc_workload *workload, uint32_t strand, uint64_t *content,
                         FILE *stream);

static void write_phase(const fc_workload *workload, const fc_phase *phase, uint64_t *content,
                        FILE *stream) {
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
        if (phase->group[0])
            write_form(phase, stream);
        else
            fprintf(stream, "{compute: %lld}", (long long)phase->cycles);
        break;
    case FC_PHASE_BARRIER:
        fputs("barrier", stream);
        break;
    case FC_PHASE_CHAKRA:
        write_chakra(phase->chakra, stream);
        break;
    case FC_PHASE_TOGETHER:
        fputs("{together: [", stream);
        for (uint32_t i = 0; i < phase->strands; ++i) {
            fputs(i ? ", " : "", stream);
            write_groups(workload, phase->first_strand + i, content, stream);
        }
        fputs("]}", stream);
        break;
    default:
        write_form(phase, stream);
        break;
    }
}

static void write_groups(const fc_workload *workload, uint32_t strand, uint64_t *content,
                         FILE *stream) {
    const char *between = "[";
    for (size_t g = 0; g < workload->group_count; ++g) {
        const fc_phase_group *group = &workload->groups[g];
        if (group->strand != strand)
            continue;
        fputs(between, stream);
        between = ", ";
        if (group->times > 1)
            fprintf(stream, "{repeat: {times: %lld, phases: [", (long long)group->times);
        for (size_t i = 0; i < group->count; ++i) {
            const fc_phase *phase = &workload->phases[group->first + i];
            fputs(i ? ", " : "", stream);
            write_phase(workload, phase, content, stream);
            *content = *content * 31 + phase->trace.checksum + phase->matrix.checksum +
                       (phase->chakra ? phase->chakra->checksum : 0);
        }
        fputs(group->times > 1 ? "]}}" : "", stream);
    }
    fputs("]", stream);
}

void fc_workload_write_phases(const fc_workload *workload, uint64_t *content, FILE *stream) {
    write_groups(workload, 0, content, stream);
}

void fc_workload_write(const void *field, FILE *stream) {
    const fc_workload *workload = field;
    if (workload->of_trace || !workload->phases || workload->jobs) {
        fputs("none", stream);
        return;
    }
    uint64_t content = 0;
    fc_workload_write_phases(workload, &content, stream);
    if (content)
        fprintf(stream, " # content %016llx", (unsigned long long)content);
}
