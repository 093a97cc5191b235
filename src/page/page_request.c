#include "page/page_request.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_text(json_t *value, page_text *text) {
    if (!json_is_string(value) || json_string_length(value) > BODY_MAX)
        return false;
    text->length = json_string_length(value);
    text->text = strdup(json_string_value(value));
    return text->text != NULL;
}

static bool read_pins(json_t *pins, page_request *request) {
    size_t index;
    json_t *pin;
    if (!pins)
        return true;
    if (!json_is_array(pins) || json_array_size(pins) > PINS_MAX)
        return false;
    json_array_foreach(pins, index, pin) {
        page_text *read = &request->pins[request->pin_count];
        const char *label = json_string_value(json_object_get(pin, "label"));
        if (!read_text(json_object_get(pin, "text"), read))
            return false;
        ++request->pin_count;
        snprintf(read->label, sizeof read->label, "%.79s", label ? label : "pinned");
    }
    return true;
}

bool page_request_read(const char *body, size_t length, page_request *request, char sentence[160]) {
    json_error_t error;
    *request = (page_request){0};
    json_t *tree = json_loadb(body, length, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(tree)) {
        snprintf(sentence, 160, "the body is not a JSON object: %.100s", tree ? "" : error.text);
        json_decref(tree);
        return false;
    }
    json_t *precision = json_object_get(tree, "precision");
    bool good = read_text(json_object_get(tree, "text"), &request->scenario) &&
                read_pins(json_object_get(tree, "pins"), request);
    if (good && precision) {
        request->precision = json_number_value(precision);
        good =
            json_is_number(precision) && request->precision >= 0.005 && request->precision <= 0.5;
    }
    json_decref(tree);
    if (good)
        return true;
    snprintf(
        sentence, 160,
        "expected {\"text\": SCENARIO, \"pins\": [{\"label\": ..., \"text\": ...}] (at most %d), "
        "\"precision\": 0.005 to 0.5}",
        PINS_MAX);
    page_request_clear(request);
    return false;
}

void page_request_clear(page_request *request) {
    free(request->scenario.text);
    for (size_t i = 0; i < request->pin_count; ++i)
        free(request->pins[i].text);
    *request = (page_request){0};
}
