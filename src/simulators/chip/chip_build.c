/* Makes a run of a chip: its links, channels and the parts of its trace. */
#include "base/memory.h"
#include "base/status.h"
#include "simulators/chip/chip_network.h"

/* The tile that a link leads to, and whether it crosses the dateline: the wrap-around link, or the
 * one after it. */
static void join(const fc_chip *chip, uint32_t network, uint32_t tile, fc_chip_link *link) {
    const bool falling = chip->networks.network[network].falling;
    const bool row = link->kind == FC_CHIP_ALONG_ROW;
    const uint32_t side = row ? chip->columns : chip->rows, step = row ? 1 : chip->columns;
    const uint32_t at = row ? tile % chip->columns : tile / chip->columns;
    link->end = tile;
    if (link->kind >= FC_CHIP_INJECT)
        return;
    const uint32_t to = falling ? (at + side - 1) % side : (at + 1) % side;
    const uint32_t begin = falling ? side - 1 : 0; /* where the wrap-around link ends */
    link->crosses = (chip->dateline == FC_DATELINE_AFTER ? at : to) == begin;
    link->end = tile - at * step + to * step;
}

static void cut_transfer(fc_chip_run *run, uint32_t number, uint32_t *next) {
    const fc_chip *chip = run->chip;
    const fc_noc_transfer *transfer = &chip->trace.transfers[number];
    run->parts_left[number] = (uint32_t)fc_chip_packet_count(chip, transfer);
    for (uint32_t k = 0; k < run->parts_left[number]; ++k) {
        const fc_chip_packet packet = fc_chip_packet_at(chip, transfer, k);
        run->parts[(*next)++] = (fc_chip_part){.transfer = number,
                                               .there = packet.there,
                                               .back = packet.back,
                                               .source = packet.source,
                                               .home = packet.home,
                                               .network = transfer->network};
    }
}

static void fill_trace(fc_chip_run *run) {
    const fc_noc_trace *trace = &run->chip->trace;
    uint32_t next = 0;
    for (uint32_t b = 0; b < trace->barrier_count; ++b)
        run->transfers_left[b] = trace->barriers[b].transfers;
    run->soonest = UINT64_MAX;
    for (uint32_t p = 0; p < trace->processor_count; ++p) {
        fc_chip_processor_state *state = &run->processors[p];
        state->next = next;
        for (uint32_t i = 0; i < trace->processors[p].count; ++i)
            cut_transfer(run, trace->processors[p].first + i, &next);
        state->end = next;
        fc_chip_find_due(run, state);
    }
}

static void fill_links(fc_chip_run *run) {
    const uint32_t channels = run->link_count * run->channels;
    for (uint32_t l = 0; l < run->link_count; ++l) {
        const uint32_t interface = l / FC_CHIP_KINDS;
        run->links[l].kind = (uint8_t)(l % FC_CHIP_KINDS);
        const uint32_t network = interface / run->chip->tiles;
        join(run->chip, network, interface % run->chip->tiles, &run->links[l]);
        if (run->links[l].kind != FC_CHIP_EJECT)
            run->interfaces[fc_chip_interface_of(run, network, run->links[l].end)]
                .inputs[run->links[l].kind] = l;
    }
    for (uint32_t c = 0; c < channels; ++c)
        run->channel[c] = (fc_chip_channel){.owner = FC_CHIP_NONE,
                                            .link = c / run->channels,
                                            .to = FC_CHIP_NONE,
                                            .from = FC_CHIP_NONE,
                                            .places = (uint32_t)run->chip->buffer};
    for (uint32_t i = 0; i < run->interface_count; ++i) {
        for (uint32_t s = 0; s < FC_CHIP_AT_ONCE_MAX; ++s)
            run->interfaces[i].services[s].part = FC_CHIP_NONE;
    }
}

static bool make_room(fc_chip_run *run) {
    const fc_noc_trace *trace = &run->chip->trace;
    const size_t channels = (size_t)run->link_count * run->channels;
    while (run->slots < (uint32_t)run->chip->buffer)
        run->slots *= 2;
    /* In a cycle every link frees at most one place and every channel into a tile one more. */
    const size_t delay = (size_t)run->chip->credit_delay + 1;
    while (run->returned_room < delay * (run->link_count + channels / FC_CHIP_KINDS))
        run->returned_room *= 2;
    run->parts = fc_allocate(run->part_count, sizeof *run->parts);
    run->parts_left = fc_allocate(trace->transfer_count, sizeof *run->parts_left);
    run->asked_at = fc_allocate(trace->transfer_count, sizeof *run->asked_at);
    run->processors = fc_allocate(trace->processor_count, sizeof *run->processors);
    run->barrier_end = fc_allocate(trace->barrier_count, sizeof *run->barrier_end);
    run->transfers_left = fc_allocate(trace->barrier_count, sizeof *run->transfers_left);
    run->passed = fc_allocate(trace->barrier_count, sizeof *run->passed);
    run->interfaces = fc_allocate(run->interface_count, sizeof *run->interfaces);
    run->links = fc_allocate(run->link_count, sizeof *run->links);
    run->channel = fc_allocate(channels, sizeof *run->channel);
    run->flits = fc_allocate(channels * run->slots, sizeof *run->flits);
    run->returned = fc_allocate(run->returned_room, sizeof *run->returned);
    run->returns = fc_allocate(delay, sizeof *run->returns);
    run->busy_links = fc_allocate(run->link_count / 64 + 1, sizeof *run->busy_links);
    run->fronts = fc_allocate(run->link_count / 64 + 1, sizeof *run->fronts);
    run->turns = fc_allocate(run->link_count / 64 + 1, sizeof *run->turns);
    run->ends = fc_allocate(run->link_count / 64 + 1, sizeof *run->ends);
    run->busy_tiles = fc_allocate(run->interface_count / 64 + 1, sizeof *run->busy_tiles);
    run->allowances = fc_allocate(run->chip->tiles + FC_CHIP_MEMORIES_MAX, sizeof *run->allowances);
    return run->parts && run->parts_left && run->asked_at && run->processors && run->barrier_end &&
           run->passed && run->transfers_left && run->interfaces && run->links && run->channel &&
           run->flits && run->returned && run->returns && run->busy_links && run->fronts &&
           run->turns && run->ends && run->busy_tiles && run->allowances;
}

fc_status fc_chip_run_create(const fc_chip *chip, fc_error *error, fc_chip_run **created) {
    fc_chip_run *run = fc_allocate(1, sizeof *run);
    if (!run)
        return fc_fail_memory(error);
    run->chip = chip;
    run->slots = run->returned_room = 1;
    run->channels = 2 * (uint32_t)(chip->request_channels + chip->reply_channels);
    run->interface_count = (uint32_t)chip->networks.count * chip->tiles;
    run->link_count = run->interface_count * FC_CHIP_KINDS;
    fc_status status = fc_chip_count_packets(chip, error, &run->part_count);
    if (status == FC_OK && !make_room(run))
        status = fc_fail_memory(error);
    if (status != FC_OK) {
        fc_chip_run_free(run);
        return status;
    }
    fill_links(run);
    fill_trace(run);
    *created = run;
    return FC_OK;
}

void fc_chip_run_free(fc_chip_run *run) {
    if (!run)
        return;
    void *const blocks[] = {run->parts,       run->parts_left,     run->asked_at,   run->processors,
                            run->barrier_end, run->transfers_left, run->passed,     run->interfaces,
                            run->links,       run->channel,        run->flits,      run->returned,
                            run->returns,     run->busy_links,     run->fronts,     run->turns,
                            run->ends,        run->busy_tiles,     run->allowances, run};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        fc_release(blocks[i]);
}
