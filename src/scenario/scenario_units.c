#include "scenario/scenario_units.h"

#include <math.h>
#include <string.h>
#include "base/decimal.h"
#include "base/status.h"
#include "base/units.h"
#include "scenario/readers.h"
#include "scenario/scenario_keys.h"
#include "scenario/scenario_numbers.h"

/* In place of a load until the length of a message is known: valid in every network. */
static const char any_load[] = "1e-9";

/* The quantity that `measures` ("bytes=bytes compute=time", or "time" for all numbers) names for a
 * member. */
static fc_quantity quantity_of(const char *measures, const char *member) {
    const size_t length = strlen(member);
    for (const char *word = measures; word && *word; word += strspn(word, " ")) {
        const size_t end = strcspn(word, " "), name = strcspn(word, "= ");
        if (name == end)
            return fc_quantity_named(word, end);
        if (name == length && strncmp(word, member, length) == 0)
            return fc_quantity_named(word + name + 1, end - name - 1);
        word += end;
    }
    return FC_NO_QUANTITY;
}

/* ---- whether there is a unit at all ---- */

static bool has_unit(const fc_value *value) {
    fc_measured unused;
    if (value->kind == FC_VALUE_SCALAR)
        return fc_measured_parse(value->text, &unused);
    for (size_t i = 0; i < value->count; ++i)
        if (has_unit(value->items[i]))
            return true;
    return false;
}

static const fc_value *measured_value(const fc_document *document, const fc_key *key) {
    return key->measures ? fc_document_find(document, key->path) : NULL;
}

static bool any_unit(const fc_scenario *scenario) {
    for (const fc_key *key = scenario->family->keys; key->path; ++key) {
        const fc_value *value = measured_value(scenario->document, key);
        if (value && has_unit(value))
            return true;
    }
    return false;
}

/* ---- converting ---- */

typedef struct conversion {
    fc_scenario *scenario;
    const fc_key *key;
    fc_error *error;
} conversion;

static fc_status fail(const conversion *c, const fc_value *value, const fc_measured *measured,
                      fc_quantity quantity) {
    const fc_document *document = c->scenario->document;
    const char *missing = fc_units_missing(&c->scenario->units, quantity);
    if (!fc_measured_suits(measured, quantity))
        return fc_fail_at(c->error, document, value, "%s is '%s', but it is no number of %s%s%s",
                          c->key->path, value->text, measured->unit,
                          quantity ? "; expected a number or a value such as " : "",
                          quantity ? fc_quantity_example(quantity) : "");
    return fc_fail_at(c->error, document, value,
                      "%s is '%s', which needs %s: without it a value in %s cannot be converted",
                      c->key->path, value->text, missing, measured->unit);
}

static fc_status replace(const conversion *c, fc_value *value, double number) {
    char text[FC_REAL_SIZE];
    fc_real_text(number, text);
    return fc_document_replace(c->scenario->document, value, text, c->error);
}

/* A part of a cycle or of a flit takes a whole one. */
static double rounded(double number) {
    return ceil(number * (1 - 1e-12));
}

static fc_status convert(const conversion *c, fc_value *value, const char *member) {
    fc_status status = FC_OK;
    for (size_t i = 0; value->kind != FC_VALUE_SCALAR && i < value->count && status == FC_OK; ++i)
        status =
            convert(c, value->items[i], value->kind == FC_VALUE_MAPPING ? value->keys[i] : member);
    fc_measured measured;
    if (value->kind != FC_VALUE_SCALAR || !fc_measured_parse(value->text, &measured))
        return status;
    const fc_quantity quantity = quantity_of(c->key->measures, member);
    if (!fc_measured_suits(&measured, quantity) || fc_units_missing(&c->scenario->units, quantity))
        return fail(c, value, &measured, quantity);
    if (quantity == FC_LOAD)
        return fc_document_replace(c->scenario->document, value, any_load, c->error);
    const double number = fc_measured_value(&measured, quantity, &c->scenario->units);
    return replace(c, value, fc_key_is_whole(c->key, member) ? rounded(number) : number);
}

fc_status fc_scenario_settle_units(fc_scenario *scenario, fc_error *error) {
    if (!any_unit(scenario))
        return FC_OK;
    fc_status status = fc_scenario_keep_given(scenario, error);
    for (const fc_key *key = scenario->family->keys; key->path && status == FC_OK; ++key) {
        fc_value *value = (fc_value *)measured_value(scenario->document, key);
        if (value)
            status = convert(&(conversion){scenario, key, error}, value, "");
    }
    return status;
}

static double message_flits(const fc_scenario *scenario) {
    const fc_family *family = scenario->family;
    return family->message_flits ? family->message_flits(scenario) : 1;
}

fc_status fc_scenario_settle_load(fc_scenario *scenario, fc_error *error) {
    for (const fc_key *key = scenario->family->keys; scenario->given && key->path; ++key) {
        const fc_value *given = measured_value(scenario->given, key);
        fc_measured measured;
        if (!given || given->kind != FC_VALUE_SCALAR || quantity_of(key->measures, "") != FC_LOAD ||
            !fc_measured_parse(given->text, &measured))
            continue;
        if (fc_scenario_has(scenario, "traffic.classes"))
            return fc_fail_at(error, scenario->given, given,
                              "%s is '%s'; with traffic.classes it takes messages per node per "
                              "cycle, without a unit",
                              key->path, given->text);
        fc_units units = scenario->units;
        units.message_flits = message_flits(scenario);
        fc_value *value = (fc_value *)fc_document_find(scenario->document, key->path);
        fc_status status = replace(&(conversion){scenario, key, error}, value,
                                   fc_measured_value(&measured, FC_LOAD, &units));
        if (status == FC_OK)
            status = fc_key_read(key, scenario->document, value,
                                 (char *)scenario->parameters + key->offset, error);
        if (status != FC_OK)
            return status;
    }
    return FC_OK;
}

void fc_scenario_fill_units(fc_scenario *scenario) {
    scenario->units.message_flits = message_flits(scenario);
}

fc_units fc_scenario_units(const fc_scenario *scenario) {
    return scenario->units;
}
