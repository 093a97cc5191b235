#include "scenario/families/routed_readers.h"

#include "scenario/readers.h"

const char *const fc_router_names[] = {"idealised", "pipelined", NULL};
const char *const fc_arbitration_names[] = {"round-robin", "oldest-first", NULL};
const char *const fc_switching_names[] = {"wormhole", "scouting", "cut-through", NULL};
const char *const fc_handover_names[] = {"same-cycle", "next-cycle", "when-empty", NULL};

const char *const fc_self_names[] = {"none", "sent", NULL};

/* ---- router_delay ---- */

fc_status fc_router_delay_read(const fc_document *document, const fc_value *value, void *field,
                               fc_error *error) {
    static const char what[] = "network.router_delay";
    const fc_range cycles = {.minimum = 0, .maximum = 1000};
    int64_t *delay = field;
    for (size_t i = 0; i < FC_ROUTER_STAGES; ++i)
        delay[i] = 0;
    if (value->kind != FC_VALUE_SEQUENCE)
        return fc_read_integer(document, value, what, cycles, error, &delay[FC_STAGE_CROSSING]);
    if (value->count != FC_ROUTER_STAGES)
        return fc_fail_at(error, document, value,
                          "%s has %zu entries; expected one number or 4: [routing, allocation, "
                          "switch, crossing]",
                          what, value->count);
    fc_status status = FC_OK;
    for (size_t i = 0; i < FC_ROUTER_STAGES && status == FC_OK; ++i)
        status = fc_read_integer(document, value->items[i], what, cycles, error, &delay[i]);
    return status;
}

void fc_router_delay_write(const void *field, FILE *stream) {
    const int64_t *delay = field;
    const bool crossing_alone =
        !delay[FC_STAGE_ROUTING] && !delay[FC_STAGE_ALLOCATION] && !delay[FC_STAGE_SWITCH];
    if (crossing_alone)
        fprintf(stream, "%lld", (long long)delay[FC_STAGE_CROSSING]);
    else
        fprintf(stream, "[%lld, %lld, %lld, %lld]", (long long)delay[FC_STAGE_ROUTING],
                (long long)delay[FC_STAGE_ALLOCATION], (long long)delay[FC_STAGE_SWITCH],
                (long long)delay[FC_STAGE_CROSSING]);
}

/* ---- energy ---- */

static const char *const energy_names[] = {"buffer_write", "buffer_read", "crossbar",
                                           "link",         "leakage",     NULL};

fc_status fc_energy_read(const fc_document *document, const fc_value *value, void *field,
                         fc_error *error) {
    fc_energy *energy = field;
    double *const numbers[] = {&energy->buffer_write, &energy->buffer_read, &energy->crossbar,
                               &energy->link, &energy->leakage};
    const fc_range amount = {.minimum = 0, .maximum = 1e12};
    *energy = (fc_energy){.given = true};
    fc_status status = fc_check_members(document, value, "network.energy", energy_names, error);
    for (size_t i = 0; energy_names[i] && status == FC_OK; ++i) {
        const fc_value *member = fc_value_member(value, energy_names[i]);
        if (member)
            status = fc_read_number(document, member, energy_names[i], amount, error, numbers[i]);
    }
    return status;
}

void fc_energy_write(const void *field, FILE *stream) {
    const fc_energy *energy = field;
    const double numbers[] = {energy->buffer_write, energy->buffer_read, energy->crossbar,
                              energy->link, energy->leakage};
    for (size_t i = 0; energy_names[i]; ++i) {
        fprintf(stream, "%s%s", i ? ", " : "{", energy_names[i]);
        fc_number_write(": ", numbers[i], stream);
    }
    fputc('}', stream);
}
