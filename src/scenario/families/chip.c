#include "scenario/families/chip.h"

#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "scenario/readers.h"
#include "scenario/scenario.h"

static const char *const topologies[] = {"chip", NULL};
static const char *const replays[] = {"open", "closed", NULL};
static const char *const directions[] = {"increasing", "decreasing", NULL};
static const char *const orders[] = {"ascending", "descending", NULL};
static const char *const arbitrations[] = {"round-robin", "oldest", "lowest", NULL};
static const char *const channel_choices[] = {"free", "fixed", NULL};
static const char *const crossbars[] = {"per-link", "per-channel", NULL};
static const char *const datelines[] = {"wrap", "after-wrap", NULL};
static const char *const switches[] = {"no", "yes", NULL};
static const char *const turns[] = {"flit", "packet", NULL};
static const char *const handovers[] = {"taken", "sent", NULL};

/* ---- network.networks ---- */

static fc_status read_name(const fc_document *document, const fc_value *item, const char *what,
                           char name[static FC_NOC_NAME_SIZE], fc_error *error) {
    const fc_value *given = fc_value_member(item, "name");
    if (!given || given->kind != FC_VALUE_SCALAR || !given->text[0] ||
        strlen(given->text) >= FC_NOC_NAME_SIZE || strpbrk(given->text, " \t\"'#,:{}[]"))
        return fc_fail_at(error, document, given ? given : item,
                          "%s: each needs a name, at most %d letters, digits and signs such as _",
                          what, FC_NOC_NAME_SIZE - 1);
    snprintf(name, FC_NOC_NAME_SIZE, "%s", given->text);
    return FC_OK;
}

static fc_status check_list(const fc_document *document, const fc_value *value, const char *what,
                            size_t most, fc_error *error) {
    if (value->kind != FC_VALUE_SEQUENCE || value->count == 0 || value->count > most)
        return fc_fail_at(error, document, value, "%s must be a list of 1 to %zu entries", what,
                          most);
    return FC_OK;
}

static fc_status read_network(const fc_document *document, const fc_value *item,
                              fc_chip_network *network, fc_error *error) {
    static const char what[] = "network.networks";
    static const char *const members[] = {"name", "direction", "order", NULL};
    int direction = 0, order = 0;
    fc_status status = fc_check_members(document, item, what, members, error);
    if (status == FC_OK)
        status = read_name(document, item, what, network->name, error);
    const fc_value *given = status == FC_OK ? fc_value_member(item, "direction") : NULL;
    if (given)
        status = fc_read_choice(document, given, "network.networks.direction", directions, error,
                                &direction);
    given = status == FC_OK ? fc_value_member(item, "order") : NULL;
    if (given)
        status = fc_read_choice(document, given, "network.networks.order", orders, error, &order);
    network->falling = direction == 1;
    network->rows_first = order == 1;
    return status;
}

static fc_status read_networks(const fc_document *document, const fc_value *value, void *field,
                               fc_error *error) {
    fc_chip_networks *list = field;
    fc_status status = check_list(document, value, "network.networks", FC_NOC_NETWORKS_MAX, error);
    for (size_t i = 0; status == FC_OK && i < value->count; ++i) {
        status = read_network(document, value->items[i], &list->network[i], error);
        for (size_t k = 0; status == FC_OK && k < i; ++k) {
            if (strcmp(list->network[k].name, list->network[i].name) == 0)
                status = fc_fail_at(error, document, value->items[i],
                                    "network.networks: two are named '%s'", list->network[i].name);
        }
        list->count = i + 1;
    }
    return status;
}

static void write_networks(const void *field, FILE *stream) {
    const fc_chip_networks *list = field;
    for (size_t i = 0; i < list->count; ++i)
        fprintf(stream, "%s{name: %s, direction: %s, order: %s}", i ? ", " : "[",
                list->network[i].name, directions[list->network[i].falling],
                orders[list->network[i].rows_first]);
    fputs("]", stream);
}

/* ---- network.memories ---- */

static fc_status read_tiles(const fc_document *document, const fc_value *value,
                            fc_chip_memory *memory, fc_error *error) {
    static const char what[] = "network.memories.tiles";
    const fc_range side = {.minimum = 0, .maximum = FC_NOC_SIDE_MAX - 1};
    fc_status status = check_list(document, value, what, FC_CHIP_TILES_MAX, error);
    if (status != FC_OK)
        return status;
    memory->tiles = fc_allocate(value->count, sizeof *memory->tiles);
    if (!memory->tiles)
        return fc_fail_memory(error);
    for (size_t i = 0; status == FC_OK && i < value->count; ++i) {
        fc_integer_list at = {0};
        status = fc_read_integers(document, value->items[i], what, side, error, &at);
        if (status == FC_OK && at.count != 2)
            status = fc_fail_at(error, document, value->items[i],
                                "%s: a tile is [column, row], for example [0, 11]", what);
        memory->tiles[i] = (fc_chip_tile){(uint8_t)at.values[0], (uint8_t)at.values[1]};
        memory->tile_count = i + 1;
    }
    return status;
}

/* A whole number of a memory, if it is given. */
static fc_status read_cycles(const fc_document *document, const fc_value *item, const char *name,
                             fc_range range, fc_error *error, int64_t *number) {
    char what[48];
    snprintf(what, sizeof what, "network.memories.%s", name);
    const fc_value *given = fc_value_member(item, name);
    return given ? fc_read_integer(document, given, what, range, error, number) : FC_OK;
}

static fc_status read_memory_numbers(const fc_document *document, const fc_value *item,
                                     fc_chip_memory *memory, fc_error *error) {
    const fc_range cycles = {.minimum = 0, .maximum = 1e6}, places = {.minimum = 1, .maximum = 1e6};
    const fc_range at_once = {.minimum = 1, .maximum = FC_CHIP_AT_ONCE_MAX};
    const fc_range bandwidth = {.minimum = 1e-3, .maximum = 1e6};
    const fc_value *given = fc_value_member(item, "bandwidth");
    const fc_value *shared = fc_value_member(item, "shared");
    int choice = 0;
    memory->queue = FC_CHIP_QUEUE;
    memory->at_once = 1;
    fc_status status = read_cycles(document, item, "latency", cycles, error, &memory->latency);
    if (status == FC_OK)
        status = read_cycles(document, item, "gap", cycles, error, &memory->gap);
    if (status == FC_OK)
        status = read_cycles(document, item, "queue", places, error, &memory->queue);
    if (status == FC_OK)
        status = read_cycles(document, item, "at_once", at_once, error, &memory->at_once);
    if (status == FC_OK && given)
        status = fc_read_number(document, given, "network.memories.bandwidth", bandwidth, error,
                                &memory->bandwidth);
    if (status == FC_OK && shared)
        status =
            fc_read_choice(document, shared, "network.memories.shared", switches, error, &choice);
    memory->shared = choice == 1;
    if (status == FC_OK && memory->shared && !given)
        status = fc_fail_at(error, document, shared,
                            "network.memories: '%s' shares no bandwidth; give it one, for example "
                            "bandwidth: 64",
                            memory->name);
    return status;
}

static fc_status read_memory(const fc_document *document, const fc_value *item,
                             fc_chip_memory *memory, fc_error *error) {
    static const char what[] = "network.memories";
    static const char *const members[] = {"name",      "latency", "gap",   "queue", "at_once",
                                          "bandwidth", "shared",  "tiles", NULL};
    fc_status status = fc_check_members(document, item, what, members, error);
    if (status == FC_OK)
        status = read_name(document, item, what, memory->name, error);
    if (status == FC_OK && !fc_value_member(item, "latency"))
        status = fc_fail_at(error, document, item,
                            "%s: '%s' has no latency, for example {name: L1, latency: 90, gap: 12}",
                            what, memory->name);
    if (status == FC_OK)
        status = read_memory_numbers(document, item, memory, error);
    const fc_value *tiles = fc_value_member(item, "tiles");
    memory->all = !tiles;
    if (status == FC_OK && tiles)
        status = read_tiles(document, tiles, memory, error);
    return status;
}

static fc_status read_memories(const fc_document *document, const fc_value *value, void *field,
                               fc_error *error) {
    fc_chip_memories *list = field;
    bool others = false;
    fc_status status = check_list(document, value, "network.memories", FC_CHIP_MEMORIES_MAX, error);
    for (size_t i = 0; status == FC_OK && i < value->count; ++i) {
        list->count = i + 1;
        status = read_memory(document, value->items[i], &list->memory[i], error);
        if (status == FC_OK && list->memory[i].all && others)
            status = fc_fail_at(error, document, value->items[i],
                                "network.memories: a second entry without tiles; one at most "
                                "stands for all tiles that the others do not name");
        others |= list->memory[i].all;
    }
    return status;
}

static void write_memories(const void *field, FILE *stream) {
    const fc_chip_memories *list = field;
    for (size_t i = 0; i < list->count; ++i) {
        const fc_chip_memory *memory = &list->memory[i];
        fprintf(stream, "%s{name: %s, latency: %lld, gap: %lld, queue: %lld, at_once: %lld",
                i ? ", " : "[", memory->name, (long long)memory->latency, (long long)memory->gap,
                (long long)memory->queue, (long long)memory->at_once);
        if (memory->bandwidth > 0)
            fprintf(stream, ", bandwidth: %.15g, shared: %s", memory->bandwidth,
                    switches[memory->shared]);
        for (size_t t = 0; t < memory->tile_count; ++t)
            fprintf(stream, "%s[%d, %d]", t ? ", " : ", tiles: [", memory->tiles[t].x,
                    memory->tiles[t].y);
        fputs(memory->all ? "}" : "]}", stream);
    }
    fputs("]", stream);
}

/* ---- keys ---- */

#define FIELD(name) .offset = offsetof(fc_chip, name)
#define CYCLES(least) .minimum = (least), .maximum = 1000

static const fc_key keys[] = {
    {.path = "network.radix",
     .type = FC_KEY_INTEGERS,
     FIELD(radix),
     .minimum = 2,
     .maximum = FC_NOC_SIDE_MAX,
     .help = "[columns, rows] of the grid of tiles"},
    {.path = "network.networks",
     .type = FC_KEY_CUSTOM,
     FIELD(networks),
     .help = "networks side by side, named as in the trace; links lead to the next column and row "
             "(increasing) or the other way, packets go along the row first (ascending) or along "
             "the column first",
     .expected = "a list of {name: NAME, direction: increasing or decreasing, order: ascending or "
                 "descending}",
     .read = read_networks,
     .write = write_networks},
    {.path = "network.flit_bytes",
     .type = FC_KEY_INTEGER,
     FIELD(flit_bytes),
     .minimum = 1,
     .maximum = 4096,
     .fallback = "32",
     .help = "bytes of a flit; a link carries one flit per cycle"},
    {.path = "network.packet_bytes",
     .type = FC_KEY_INTEGER,
     FIELD(packet_bytes),
     .minimum = 1,
     .maximum = 1 << 20,
     .fallback = "8192",
     .help =
         "data that a packet carries at most, behind its header flit; a longer read is several"},
    {.path = "network.link_delay",
     .type = FC_KEY_INTEGER,
     FIELD(link_delay),
     CYCLES(1),
     .fallback = "1",
     .help = "cycles of a flit from a router to the next; a header takes one more"},
    {.path = "network.node_delay",
     .type = FC_KEY_INTEGER,
     FIELD(node_delay),
     CYCLES(1),
     .fallback = "1",
     .help = "cycles of a flit between a tile and its router"},
    {.path = "network.credit_delay",
     .type = FC_KEY_INTEGER,
     FIELD(credit_delay),
     CYCLES(1),
     .fallback = "1",
     .help = "cycles until a place that a flit left can be filled again from upstream"},
    {.path = "network.buffer",
     .type = FC_KEY_INTEGER,
     FIELD(buffer),
     .minimum = 1,
     .maximum = 1024,
     .fallback = "16",
     .help = "flits of a virtual channel, those on the link to it included"},
    {.path = "network.request_channels",
     .type = FC_KEY_INTEGER,
     FIELD(request_channels),
     .minimum = 1,
     .maximum = FC_CHIP_CLASS_MAX,
     .fallback = "1",
     .help = "virtual channels of requests before the dateline; as many behind it"},
    {.path = "network.reply_channels",
     .type = FC_KEY_INTEGER,
     FIELD(reply_channels),
     .minimum = 1,
     .maximum = FC_CHIP_CLASS_MAX,
     .fallback = "1",
     .help = "virtual channels of data before the dateline; as many behind it"},
    {.path = "network.arbitration",
     .type = FC_KEY_CHOICE,
     FIELD(arbitration),
     .choices = arbitrations,
     .fallback = "round-robin",
     .help = "which of the headers that wait at a router for the same link goes first: of its "
             "inputs in turn, the one that waits longest, or the one of the lowest input"},
    {.path = "network.channel_choice",
     .type = FC_KEY_CHOICE,
     FIELD(channel_choice),
     .choices = channel_choices,
     .fallback = "free",
     .help = "free: a packet takes the free channel with the most places at every hop; fixed: "
             "the same everywhere, by its number"},
    {.path = "network.crossbar",
     .type = FC_KEY_CHOICE,
     FIELD(crossbar),
     .choices = crossbars,
     .fallback = "per-link",
     .help = "what a router sends on of the flits that came by one link in a cycle: one, or one of "
             "each channel"},
    {.path = "network.dateline",
     .type = FC_KEY_CHOICE,
     FIELD(dateline),
     .choices = datelines,
     .fallback = "wrap",
     .help = "from which link on a packet takes the second half of the channels: the wrap-around "
             "link of a ring, or the one after it"},
    {.path = "network.link_turns",
     .type = FC_KEY_CHOICE,
     FIELD(link_turns),
     .choices = turns,
     .fallback = "flit",
     .help =
         "whether the channels of a link take turns after every flit, or after a packet or when "
         "it has none to send"},
    {.path = "network.tile_handover",
     .type = FC_KEY_CHOICE,
     FIELD(tile_handover),
     .choices = handovers,
     .fallback = "taken",
     .help = "when a request's channel into a tile is free for the next request: when the memory's "
             "queue has taken it, or when it is sent"},
    {.path = "network.barrier_delay",
     .type = FC_KEY_INTEGER,
     FIELD(barrier_delay),
     CYCLES(0),
     .fallback = "0",
     .help = "cycles from the arrival of the last data until a processor has passed its barrier"},
    {.path = "network.memories",
     .type = FC_KEY_CUSTOM,
     FIELD(memories),
     .help = "memories of tiles: cycles until data begin to leave, cycles between the data of two "
             "reads, requests that wait there (of each network; further ones wait in the "
             "network), reads served at once, bytes per cycle read and written in all networks "
             "together (shared: yes: of all its tiles together); without tiles: of all that no "
             "other names",
     .expected = "a list of {name: NAME, latency: CYCLES, gap: CYCLES, queue: REQUESTS, at_once: "
                 "READS, bandwidth: BYTES, tiles: [[COLUMN, ROW], ...]}",
     .whole = "latency gap queue at_once",
     .read = read_memories,
     .write = write_memories},
    {.path = "traffic.workload",
     .type = FC_KEY_CUSTOM,
     FIELD(trace),
     .help = "what the chip's processors read and write, from a trace in JSON",
     .expected = "{noc-trace: FILE}",
     .read = fc_noc_trace_read,
     .write = fc_noc_trace_write},
    {.path = "traffic.replay",
     .type = FC_KEY_CHOICE,
     FIELD(replay),
     .choices = replays,
     .fallback = "open",
     .help =
         "open: transfers begin when they did in the trace; closed: a processor goes on after the "
         "simulated end of its barrier, as long after it as in the trace"},
    {0},
};

/* ---- what must agree ---- */

static fc_status place_memories(const fc_scenario *scenario, fc_chip *chip, fc_error *error) {
    chip->memory_of = fc_allocate(chip->tiles, 1);
    if (!chip->memory_of)
        return fc_fail_memory(error);
    memset(chip->memory_of, UINT8_MAX, chip->tiles);
    for (size_t i = 0; i < chip->memories.count; ++i) {
        const fc_chip_memory *memory = &chip->memories.memory[i];
        for (size_t t = 0; t < memory->tile_count; ++t) {
            const fc_chip_tile at = memory->tiles[t];
            if (at.x >= chip->columns || at.y >= chip->rows)
                return fc_scenario_fail_key(scenario, "network.memories", error,
                                            "network.memories: tile [%d, %d] of %s lies outside "
                                            "the %u x %u tiles of network.radix",
                                            at.x, at.y, memory->name, chip->columns, chip->rows);
            uint8_t *place = &chip->memory_of[fc_chip_tile_at(chip, at.x, at.y)];
            if (*place != UINT8_MAX)
                return fc_scenario_fail_key(scenario, "network.memories", error,
                                            "network.memories: tile [%d, %d] is named twice", at.x,
                                            at.y);
            *place = (uint8_t)i;
        }
    }
    for (size_t i = 0; i < chip->memories.count; ++i) {
        for (uint32_t t = 0; t < chip->tiles && chip->memories.memory[i].all; ++t) {
            if (chip->memory_of[t] == UINT8_MAX)
                chip->memory_of[t] = (uint8_t)i;
        }
    }
    return FC_OK;
}

/* The names of the trace become the chip's own numbers. */
static fc_status match_networks(const fc_scenario *scenario, fc_chip *chip, fc_error *error) {
    fc_noc_trace *trace = &chip->trace;
    uint8_t number[FC_NOC_NETWORKS_MAX] = {0};
    for (size_t n = 0; n < trace->network_count; ++n) {
        size_t k = 0;
        while (k < chip->networks.count &&
               strcmp(chip->networks.network[k].name, trace->networks[n].text) != 0)
            ++k;
        if (k == chip->networks.count)
            return fc_scenario_fail_key(
                scenario, "traffic.workload", error,
                "%s:%zu: the chip has no network '%s'; network.networks names those it has",
                trace->file, trace->networks[n].line, trace->networks[n].text);
        number[n] = (uint8_t)k;
    }
    for (uint32_t i = 0; i < trace->transfer_count; ++i)
        trace->transfers[i].network = number[trace->transfers[i].network];
    for (uint32_t b = 0; b < trace->barrier_count; ++b)
        trace->barriers[b].network = number[trace->barriers[b].network];
    return FC_OK;
}

static fc_status check_places(const fc_scenario *scenario, const fc_chip *chip, fc_error *error) {
    const fc_noc_trace *trace = &chip->trace;
    if (trace->largest_x >= chip->columns || trace->largest_y >= chip->rows) {
        const bool column = trace->largest_x >= chip->columns;
        return fc_scenario_fail_key(
            scenario, "traffic.workload", error,
            "%s:%zu: %s %d lies outside the %u x %u tiles of network.radix", trace->file,
            column ? trace->largest_x_line : trace->largest_y_line, column ? "column" : "row",
            column ? trace->largest_x : trace->largest_y, chip->columns, chip->rows);
    }
    for (uint32_t i = 0; i < trace->transfer_count; ++i) {
        const fc_noc_transfer *transfer = &trace->transfers[i];
        const uint64_t packets = fc_chip_packet_count(chip, transfer);
        for (uint64_t k = 0; k < packets && k < FC_NOC_SIDE_MAX; ++k) {
            const uint32_t home = fc_chip_packet_at(chip, transfer, k).home;
            if (chip->memory_of[home] == UINT8_MAX)
                return fc_scenario_fail_key(
                    scenario, "network.memories", error,
                    "network.memories: %s %s tile [%u, %u], which has no memory", trace->file,
                    transfer->kind == FC_NOC_READ ? "reads from" : "writes to",
                    home % chip->columns, home / chip->columns);
        }
    }
    return FC_OK;
}

static uint32_t steps_between(uint32_t from, uint32_t to, uint32_t side, bool falling) {
    return (falling ? from + side - to : to + side - from) % side;
}

/* Packets that a multicast sends at a time. */
static uint32_t branches_of(const fc_chip *chip, const fc_noc_transfer *transfer) {
    const fc_chip_network *network = &chip->networks.network[transfer->network];
    return 1 + (network->rows_first
                    ? steps_between(transfer->y, transfer->end_y, chip->rows, network->falling)
                    : steps_between(transfer->x, transfer->end_x, chip->columns, network->falling));
}

uint64_t fc_chip_packet_count(const fc_chip *chip, const fc_noc_transfer *transfer) {
    const uint64_t most = (uint64_t)chip->packet_bytes;
    return (transfer->bytes + most - 1) / most * branches_of(chip, transfer);
}

static uint32_t step_on(uint32_t from, uint32_t steps, uint32_t side, bool falling) {
    return (falling ? from + side - steps : from + steps) % side;
}

fc_chip_packet fc_chip_packet_at(const fc_chip *chip, const fc_noc_transfer *transfer,
                                 uint64_t number) {
    const fc_chip_network *network = &chip->networks.network[transfer->network];
    const fc_noc_processor *from = &chip->trace.processors[transfer->processor];
    const uint32_t branches = branches_of(chip, transfer);
    const uint32_t branch = (uint32_t)(number % branches);
    const uint64_t most = (uint64_t)chip->packet_bytes, flit = (uint64_t)chip->flit_bytes;
    const uint64_t left = transfer->bytes - number / branches * most;
    const uint32_t flits = 1 + (uint32_t)(((left < most ? left : most) + flit - 1) / flit);
    uint32_t x = transfer->end_x, y = transfer->end_y;
    if (network->rows_first)
        y = step_on(transfer->y, branch, chip->rows, network->falling);
    else
        x = step_on(transfer->x, branch, chip->columns, network->falling);
    const bool reads = transfer->kind == FC_NOC_READ;
    return (fc_chip_packet){.source = (uint16_t)fc_chip_tile_at(chip, from->x, from->y),
                            .home = (uint16_t)fc_chip_tile_at(chip, x, y),
                            .there = reads ? 1 : flits,
                            .back = reads ? flits : 1};
}

fc_status fc_chip_count_packets(const fc_chip *chip, fc_error *error, uint32_t *count) {
    uint64_t packets = 0;
    for (uint32_t i = 0; i < chip->trace.transfer_count; ++i)
        packets += fc_chip_packet_count(chip, &chip->trace.transfers[i]);
    if (packets > FC_NOC_TRANSFERS_MAX)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the transfers of %.200s are %llu packets; at most %d are followed",
                       chip->trace.file, (unsigned long long)packets, FC_NOC_TRANSFERS_MAX);
    *count = (uint32_t)packets;
    return FC_OK;
}

static fc_status finish(const fc_scenario *scenario, void *parameters, fc_error *error) {
    fc_chip *chip = parameters;
    if (chip->radix.count != 2)
        return fc_scenario_fail_key(scenario, "network.radix", error,
                                    "network.radix has %zu entries; a chip has [columns, rows]",
                                    chip->radix.count);
    chip->columns = (uint32_t)chip->radix.values[0];
    chip->rows = (uint32_t)chip->radix.values[1];
    chip->tiles = chip->columns * chip->rows;
    fc_status status = place_memories(scenario, chip, error);
    if (status == FC_OK)
        status = match_networks(scenario, chip, error);
    return status == FC_OK ? check_places(scenario, chip, error) : status;
}

static void release(void *parameters) {
    fc_chip *chip = parameters;
    fc_noc_trace_clear(&chip->trace);
    for (size_t i = 0; i < chip->memories.count; ++i)
        fc_release(chip->memories.memory[i].tiles);
    fc_release(chip->memory_of);
}

double fc_chip_measured(const fc_chip *chip) {
    return (double)chip->trace.length - (double)chip->barrier_delay;
}

static const char *main_metric(const void *parameters) {
    (void)parameters;
    return "duration";
}

static const char *load_key(const void *parameters) {
    (void)parameters;
    return NULL;
}

static double nodes(const void *parameters) {
    return ((const fc_chip *)parameters)->tiles;
}

const fc_family fc_chip_family = {
    .name = "chip",
    .topologies = topologies,
    .keys = keys,
    .parameter_size = sizeof(fc_chip),
    .topology_offset = offsetof(fc_chip, topology),
    .finish = finish,
    .release = release,
    .main_metric = main_metric,
    .load_key = load_key,
    .nodes = nodes,
};
