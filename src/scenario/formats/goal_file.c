#include "scenario/formats/goal_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "scenario/text_file.h"
#include "scenario/formats/trace_file.h"
#include "scenario/formats/trace_order.h"

#define NONE UINT32_MAX
enum { OPERATIONS_MAX = 1 << 22, REQUIREMENTS_MAX = 1 << 26, CPUS_MAX = 256 };

typedef enum kind { SEND, RECV, CALC } kind;

typedef struct operation {
    uint64_t size; /* bytes, or cycles of a calc */
    uint32_t rank, peer, tag, cpu;
    uint32_t line;
    uint32_t label; /* its position in the text; NONE */
    uint32_t first; /* its first message in the trace */
    uint8_t kind;
    bool required, begun_for; /* somebody waits for its end, for its beginning */
} operation;

typedef struct requirement {
    uint32_t operation, before;
    bool beginning; /* irequires */
} requirement;

typedef struct goal {
    fc_lines lines;
    const char *text;
    fc_error *error;
    uint64_t ranks;
    uint32_t rank; /* whose block is open; NONE */
    bool *seen;    /* ranks */
    operation *operations;
    size_t count, room;
    requirement *requirements;
    size_t requirement_count, requirement_room;
    uint32_t *labels; /* hash table of operations of this rank, plus 1; 0: free */
    size_t label_room, label_count;
    fc_trace *trace;
} goal;

/* ---- words ---- */

static char *skip_blanks(char *at) {
    return at + strspn(at, " \t\r");
}

/* Passes a word if it comes next, as a whole. */
static bool take_word(char **at, const char *word) {
    char *from = skip_blanks(*at);
    const size_t length = strlen(word);
    if (strncmp(from, word, length) != 0 || isalnum((unsigned char)from[length]) ||
        from[length] == '_')
        return false;
    *at = from + length;
    return true;
}

static bool take_sign(char **at, char sign) {
    char *from = skip_blanks(*at);
    if (*from != sign)
        return false;
    *at = from + 1;
    return true;
}

static bool take_number(char **at, uint64_t most, uint64_t *number) {
    char *from = skip_blanks(*at);
    if (!isdigit((unsigned char)*from))
        return false;
    uint64_t value = 0;
    for (; isdigit((unsigned char)*from); ++from) {
        const uint64_t digit = (uint64_t)(*from - '0');
        if (value > (most - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    *number = value;
    *at = from;
    return true;
}

/* Letters, digits and '_', a letter first; its length. */
static size_t label_length(const char *at) {
    size_t length = 0;
    if (!isalpha((unsigned char)*at))
        return 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        ++length;
    return length;
}

/* Blanks in place of comments; lines stay lines. */
static void blank_comments(char *text) {
    for (char *at = text; (at = strchr(at, '/')) != NULL;) {
        const char *end = at[1] == '*' ? strstr(at + 2, "*/") : NULL;
        size_t length = 1;
        if (at[1] == '/')
            length = strcspn(at, "\n");
        else if (at[1] == '*')
            length = end ? (size_t)(end - at) + 2 : strlen(at);
        for (size_t i = 0; length > 1 && i < length; ++i) {
            if (at[i] != '\n')
                at[i] = ' ';
        }
        at += length;
    }
}

bool fc_goal_recognise(const char *text) {
    for (;;) {
        text += strspn(text, " \t\r\n");
        const char *end = NULL;
        if (text[0] == '/' && text[1] == '/')
            end = strchr(text, '\n');
        else if (text[0] == '/' && text[1] == '*' && (end = strstr(text + 2, "*/")) != NULL)
            end += 2;
        if (!end)
            return strncmp(text, "num_ranks", 9) == 0 && (text[9] == ' ' || text[9] == '\t');
        text = end;
    }
}

/* ---- labels ---- */

static size_t label_place(const goal *g, const char *label, size_t length) {
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < length; ++i)
        hash = (hash ^ (unsigned char)label[i]) * 1099511628211u;
    size_t at = (hash ^ hash >> 29) & (g->label_room - 1);
    for (; g->labels[at]; at = (at + 1) & (g->label_room - 1)) {
        const char *other = g->text + g->operations[g->labels[at] - 1].label;
        if (strncmp(other, label, length) == 0 && label_length(other) == length)
            break;
    }
    return at;
}

static fc_status make_room_for_labels(goal *g) {
    if (2 * (g->label_count + 1) < g->label_room)
        return FC_OK;
    uint32_t *before = g->labels;
    const size_t old = g->label_room;
    g->label_room = old ? 2 * old : 256;
    g->labels = fc_allocate(g->label_room, sizeof *g->labels);
    if (!g->labels) {
        g->labels = before;
        g->label_room = old;
        return fc_fail_memory(g->error);
    }
    for (size_t i = 0; i < old; ++i) {
        if (!before[i])
            continue;
        const char *label = g->text + g->operations[before[i] - 1].label;
        g->labels[label_place(g, label, label_length(label))] = before[i];
    }
    fc_release(before);
    return FC_OK;
}

/* ---- statements ---- */

static fc_status add_operation(goal *g, const operation *made) {
    if (g->count == OPERATIONS_MAX)
        return fc_lines_fail(&g->lines, g->error, "more than %d operations", OPERATIONS_MAX);
    operation *operations = fc_make_room(g->operations, &g->room, g->count, 1, sizeof *operations);
    if (!operations)
        return fc_fail_memory(g->error);
    g->operations = operations;
    g->operations[g->count++] = *made;
    if (made->label == NONE)
        return FC_OK;
    fc_status status = make_room_for_labels(g);
    if (status != FC_OK)
        return status;
    const char *label = g->text + made->label;
    const size_t length = label_length(label), at = label_place(g, label, length);
    if (g->labels[at])
        return fc_lines_fail(&g->lines, g->error,
                             "the label %.*s of rank %u is there already, in line %u",
                             (int)(length < 40 ? length : 40), label, g->rank,
                             g->operations[g->labels[at] - 1].line);
    g->labels[at] = (uint32_t)g->count;
    ++g->label_count;
    return FC_OK;
}

/* "4096b to 1 tag 0 cpu 0 nic 0" behind send or recv. */
static fc_status read_transfer(goal *g, char *at, operation *made) {
    const bool send = made->kind == SEND;
    uint64_t peer, tag = 0, cpu, nic;
    if (!take_number(&at, UINT32_MAX - 1, &made->size) || !take_word(&at, "b") ||
        !take_word(&at, send ? "to" : "from"))
        return fc_lines_fail(&g->lines, g->error, "expected %s, with less than 4 GiB",
                             send ? "'send BYTESb to RANK'" : "'recv BYTESb from RANK'");
    if (!send && strncmp(skip_blanks(at), "-1", 2) == 0)
        return fc_lines_fail(&g->lines, g->error,
                             "a recv from any rank: the file does not say which message it gets");
    if (!take_number(&at, UINT32_MAX - 1, &peer))
        return fc_lines_fail(&g->lines, g->error, "expected a rank after '%s'",
                             send ? "to" : "from");
    if (peer >= g->ranks)
        return fc_lines_fail(&g->lines, g->error, "there is no rank %llu; num_ranks is %llu",
                             (unsigned long long)peer, (unsigned long long)g->ranks);
    if (take_word(&at, "tag")) {
        if (strncmp(skip_blanks(at), "-1", 2) == 0)
            return fc_lines_fail(&g->lines, g->error,
                                 "any tag: the file does not say which message it gets");
        if (!take_number(&at, UINT32_MAX - 1, &tag))
            return fc_lines_fail(&g->lines, g->error, "expected a number after 'tag'");
    }
    if ((take_word(&at, "cpu") && !take_number(&at, CPUS_MAX - 1, &cpu)) ||
        (take_word(&at, "nic") && !take_number(&at, CPUS_MAX - 1, &nic)))
        return fc_lines_fail(&g->lines, g->error, "expected a number below %d", CPUS_MAX);
    if (*skip_blanks(at))
        return fc_lines_fail(&g->lines, g->error, "'%.40s' does not belong here", skip_blanks(at));
    made->peer = (uint32_t)peer;
    made->tag = (uint32_t)tag;
    return add_operation(g, made);
}

static fc_status read_calc(goal *g, char *at, operation *made) {
    uint64_t cpu = 0;
    if (!take_number(&at, (uint64_t)1 << 60, &made->size))
        return fc_lines_fail(&g->lines, g->error, "expected 'calc CYCLES'");
    if (take_word(&at, "cpu") && !take_number(&at, CPUS_MAX - 1, &cpu))
        return fc_lines_fail(&g->lines, g->error, "expected a number below %d", CPUS_MAX);
    if (*skip_blanks(at))
        return fc_lines_fail(&g->lines, g->error, "'%.40s' does not belong here", skip_blanks(at));
    made->cpu = (uint32_t)cpu;
    return add_operation(g, made);
}

static fc_status find_label(goal *g, const char *label, size_t length, uint32_t *number) {
    const size_t at = g->label_room && length ? label_place(g, label, length) : 0;
    if (!g->label_room || !length || !g->labels[at])
        return fc_lines_fail(&g->lines, g->error, "rank %u has no operation '%.*s' above this line",
                             g->rank, (int)(length < 40 ? length : 40), label);
    *number = g->labels[at] - 1;
    return FC_OK;
}

static fc_status read_requirement(goal *g, const char *label, size_t length, bool beginning,
                                  char *at) {
    requirement made = {.beginning = beginning};
    at = skip_blanks(at);
    const size_t other = label_length(at);
    fc_status status = find_label(g, label, length, &made.operation);
    if (status == FC_OK)
        status = find_label(g, at, other, &made.before);
    if (status != FC_OK)
        return status;
    if (*skip_blanks(at + other))
        return fc_lines_fail(&g->lines, g->error, "'%.40s' does not belong here",
                             skip_blanks(at + other));
    if (g->requirement_count == g->requirement_room) {
        const size_t room = g->requirement_room ? 2 * g->requirement_room : 256;
        requirement *more =
            room <= REQUIREMENTS_MAX ? fc_reallocate(g->requirements, room, sizeof *more) : NULL;
        if (!more)
            return fc_fail_memory(g->error);
        g->requirements = more;
        g->requirement_room = room;
    }
    if (beginning)
        g->operations[made.before].begun_for = true;
    else
        g->operations[made.before].required = true;
    g->requirements[g->requirement_count++] = made;
    return FC_OK;
}

static fc_status read_operation(goal *g, char *at, uint32_t label) {
    operation made = {.rank = g->rank, .line = (uint32_t)g->lines.number, .label = label};
    if (take_word(&at, "calc")) {
        made.kind = CALC;
        return read_calc(g, at, &made);
    }
    made.kind = take_word(&at, "send") ? SEND : RECV;
    if (made.kind == RECV && !take_word(&at, "recv"))
        return fc_lines_fail(&g->lines, g->error,
                             "'%.40s' is no operation: expected send, recv or "
                             "calc",
                             skip_blanks(at));
    return read_transfer(g, at, &made);
}

/* A line within the block of a rank. */
static fc_status read_statement(goal *g, char *at) {
    char *begin = at = skip_blanks(at);
    if (take_word(&begin, "send") || take_word(&begin, "recv") || take_word(&begin, "calc"))
        return read_operation(g, at, NONE);
    const size_t length = label_length(at);
    char *rest = at + length;
    if (length && take_sign(&rest, ':'))
        return read_operation(g, rest, (uint32_t)(at - g->text));
    if (length && take_word(&rest, "requires"))
        return read_requirement(g, at, length, false, rest);
    if (length && take_word(&rest, "irequires"))
        return read_requirement(g, at, length, true, rest);
    return fc_lines_fail(
        &g->lines, g->error,
        "expected 'LABEL: send ...', recv or calc, 'LABEL requires LABEL', or '}'");
}

static fc_status open_rank(goal *g, char **at) {
    uint64_t rank;
    if (!g->ranks)
        return fc_lines_fail(&g->lines, g->error, "num_ranks must come before the first rank");
    if (!take_number(at, UINT32_MAX, &rank) || !take_sign(at, '{'))
        return fc_lines_fail(&g->lines, g->error, "expected 'rank NUMBER {'");
    if (rank >= g->ranks)
        return fc_lines_fail(&g->lines, g->error, "there is no rank %llu; num_ranks is %llu",
                             (unsigned long long)rank, (unsigned long long)g->ranks);
    if (g->seen[rank])
        return fc_lines_fail(&g->lines, g->error, "rank %llu is there already",
                             (unsigned long long)rank);
    g->seen[rank] = true;
    g->rank = (uint32_t)rank;
    if (g->label_room)
        memset(g->labels, 0, g->label_room * sizeof *g->labels);
    g->label_count = 0;
    return FC_OK;
}

static fc_status read_ranks(goal *g, char **at) {
    if (g->ranks || !take_number(at, FC_RANKS_MAX, &g->ranks) || !g->ranks)
        return fc_lines_fail(&g->lines, g->error, "expected 'num_ranks NUMBER' once, at most %d",
                             FC_RANKS_MAX);
    g->seen = fc_allocate(g->ranks, sizeof *g->seen);
    return g->seen ? FC_OK : fc_fail_memory(g->error);
}

static fc_status read_line(goal *g, char *at) {
    fc_status status = FC_OK;
    while (status == FC_OK && *(at = skip_blanks(at))) {
        if (g->rank != NONE && take_sign(&at, '}')) {
            g->rank = NONE;
        } else if (g->rank != NONE) {
            return read_statement(g, at);
        } else if (take_word(&at, "num_ranks")) {
            status = read_ranks(g, &at);
        } else if (take_word(&at, "rank")) {
            status = open_rank(g, &at);
        } else {
            return fc_lines_fail(&g->lines, g->error, "expected 'rank NUMBER {'");
        }
    }
    return status;
}

/* ---- which recv gets which message ---- */

typedef struct transfer {
    uint32_t source, destination, tag, operation;
} transfer;

static int by_ends(const void *left, const void *right) {
    const transfer *a = left, *b = right;
    const uint32_t keys[][2] = {{a->source, b->source},
                                {a->destination, b->destination},
                                {a->tag, b->tag},
                                {a->operation, b->operation}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    }
    return 0;
}

static size_t list_transfers(const goal *g, uint8_t wanted, transfer *list) {
    size_t count = 0;
    for (size_t i = 0; i < g->count; ++i) {
        const operation *o = &g->operations[i];
        if (o->kind == wanted)
            list[count++] = (transfer){wanted == SEND ? o->rank : o->peer,
                                       wanted == SEND ? o->peer : o->rank, o->tag, (uint32_t)i};
    }
    if (count)
        qsort(list, count, sizeof *list, by_ends);
    return count;
}

/* One that has no partner: named by its line. */
static fc_status refuse_alone(const goal *g, uint32_t number) {
    const operation *o = &g->operations[number];
    fc_lines at = g->lines;
    at.number = o->line;
    return fc_lines_fail(&at, g->error,
                         o->kind == SEND
                             ? "rank %u sends to %u with tag %u, and nothing receives it"
                             : "rank %u receives from %u with tag %u, and nothing is sent for it",
                         o->rank, o->peer, o->tag);
}

static fc_status refuse_sizes(const goal *g, const operation *sent, const operation *received) {
    fc_lines at = g->lines;
    at.number = received->line;
    return fc_lines_fail(&at, g->error,
                         "rank %u receives %llu bytes from %u with tag %u, and %llu are sent in "
                         "line %zu",
                         received->rank, (unsigned long long)received->size, received->peer,
                         received->tag, (unsigned long long)sent->size, (size_t)sent->line);
}

/* sends[i] and receives[i] belong together for each i. */
static fc_status match(const goal *g, transfer *sends, transfer *receives, size_t *count) {
    const size_t sent = list_transfers(g, SEND, sends), got = list_transfers(g, RECV, receives);
    *count = sent < got ? sent : got;
    for (size_t i = 0; i < *count; ++i) {
        const transfer s = {sends[i].source, sends[i].destination, sends[i].tag, 0};
        const transfer r = {receives[i].source, receives[i].destination, receives[i].tag, 0};
        const int order = by_ends(&s, &r);
        if (order)
            return refuse_alone(g, order < 0 ? sends[i].operation : receives[i].operation);
        const operation *begin = &g->operations[sends[i].operation];
        const operation *end = &g->operations[receives[i].operation];
        if (begin->size != end->size)
            return refuse_sizes(g, begin, end);
    }
    if (sent != got)
        return refuse_alone(g, sent > got ? sends[*count].operation : receives[*count].operation);
    return FC_OK;
}

/* ---- as messages ---- */

static uint32_t messages_of(const operation *o) {
    return o->begun_for || (o->kind == SEND && o->required) ? 2 : 1;
}

static uint32_t last_of(const operation *o) {
    return o->first + messages_of(o) - 1;
}

static void wait_for(fc_trace *trace, uint32_t message, uint32_t before) {
    if (trace->messages[message].after == NONE)
        trace->messages[message].after = before;
    else
        trace->waits[trace->wait_count++] = (fc_trace_wait){message, before};
}

/* An operation is one message or, if somebody waits for its beginning, two: one of size 0 that
 * begins it and one behind. The first message of all lets computations begin that wait for nothing
 * else, so that they too get their processor one after another. */
static void write_operation(fc_trace *trace, const operation *o, const uint32_t *processor) {
    const bool two = messages_of(o) == 2;
    const uint32_t first = o->first, last = last_of(o);
    for (uint32_t i = first; i <= last; ++i) {
        trace->messages[i] =
            (fc_trace_message){.source = o->rank, .destination = o->rank, .after = NONE};
        trace->processors[i] = (fc_trace_processor){.number = UINT32_MAX};
    }
    if (two)
        wait_for(trace, last, first);
    if (o->kind == SEND) {
        trace->messages[last].destination = o->peer;
        trace->messages[last].flits = o->size ? (uint32_t)o->size : 1;
    } else if (o->kind == CALC) {
        trace->messages[last].time = o->size;
        trace->processors[first] = (fc_trace_processor){*processor, two ? o->size : 0};
    }
}

/* Numbers the processors in use; operations of a rank are next to each other. Returns how many. */
static uint32_t number_processors(const goal *g, uint32_t *of_operation) {
    uint32_t number[CPUS_MAX], count = 0, rank = NONE;
    for (size_t i = 0; i < g->count; ++i) {
        const operation *o = &g->operations[i];
        if (o->rank != rank)
            memset(number, 0xFF, sizeof number);
        rank = o->rank;
        if (o->kind != CALC)
            continue;
        if (number[o->cpu] == NONE)
            number[o->cpu] = count++;
        of_operation[i] = number[o->cpu];
    }
    return count;
}

static void connect(goal *g, const transfer *sends, const transfer *receives, size_t pairs,
                    const uint32_t *processor) {
    fc_trace *trace = g->trace;
    trace->messages[0] = (fc_trace_message){.after = NONE};
    trace->processors[0] = (fc_trace_processor){.number = UINT32_MAX};
    for (size_t i = 0; i < g->count; ++i)
        write_operation(trace, &g->operations[i], &processor[i]);
    for (size_t i = 0; i < g->requirement_count; ++i) {
        const requirement *r = &g->requirements[i];
        const operation *before = &g->operations[r->before];
        wait_for(trace, g->operations[r->operation].first,
                 r->beginning || before->kind == SEND ? before->first : last_of(before));
    }
    for (size_t i = 0; i < pairs; ++i)
        wait_for(trace, last_of(&g->operations[receives[i].operation]),
                 last_of(&g->operations[sends[i].operation]));
    for (size_t i = 0; i < g->count; ++i) {
        const operation *o = &g->operations[i];
        if (o->kind == CALC && trace->messages[o->first].after == NONE)
            wait_for(trace, o->first, 0);
    }
}

static void name_operation(const void *context, uint32_t message, size_t size, char *text) {
    const goal *g = context;
    size_t low = 0, high = g->count; /* the last one that begins at or before the message */
    while (low + 1 < high) {
        const size_t middle = (low + high) / 2;
        if (g->operations[middle].first <= message)
            low = middle;
        else
            high = middle;
    }
    const operation *o = &g->operations[low];
    snprintf(text, size, "line %u of rank %u", o->line, o->rank);
}

static fc_status build(goal *g, transfer *sends, transfer *receives, uint32_t *processor) {
    fc_trace *trace = g->trace;
    size_t pairs, total = 1;
    fc_status status = match(g, sends, receives, &pairs);
    if (status != FC_OK)
        return status;
    for (size_t i = 0; i < g->count; ++i) {
        g->operations[i].first = (uint32_t)total;
        total += messages_of(&g->operations[i]);
    }
    trace->messages = fc_allocate(total, sizeof *trace->messages);
    trace->processors = fc_allocate(total, sizeof *trace->processors);
    trace->waits = fc_allocate(g->requirement_count + pairs + 1, sizeof *trace->waits);
    if (!trace->messages || !trace->processors || !trace->waits)
        return fc_fail_memory(g->error);
    trace->count = total;
    trace->in_bytes = true;
    trace->largest_node = (uint32_t)g->ranks - 1;
    trace->largest_line = 1;
    for (size_t i = 0; i < g->count && !trace->self_line; ++i) {
        if (g->operations[i].kind == SEND && g->operations[i].peer == g->operations[i].rank)
            trace->self_line = g->operations[i].line;
    }
    trace->processor_count = number_processors(g, processor);
    connect(g, sends, receives, pairs, processor);
    const fc_trace_names names = {.path = g->lines.path, .name = name_operation, .context = g};
    status = fc_trace_refuse_circles(trace, &names, g->error);
    return status == FC_OK ? fc_trace_put_in_order(trace, g->error) : status;
}

static fc_status make_trace(goal *g) {
    const size_t count = g->count ? g->count : 1;
    transfer *sends = fc_allocate(count, sizeof *sends);
    transfer *receives = fc_allocate(count, sizeof *receives);
    uint32_t *processor = fc_allocate(count, sizeof *processor);
    const fc_status status = sends && receives && processor ? build(g, sends, receives, processor)
                                                            : fc_fail_memory(g->error);
    void *const blocks[] = {sends, receives, processor};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        fc_release(blocks[i]);
    return status;
}

fc_status fc_goal_parse(char *text, const char *path, fc_error *error, fc_trace *trace) {
    goal g = {.lines = {.next = text, .path = path, .comment = '\n'},
              .text = text,
              .error = error,
              .rank = NONE,
              .trace = trace};
    fc_status status = FC_OK;
    blank_comments(text);
    for (char *line; status == FC_OK && (line = fc_lines_next(&g.lines));)
        status = read_line(&g, line);
    if (status == FC_OK && g.rank != NONE)
        status = fc_lines_fail(&g.lines, error,
                               "the block of rank %u is not closed by '}': the "
                               "file ends too early",
                               g.rank);
    if (status == FC_OK && !g.count)
        status = fc_lines_fail(&g.lines, error, "no operation");
    if (status == FC_OK)
        status = make_trace(&g);
    void *const blocks[] = {g.seen, g.operations, g.requirements, g.labels};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        fc_release(blocks[i]);
    if (status != FC_OK)
        fc_trace_clear(trace);
    return status;
}
