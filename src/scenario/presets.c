#include "scenario/presets.h"

#include <string.h>
#include "scenario/key_conditions.h"
#include "scenario/readers.h"
#include "scenario/scenario_keys.h"

static const char preset_key[] = "network.preset";
const char *const fc_preset_names[] = {"booksim", "garnet", NULL};

typedef struct preset_value {
    const char *key, *value;
    const char *topology, *given; /* NULL: any; none */
} preset_value;

#define ENTRY(key, value, topology, given, said) {key, value, topology, given},
static const preset_value booksim[] = {FC_PRESET_BOOKSIM(ENTRY){0}};
static const preset_value garnet[] = {FC_PRESET_GARNET(ENTRY){0}};
static const preset_value *const presets[] = {booksim, garnet};

/* Whether the entry is for the network, and the first that is. */
static bool is_chosen(const fc_scenario *scenario, const preset_value *first,
                      const preset_value *entry, const char *topology) {
    for (const preset_value *at = first; at <= entry; ++at) {
        if (strcmp(at->key, entry->key) == 0 &&
            (!at->topology || strcmp(at->topology, topology) == 0) &&
            (!at->given || fc_document_find(scenario->document, at->given)))
            return at == entry;
    }
    return false;
}

fc_status fc_scenario_lay_preset(fc_scenario *scenario, const char *topology, fc_error *error) {
    const fc_value *value = fc_document_find(scenario->document, preset_key);
    int choice;
    if (!value || !fc_key_find(scenario->family->keys, preset_key))
        return FC_OK;
    fc_status status =
        fc_read_choice(scenario->document, value, preset_key, fc_preset_names, error, &choice);
    if (status == FC_OK)
        status = fc_scenario_keep_given(scenario, error);
    char label[64];
    snprintf(label, sizeof label, "%s: %s", preset_key,
             status == FC_OK ? fc_preset_names[choice] : "");
    for (const preset_value *at = status == FC_OK ? presets[choice] : NULL;
         at && at->key && status == FC_OK; ++at) {
        if (!at->value[0] || fc_document_find(scenario->document, at->key) ||
            !is_chosen(scenario, presets[choice], at, topology) ||
            !fc_key_fits_document(scenario, at->key))
            continue;
        const fc_setting setting = {at->key, at->value, label};
        status = fc_document_set(scenario->document, &setting, 1, error);
    }
    return status;
}
