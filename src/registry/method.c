#include "registry/method.h"

#include <string.h>
#include "base/c_locale.h"
#include "base/names.h"

enum { NAMES_MAX = 64 };

/* ---- the list ---- */

size_t fc_method_count(void) {
    size_t count = 0;
    while (fc_models[count])
        ++count;
    for (size_t i = 0; fc_simulators[i]; ++i)
        ++count;
    return count;
}

const fc_method_info *fc_method_at(size_t index) {
    size_t models = 0;
    while (fc_models[models])
        ++models;
    if (index < models)
        return &fc_models[index]->info;
    return index < fc_method_count() ? &fc_simulators[index - models]->info : NULL;
}

const fc_model *fc_model_find(const char *name, fc_error *error) {
    const char *names[NAMES_MAX + 1];
    size_t count = 0;
    for (; fc_models[count] && count < NAMES_MAX; ++count) {
        names[count] = fc_models[count]->info.name;
        if (strcmp(names[count], name) == 0)
            return fc_models[count];
    }
    names[count] = NULL;
    char list[700], hint[FC_HINT_SIZE];
    fc_names_text(names, sizeof list, list);
    fc_error_write(error, "there is no model '%.60s'%s The models are: %s", name,
                   fc_names_hint(name, names, ".", hint), list);
    return NULL;
}

/* ---- what covers a scenario ---- */

/* A method may be for several families: "torus, fabric". */
static bool is_for(const fc_method_info *info, const fc_scenario *scenario) {
    const char *name = scenario->family->name;
    const size_t length = strlen(name);
    for (const char *at = info->family; (at = strstr(at, name)); at += length) {
        if ((at == info->family || at[-1] == ' ') && (!at[length] || at[length] == ','))
            return true;
    }
    return false;
}

static fc_status check_family(const fc_method_info *info, const fc_scenario *scenario,
                              fc_error *error) {
    if (is_for(info, scenario))
        return FC_OK;
    return fc_fail(error, FC_ERROR_UNSUPPORTED, "%s is for %s networks; this is a %s network",
                   info->name, info->family, scenario->family->name);
}

fc_status fc_model_covers(const fc_model *model, const fc_scenario *scenario, fc_error *error) {
    const fc_status status = check_family(&model->info, scenario, error);
    return status == FC_OK && model->covers ? model->covers(scenario, error) : status;
}

static fc_status simulator_covers(const fc_simulator *simulator, const fc_scenario *scenario,
                                  fc_error *error) {
    const fc_status status = check_family(&simulator->info, scenario, error);
    return status == FC_OK && simulator->covers ? simulator->covers(scenario, error) : status;
}

fc_status fc_method_covers(const char *name, const fc_scenario *scenario, fc_error *error) {
    FC_IN_C_LOCALE;
    for (size_t i = 0; fc_simulators[i]; ++i) {
        if (strcmp(fc_simulators[i]->info.name, name) == 0)
            return simulator_covers(fc_simulators[i], scenario, error);
    }
    const fc_model *model = fc_model_find(name, error);
    return model ? fc_model_covers(model, scenario, error) : FC_ERROR_INPUT;
}

/* The models that cover the scenario in the registry's order; reason (may be NULL): why the first
 * of the others that suit it does not. */
static size_t covering(const fc_scenario *scenario, bool variants, fc_error *reason,
                       const fc_model **found, size_t room) {
    size_t count = 0;
    for (size_t i = 0; fc_models[i] && count < room; ++i) {
        const fc_model *model = fc_models[i];
        fc_error why;
        if ((model->info.variant && !variants) || !is_for(&model->info, scenario) ||
            (model->suits && !model->suits(scenario)))
            continue;
        if (fc_model_covers(model, scenario, &why) == FC_OK)
            found[count++] = model;
        else if (reason && !reason->text[0])
            *reason = why;
    }
    return count;
}

static fc_status refuse(const char *what, const fc_error *reason, fc_error *error) {
    return fc_fail(error, FC_ERROR_UNSUPPORTED, "no %s covers this scenario%s%.700s", what,
                   reason->text[0] ? ": " : "", reason->text);
}

fc_status fc_model_choose(const fc_scenario *scenario, fc_error *error, const fc_model **model) {
    fc_error reason = {{0}};
    return covering(scenario, false, &reason, model, 1) ? FC_OK : refuse("model", &reason, error);
}

size_t fc_models_covering(const fc_scenario *scenario, bool variants, const char **names,
                          size_t room) {
    const fc_model *found[NAMES_MAX];
    const size_t count =
        covering(scenario, variants, NULL, found, room < NAMES_MAX ? room : NAMES_MAX);
    for (size_t i = 0; i < count; ++i)
        names[i] = found[i]->info.name;
    return count;
}

fc_status fc_simulator_choose(const fc_scenario *scenario, fc_error *error,
                              const fc_simulator **simulator) {
    fc_error reason = {{0}};
    for (size_t i = 0; fc_simulators[i]; ++i) {
        fc_error why;
        if (!is_for(&fc_simulators[i]->info, scenario) ||
            (fc_simulators[i]->suits && !fc_simulators[i]->suits(scenario)))
            continue;
        if (simulator_covers(fc_simulators[i], scenario, &why) == FC_OK) {
            *simulator = fc_simulators[i];
            return FC_OK;
        }
        reason = why;
    }
    return refuse("simulator", &reason, error);
}

bool fc_model_is_default(const char *model) {
    return !model || strcmp(model, FC_UNCALIBRATED) == 0;
}

fc_status fc_method_choose(const fc_scenario *scenario, fc_method_kind kind, const char *model,
                           fc_error *error, fc_method *method) {
    *method = (fc_method){0};
    if (kind == FC_SIMULATOR)
        return fc_simulator_choose(scenario, error, &method->simulator);
    method->corrected = !model;
    if (fc_model_is_default(model))
        return fc_model_choose(scenario, error, &method->model);
    method->model = fc_model_find(model, error);
    return method->model ? fc_model_covers(method->model, scenario, error) : FC_ERROR_INPUT;
}

const fc_method_info *fc_method_info_of(fc_method method) {
    return method.model ? &method.model->info : &method.simulator->info;
}
