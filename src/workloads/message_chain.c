#include "workloads/message_chain.h"

#include "base/memory.h"

fc_chains fc_chains_make(void) {
    return (fc_chains){.free = fc_free_list_make()};
}

void fc_chains_clear(fc_chains *chains) {
    fc_release(chains->record);
    *chains = fc_chains_make();
}

uint32_t fc_chains_add(fc_chains *chains, const fc_chained *message) {
    if (chains->given_up)
        return FC_NO_MESSAGE;
    if (chains->free.first == UINT32_MAX) {
        fc_chained *grown = chains->free.room < FC_CHAINED_MAX
                                ? fc_free_list_grow(&chains->free, FC_RECORDS(chains->record), 256)
                                : NULL;
        if (!grown) {
            const bool too_many = chains->free.room >= FC_CHAINED_MAX;
            fc_chains_clear(chains);
            chains->given_up = true;
            chains->no_memory = !too_many;
            return FC_NO_MESSAGE;
        }
        chains->record = grown;
    }
    const uint32_t number = fc_free_list_take(&chains->free, FC_RECORDS(chains->record));
    chains->record[number] = *message;
    chains->record[number].references = 1;
    fc_chains_hold(chains, message->before);
    ++chains->used;
    return number;
}

/* A record that nobody refers to lets go of the one before it. */
void fc_chains_free(fc_chains *chains, uint32_t number) {
    while (number != FC_NO_MESSAGE && chains->record[number].references == 0) {
        const uint32_t before = chains->record[number].before;
        fc_free_list_give(&chains->free, FC_RECORDS(chains->record), number);
        --chains->used;
        if (before != FC_NO_MESSAGE)
            --chains->record[before].references;
        number = before;
    }
}

fc_status fc_chains_list(const fc_chains *chains, uint32_t last, fc_error *error, fc_chained **list,
                         size_t *count) {
    *list = NULL;
    *count = 0;
    if (chains->no_memory)
        return fc_fail_memory(error);
    if (chains->given_up || last == FC_NO_MESSAGE)
        return FC_OK;
    size_t length = 0;
    for (uint32_t at = last; at != FC_NO_MESSAGE; at = chains->record[at].before)
        ++length;
    *list = fc_allocate(length, sizeof **list);
    if (!*list)
        return fc_fail_memory(error);
    *count = length;
    for (uint32_t at = last; at != FC_NO_MESSAGE; at = chains->record[at].before)
        (*list)[--length] = chains->record[at];
    return FC_OK;
}
