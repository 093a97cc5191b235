/* Chips: what their traces may hold, hand-computed times, and the rules that every run keeps. */
#include "chip_support.h"

#include "base/random.h"
#include "scenario/scenario_numbers.h"
#include "simulators/chip/chip_network.h"

static const char tight[] =
    "network:\n"
    "  topology: chip\n"
    "  radix: [4, 3]\n"
    "  networks: [{name: A}, {name: B, direction: decreasing, order: descending}]\n"
    "  link_delay: 3\n"
    "  credit_delay: 2\n"
    "  buffer: 2\n"
    "  reply_channels: 2\n"
    "  packet_bytes: 256\n"
    "  memories:\n"
    "    - {name: L1, latency: 7, queue: 1, bandwidth: 40}\n"
    "    - {name: DRAM, latency: 40, gap: 9, queue: 1, at_once: 2, tiles: [[0, 0]]}\n"
    "traffic: {workload: {noc-trace: /nowhere}}\n";

static uint64_t duration(fc_scenario *scenario) {
    fc_error error;
    fc_chip_run *run = NULL;
    assert_int_equal(fc_chip_run_create(scenario->parameters, &error, &run), FC_OK);
    fc_chip_run_advance(run, 1000000);
    assert_true(fc_chip_run_done(run));
    const uint64_t ended = run->ended;
    fc_chip_run_free(run);
    return ended;
}

static void expect(const char *events, uint64_t cycles) {
    fc_scenario *scenario = with_trace(small, events);
    assert_int_equal(duration(scenario), cycles);
    fc_scenario_free(scenario);
}

/* The same with other memories. */
static void expect_with(const fc_chip_memory *memory, const char *events, uint64_t cycles) {
    fc_scenario *scenario = with_trace(small, events);
    fc_chip *chip = scenario->parameters;
    fc_chip_memory *own = &chip->memories.memory[0];
    own->latency = memory->latency;
    own->gap = memory->gap;
    own->queue = memory->queue;
    own->at_once = memory->at_once;
    own->bandwidth = memory->bandwidth;
    assert_int_equal(duration(scenario), cycles);
    fc_scenario_free(scenario);
}

/* A header takes 2 cycles into its router, 1 + 3 for each link, 1 + 2 out of the last router; to
 * its own tile as well. There and back are once around every ring that is used. 64 bytes are 3
 * flits, the header included. */
static void a_read_alone_takes_what_the_rules_say(void **state) {
    (void)state;
    expect(EVENT("0", "A", "0", "0", "64", "50"), 5 + 5 + 7 + 2);
    expect(EVENT("0", "A", "1", "0", "64", "50"), 5 + 5 + 4 * 4 + 7 + 2);
    expect(EVENT("0", "B", "1", "0", "64", "50"), 5 + 5 + 4 * 4 + 7 + 2);
    expect(EVENT("0", "A", "0", "2", "64", "50"), 5 + 5 + 3 * 4 + 7 + 2);
    expect(EVENT("0", "A", "3", "2", "64", "50"), 5 + 5 + 7 * 4 + 7 + 2);
    expect(EVENT("0", "B", "3", "2", "33", "50"), 5 + 5 + 7 * 4 + 7 + 2);
    expect(EVENT("0", "B", "3", "2", "32", "50"), 5 + 5 + 7 * 4 + 7 + 1);
}

/* The second read's data leave 4 cycles after the first one's last flit; a read of 512 bytes is two
 * packets of 9 flits. */
static void a_memory_serves_one_read_at_a_time(void **state) {
    (void)state;
    expect(EVENT("0", "A", "0", "0", "64", "50") "," EVENT("0", "A", "0", "0", "64", "50"),
           5 + 7 + 3 + 4 + 5 + 2);
    expect(EVENT("0", "A", "0", "0", "512", "50"), 5 + 7 + 9 + 4 + 5 + 8);
    /* the other network has an interface of its own */
    expect(EVENT("0", "A", "0", "0", "64", "50") "," EVENT("0", "B", "0", "0", "64", "50"),
           5 + 5 + 7 + 2);
}

/* Two at once: the request of the second comes three cycles after that of the first (which keeps
 * its channel into the tile until it is taken), and so do its data: 9 + 9 flits share the way. */
static void a_memory_may_serve_two_reads_at_once(void **state) {
    (void)state;
    static const char two[] =
        EVENT("0", "A", "0", "0", "256", "50") "," EVENT("0", "A", "0", "0", "256", "50");
    const fc_chip_memory one = {.latency = 7, .gap = 4, .queue = 2, .at_once = 1};
    fc_chip_memory both = one;
    both.at_once = 2;
    expect_with(&one, two, 5 + 7 + 9 + 4 + 5 + 8);
    /* one channel: the second packet follows the first without the gap */
    expect_with(&both, two, 5 + 7 + 9 + 5 + 8);
}

/* Three requests come 5, 8 and 11 cycles after the first was asked for, if there is room. Data
 * begin to leave after 20 cycles and 4 cycles after those before: 25, 32, 39. With room for one
 * request the third is taken when the second is begun, in cycle 32: 52. The last of 3 flits comes 7
 * cycles after the header leaves. */
static void requests_wait_while_a_memory_is_full(void **state) {
    (void)state;
    static const char three[] = EVENT("0", "A", "0", "0", "64", "50") "," EVENT(
        "0", "A", "0", "0", "64", "50") "," EVENT("0", "A", "0", "0", "64", "50");
    fc_chip_memory memory = {.latency = 20, .gap = 4, .queue = 2, .at_once = 1};
    expect_with(&memory, three, 39 + 7);
    memory.queue = 1;
    expect_with(&memory, three, 52 + 7);
}

/* The header leaves in cycle 16; until then 64 bytes have been saved at 4 bytes a cycle. The 8
 * flits of data leave in the cycles 17, 18 and, for lack of bandwidth, 24, 32, 40, 48, 56, 64, and
 * not in 17 to 24. */
static void data_leave_as_the_bandwidth_of_the_memory_allows(void **state) {
    (void)state;
    static const char one[] = EVENT("0", "A", "1", "0", "256", "50");
    fc_chip_memory memory = {.latency = 7, .gap = 4, .queue = 2, .at_once = 1};
    expect_with(&memory, one, 5 + 5 + 4 * 4 + 7 + 8);
    memory.bandwidth = 4;
    expect_with(&memory, one, 64 + 2 + 3 * 3 + 2);
}

/* Two packets that share the last link into a tile alternate on it, flit by flit: 9 flits each from
 * tiles 1 and 2, whose data come 4 cycles apart (one link), end after 2 x 9 flits in all. */
static void packets_share_a_link(void **state) {
    (void)state;
    static const char both[] =
        EVENT("0", "A", "2", "0", "256", "50") "," EVENT("0", "B", "2", "0", "256", "50");
    expect(both, 5 + 5 + 4 * 4 + 7 + 8); /* not on different networks */
    fc_scenario *scenario = with_trace(
        small, EVENT("0", "A", "2", "0", "256", "50") "," EVENT("0", "A", "3", "0", "256", "50"));
    fc_error error;
    fc_chip_run *run = NULL;
    assert_int_equal(fc_chip_run_create(scenario->parameters, &error, &run), FC_OK);
    fc_chip_run_advance(run, 1000);
    assert_true(fc_chip_run_done(run));
    /* The requests leave one cycle after another, once around takes both 16 cycles: the data come
     * one cycle apart, and 18 flits take 18 cycles from the first header on. */
    assert_int_equal(run->ended, 5 + 5 + 4 * 4 + 7 + 17);
    assert_int_equal(run->links[0 * FC_CHIP_KINDS + FC_CHIP_EJECT].carried, 18);
    fc_chip_run_free(run);
    fc_scenario_free(scenario);
}

#define READ_AT(x, y, dx, dy)                                                                      \
    "{\"proc\": \"P\", \"noc\": \"A\", \"sx\": " x ", \"sy\": " y ", \"dx\": " dx ", \"dy\": " dy  \
    ", \"num_bytes\": 256, \"type\": \"READ\", \"timestamp\": 50}"
#define FOUR(read) read "," read "," read "," read

/* Two packets of 9 flits on two channels of one link, the second's header a cycle behind: flit by
 * flit both end after 18 flits; packet by packet the first ends after 9, as if it were alone. */
static void channels_of_a_link_take_turns(void **state) {
    (void)state;
    const uint64_t alone = 5 + 5 + 4 * 4 + 7 + 8;
    for (int turns = FC_TURNS_FLIT; turns <= FC_TURNS_PACKET; ++turns) {
        fc_scenario *scenario = with_trace(small, EVENT("0", "A", "2", "0", "256", "50") "," EVENT(
                                                      "0", "A", "3", "0", "256", "50"));
        fc_error error;
        fc_chip_run *run = NULL;
        fc_chip *chip = scenario->parameters;
        chip->reply_channels = 2;
        chip->link_turns = turns;
        assert_int_equal(fc_chip_run_create(chip, &error, &run), FC_OK);
        fc_chip_run_advance(run, 1000);
        assert_true(fc_chip_run_done(run));
        assert_int_equal(run->ended, alone + 9);
        /* the latencies of both together */
        const uint64_t second = alone + 9;
        assert_float_equal(run->latency_sum,
                           (double)(second + (turns == FC_TURNS_PACKET ? alone : alone + 8)), 1e-9);
        fc_chip_run_free(run);
        fc_scenario_free(scenario);
    }
}

/* Tiles [1, 1] and [2, 0] ask tile [2, 1] for four reads each; their requests meet before the
 * channel into it, one comes along the row and one along the column. In turn, they end one after
 * the other; the lowest input first, those along the row are served before. */
static void inputs_of_a_router_go_as_the_arbitration_says(void **state) {
    (void)state;
    for (int arbitration = FC_ARBITRATION_ROUND_ROBIN; arbitration <= FC_ARBITRATION_LOWEST;
         ++arbitration) {
        fc_scenario *scenario = with_trace(
            small, FOUR(READ_AT("2", "0", "2", "1")) "," FOUR(READ_AT("1", "1", "2", "1")));
        fc_error error;
        fc_chip_run *run = NULL;
        fc_chip *chip = scenario->parameters;
        chip->arbitration = arbitration;
        chip->memories.memory[0].queue = 1;
        assert_int_equal(fc_chip_run_create(chip, &error, &run), FC_OK);
        fc_chip_run_advance(run, 10000);
        assert_true(fc_chip_run_done(run));
        const int64_t service = 9 + 4;
        const int64_t apart = (int64_t)run->barrier_end[0] - (int64_t)run->barrier_end[1];
        if (arbitration == FC_ARBITRATION_LOWEST)
            assert_true(apart > 2 * service);
        else
            assert_true(apart < 2 * service && apart > -2 * service);
        fc_chip_run_free(run);
        fc_scenario_free(scenario);
    }
}

/* The link out of column 0 crosses it, or the one into it; falling networks likewise from the other
 * end. */
static void the_dateline_lies_where_it_is_said_to(void **state) {
    (void)state;
    fc_scenario *scenario = with_trace(small, EVENT("0", "A", "1", "0", "64", "50"));
    fc_chip *chip = scenario->parameters;
    for (int dateline = FC_DATELINE_AT; dateline <= FC_DATELINE_AFTER; ++dateline) {
        fc_error error;
        fc_chip_run *run = NULL;
        chip->dateline = dateline;
        assert_int_equal(fc_chip_run_create(chip, &error, &run), FC_OK);
        for (uint32_t x = 0; x < 4; ++x) {
            const bool after = dateline == FC_DATELINE_AFTER;
            const fc_chip_link *rising = &run->links[x * FC_CHIP_KINDS + FC_CHIP_ALONG_ROW];
            const fc_chip_link *falling = &run->links[(12 + x) * FC_CHIP_KINDS + FC_CHIP_ALONG_ROW];
            assert_int_equal(rising->crosses, x == (after ? 0 : 3));
            assert_int_equal(falling->crosses, x == (after ? 3 : 0));
        }
        fc_chip_run_free(run);
    }
    fc_scenario_free(scenario);
}

/* Closed: the second read begins as long after the simulated end of the barrier as it did after the
 * measured one. */
static void a_barrier_moves_what_follows(void **state) {
    (void)state;
    fc_scenario *scenario = with_trace(
        small, EVENT("0", "A", "0", "0", "64", "50") "," BARRIER("0", "START", "60") "," BARRIER(
                   "0", "END", "150") "," EVENT("0", "A", "0", "0", "64", "160"));
    assert_int_equal(duration(scenario), 160 - 50 + 19);
    fc_chip *chip = scenario->parameters;
    chip->replay = FC_REPLAY_CLOSED;
    assert_int_equal(duration(scenario), 19 + 5 + (160 - 150) + 19);
    assert_float_equal(fc_chip_measured(chip), 160 - 50 - 5, 1e-9);
    fc_scenario_free(scenario);
}

/* The data go there, and a flit comes back: 3 flits after 7 cycles of memory. */
static void a_write_takes_as_long_as_a_read(void **state) {
    (void)state;
    expect(WRITE("A", "1", "0", "64", "50"), 5 + 5 + 4 * 4 + 7 + 2);
    expect(WRITE("B", "3", "2", "33", "50"), 5 + 5 + 7 * 4 + 7 + 2);
    expect(WRITE("A", "0", "0", "64", "50"), 5 + 5 + 7 + 2);
    /* two packets of 9 flits: the second begins when the first has left, and its header waits 2
     * cycles until the tile has taken the last flit of the first */
    expect(WRITE("A", "1", "0", "512", "50"), 9 + 2 + 5 + 5 + 4 * 4 + 7 + 8);
}

/* A packet to the last tile of each column, on B of each row; the second leaves 3 flits later. */
static void a_multicast_goes_to_every_column_of_its_rectangle(void **state) {
    (void)state;
    expect(MULTICAST("A", "1", "0", "2", "1"), 3 + 5 + 5 + 7 * 4 + 7 + 2);
    fc_scenario *scenario = with_trace(
        small, MULTICAST("A", "3", "2", "0", "1") "," MULTICAST("B", "0", "1", "3", "0"));
    const fc_chip *chip = scenario->parameters;
    const fc_noc_transfer *along = &chip->trace.transfers[0], *down = &chip->trace.transfers[1];
    assert_int_equal(fc_chip_packet_count(chip, along), 2); /* columns 3 and 0 */
    assert_int_equal(fc_chip_packet_at(chip, along, 0).home, fc_chip_tile_at(chip, 3, 1));
    assert_int_equal(fc_chip_packet_at(chip, along, 1).home, fc_chip_tile_at(chip, 0, 1));
    assert_int_equal(fc_chip_packet_count(chip, down), 2); /* rows 1 and 0 */
    assert_int_equal(fc_chip_packet_at(chip, down, 0).home, fc_chip_tile_at(chip, 3, 1));
    assert_int_equal(fc_chip_packet_at(chip, down, 1).home, fc_chip_tile_at(chip, 3, 0));
    assert_int_equal(fc_chip_packet_at(chip, down, 1).there, 3);
    fc_scenario_free(scenario);
}

/* Reads and writes have barriers of their own; what follows waits for those that were passed. */
static void barriers_of_reads_and_of_writes_are_apart(void **state) {
    (void)state;
    static const char events[] =
        EVENT("0", "A", "1", "0", "64", "50") "," WRITE("A", "0", "0", "64", "52") "," OTHER(
            "WRITE_BARRIER_START", "",
            "60") "," OTHER("WRITE_BARRIER_END", "",
                            "80") "," OTHER("SEMAPHORE_SET", "", "85") "," EVENT("0", "A", "0", "0",
                                                                                 "64", "90");
    fc_scenario *scenario = with_trace(small, events);
    fc_chip *chip = scenario->parameters;
    assert_int_equal(chip->trace.barrier_count, 2);
    assert_int_equal(chip->trace.marks, 1);
    assert_int_equal(chip->trace.transfers[2].barrier, chip->trace.transfers[0].barrier);
    assert_int_equal(chip->trace.transfers[2].after, chip->trace.transfers[1].barrier);
    chip->replay = FC_REPLAY_CLOSED;
    /* the write is acknowledged 19 cycles after it was begun, and the read comes 10 after that */
    assert_int_equal(duration(scenario), 2 + 19 + 5 + 10 + 19);
    fc_scenario_free(scenario);
}

static void a_transfer_may_use_a_state(void **state) {
    (void)state;
    fc_scenario *scenario = with_trace(
        small, OTHER("WRITE_SET_STATE", ", \"dx\": 1, \"dy\": 0, \"num_bytes\": 0", "40") "," OTHER(
                   "WRITE_WITH_STATE", ", \"noc\": \"A\", \"num_bytes\": 64", "50"));
    const fc_chip *chip = scenario->parameters;
    assert_int_equal(chip->trace.transfer_count, 1);
    assert_int_equal(chip->trace.transfers[0].x, 1);
    assert_int_equal(chip->trace.transfers[0].bytes, 64);
    assert_int_equal(duration(scenario), 10 + 5 + 5 + 4 * 4 + 7 + 2);
    fc_scenario_free(scenario);
}

/* Two processors of a core, the second one cycle later on another network: each has its own
 * barrier, and neither waits for the other; on the same network the second one's data follow the
 * first one's, 3 flits and the gap of 4. */
static void two_processors_of_a_core(void **state) {
    (void)state;
#define PROCESSOR(name, noc, time)                                                                 \
    "{\"proc\": \"" name "\", \"noc\": \"" noc "\", \"sx\": 0, \"sy\": 0, \"dx\": 1, \"dy\": 0, "  \
    "\"num_bytes\": 64, \"type\": \"READ\", \"timestamp\": " time "}"
    static const char *const second[] = {PROCESSOR("Q", "B", "51"), PROCESSOR("Q", "A", "51")};
    const uint64_t alone = 5 + 5 + 4 * 4 + 7 + 2;
    for (size_t i = 0; i < 2; ++i) {
        char events[400];
        snprintf(events, sizeof events, "%s,%s", PROCESSOR("P", "A", "50"), second[i]);
        fc_scenario *scenario = with_trace(small, events);
        fc_error error;
        fc_chip_run *run = NULL;
        assert_int_equal(fc_chip_run_create(scenario->parameters, &error, &run), FC_OK);
        fc_chip_run_advance(run, 1000);
        assert_true(fc_chip_run_done(run));
        assert_int_equal(run->barrier_end[0], alone);
        assert_int_equal(run->barrier_end[1], i == 0 ? 1 + alone : alone + 3 + 4);
        fc_chip_run_free(run);
        fc_scenario_free(scenario);
    }
}

/* Places of memories are no quantities that a study could move. */
static void its_numbers_are_quantities(void **state) {
    (void)state;
    fc_scenario_value list[64];
    fc_scenario *scenario = with_trace(tight, EVENT("0", "A", "1", "0", "64", "50"));
    const size_t count = fc_scenario_numbers(scenario, list, 64);
    bool bandwidth = false;
    for (size_t i = 0; i < count; ++i) {
        assert_null(strstr(list[i].key, "tiles"));
        const bool found = strcmp(list[i].key, "network.memories.0.bandwidth") == 0;
        bandwidth |= found && !list[i].whole;
    }
    assert_true(bandwidth);
    fc_scenario_free(scenario);
}

/* ---- random traces ---- */

static char *random_events(uint64_t seed, size_t count) {
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    fc_random random = fc_random_stream(seed, 0, 0);
    for (size_t i = 0; i < count; ++i) {
        const unsigned x = (unsigned)(i % 4), y = (unsigned)(i / 4 % 3);
        fprintf(stream,
                "%s{\"proc\": \"P\", \"noc\": \"%s\", \"sx\": %u, \"sy\": %u, \"dx\": %u, \"dy\": "
                "%u, \"num_bytes\": %u, \"type\": \"%s\", \"timestamp\": %zu}",
                i ? ",\n" : "", fc_random_below(&random, 2) ? "A" : "B", x, y,
                (unsigned)fc_random_below(&random, 4), (unsigned)fc_random_below(&random, 3),
                1 + (unsigned)fc_random_below(&random, 700),
                fc_random_below(&random, 3) ? "READ" : "WRITE_", i / 3);
    }
    fclose(stream);
    return text;
}

/* Cycle by cycle: no link carries two flits in one. */
static void run_watching_links(fc_chip_run *run) {
    uint64_t *before = calloc(run->link_count, sizeof *before);
    assert_non_null(before);
    for (uint64_t cycle = 1; !fc_chip_run_done(run); ++cycle) {
        assert_true(cycle < 1000000);
        fc_chip_run_advance(run, cycle);
        for (uint32_t l = 0; l < run->link_count; ++l) {
            assert_true(run->links[l].carried - before[l] <= 1);
            before[l] = run->links[l].carried;
        }
    }
    free(before);
}

/* Another choice of rules for every seed; all are met. */
static void set_rules(fc_chip *chip, uint64_t seed) {
    chip->arbitration = (int)(seed % 3);
    chip->channel_choice = (int)(seed / 2 % 2);
    chip->crossbar = (int)(seed / 4 % 2);
    chip->dateline = (int)(seed / 3 % 2);
    chip->tile_handover = (int)(seed / 5 % 2);
    chip->link_turns = (int)(seed / 7 % 2);
    chip->memories.memory[0].shared = seed % 2;
}

static void every_transfer_is_answered_once(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 24; ++seed) {
        char *events = random_events(seed, 300);
        fc_scenario *scenario = with_trace(tight, events);
        set_rules(scenario->parameters, seed);
        fc_error error;
        fc_chip_run *run = NULL, *again = NULL;
        assert_int_equal(fc_chip_run_create(scenario->parameters, &error, &run), FC_OK);
        assert_int_equal(fc_chip_run_create(scenario->parameters, &error, &again), FC_OK);
        run_watching_links(run);
        uint64_t flits = 0, into_tiles = 0;
        for (uint32_t p = 0; p < run->part_count; ++p) {
            assert_int_equal(run->parts[p].stage, FC_PART_DONE);
            flits += run->parts[p].there + run->parts[p].back;
        }
        for (uint32_t l = FC_CHIP_EJECT; l < run->link_count; l += FC_CHIP_KINDS)
            into_tiles += run->links[l].carried;
        assert_int_equal(into_tiles, flits);
        assert_true(run->transfers_done == 300);
        /* in other stretches, the same */
        while (!fc_chip_run_done(again))
            fc_chip_run_advance(again, again->time + 97);
        assert_int_equal(again->ended, run->ended);
        assert_memory_equal(again->barrier_end, run->barrier_end,
                            ((const fc_chip *)scenario->parameters)->trace.barrier_count *
                                sizeof *run->barrier_end);
        fc_chip_run_free(run);
        fc_chip_run_free(again);
        fc_scenario_free(scenario);
        free(events);
    }
}

/* ---- what is refused ---- */

static void refuse(const char *text, const char *reason) {
    fc_noc_trace trace = {.transfer_count = 0};
    fc_error error;
    assert_int_not_equal(fc_noc_trace_parse(text, "t.json", &error, &trace), FC_OK);
    must_say(error.text, reason);
    fc_noc_trace_clear(&trace);
}

static void a_trace_is_refused_with_its_line(void **state) {
    (void)state;
    refuse("{}", "t.json:1: expected a JSON array");
    refuse("[]", "t.json: none of its 0 events is a READ");
    refuse("[\n3]", "t.json:2: event 1: ");
    refuse("[\n[3]]", "t.json:2: event 1 is no object");
    refuse("[\n{\"proc\": \"P\"}]", "t.json:2: event 1 has no \"timestamp\"");
    refuse("[" EVENT("0", "A", "1", "0", "64", "50") ",\n\n{\"proc\": }]", "t.json:3: event 2: ");
    refuse("[" EVENT("0", "A", "1", "0", "64", "50") "\n" BARRIER("0", "END", "60") "]",
           "t.json:2: event 1 is not followed by ','");
    refuse("[" EVENT("0", "A", "1", "0", "64", "50") "]\nx", "t.json:2: something follows");
    refuse("[" EVENT("0", "A", "1", "0", "0", "50") "]", "event 1 reads no bytes");
    refuse("[" EVENT("0", "A", "1", "0", "64", "50") "," EVENT("0", "A", "1", "0", "64", "40") "]",
           "event 2 is 10 cycles before the one before it");
    refuse("[{\"type\": \"WRIT\"}]", "event 1 is a 'WRIT'; expected READ, WRITE_,");
    refuse("[" WRITE("A", "1", "0", "0", "50") "]", "event 1 writes no bytes");
    refuse("[" OTHER("WRITE_MULTICAST", ", \"noc\": \"A\", \"mcast_start_x\": 1", "50") "]",
           "event 1 has no \"mcast_start_y\"");
    refuse("[" OTHER("READ_WITH_STATE", ", \"noc\": \"A\"", "50") "]",
           "event 1 uses a state that its processor has not set");
    refuse("[" OTHER("WRITE_MULTICST", "", "50") "]", "did you mean WRITE_MULTICAST");
    refuse("[" EVENT("99", "A", "1", "0", "64", "50") "]", "\"sx\" must be a whole number");
}

static void a_chip_is_refused_where_it_does_not_fit(void **state) {
    (void)state;
    char value[96];
    fc_scenario_free(with_trace(small, EVENT("0", "A", "1", "0", "64", "50")));
    snprintf(value, sizeof value, "{noc-trace: %s}", path);
    must_refuse(small, "traffic.workload", "{noc-trace: /nowhere}", "cannot be read");
    must_refuse(small, "traffic.workload", "reads", "must be {noc-trace: FILE}");
    FILE *file = fopen(path, "w");
    fputs("[\n" EVENT("0", "A", "7", "0", "64", "50") "]", file);
    fclose(file);
    must_refuse(small, "traffic.workload", value, ":2: column 7 lies outside the 4 x 3 tiles");
    file = fopen(path, "w");
    fputs("[\n\n" EVENT("0", "C", "1", "0", "64", "50") "]", file);
    fclose(file);
    must_refuse(small, "traffic.workload", value, ":3: the chip has no network 'C'");
    fc_scenario *scenario = with_trace(small, EVENT("0", "A", "1", "0", "64", "50"));
    must_read_back(scenario);
    fc_scenario_free(scenario);
    scenario = with_trace(tight, EVENT("0", "A", "1", "0", "64", "50"));
    must_read_back(scenario);
    fc_scenario_free(scenario);
    must_refuse(small, "network.memories", "[{name: L1, latency: 9, shared: yes}]",
                "'L1' shares no bandwidth; give it one");
    must_refuse(small, "network.memories", "[{name: L1, latency: 9, at_once: 5}]", "at_once");
    must_refuse(small, "network.arbitration", "round-robbin", "round-robin");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_read_alone_takes_what_the_rules_say),
        cmocka_unit_test(a_memory_serves_one_read_at_a_time),
        cmocka_unit_test(a_memory_may_serve_two_reads_at_once),
        cmocka_unit_test(requests_wait_while_a_memory_is_full),
        cmocka_unit_test(data_leave_as_the_bandwidth_of_the_memory_allows),
        cmocka_unit_test(packets_share_a_link),
        cmocka_unit_test(channels_of_a_link_take_turns),
        cmocka_unit_test(inputs_of_a_router_go_as_the_arbitration_says),
        cmocka_unit_test(the_dateline_lies_where_it_is_said_to),
        cmocka_unit_test(a_barrier_moves_what_follows),
        cmocka_unit_test(a_write_takes_as_long_as_a_read),
        cmocka_unit_test(a_multicast_goes_to_every_column_of_its_rectangle),
        cmocka_unit_test(barriers_of_reads_and_of_writes_are_apart),
        cmocka_unit_test(a_transfer_may_use_a_state),
        cmocka_unit_test(two_processors_of_a_core),
        cmocka_unit_test(its_numbers_are_quantities),
        cmocka_unit_test(every_transfer_is_answered_once),
        cmocka_unit_test(a_trace_is_refused_with_its_line),
        cmocka_unit_test(a_chip_is_refused_where_it_does_not_fit),
    };
    set_path();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
