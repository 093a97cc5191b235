/* The page's calls answered inside the browser, by the same code as the server's (src/serve).
 *
 * A worker (worker.js) calls page_call and waits. What the server sends while a simulation runs are
 * events here, handed to page_event. Nothing cancels a call: the page ends its worker. */
#include <emscripten.h>
#include <stdlib.h>
#include <string.h>
#include "page/page_answer.h"
#include "page/page_simulation.h"

EM_JS(void, page_event, (const char *name, const char *data),
      { self.postMessage({event : UTF8ToString(name), data : UTF8ToString(data)}); });

static const volatile int never = 0;
static const fc_run_settings run = {.threads = 1, .cancel = &never};
static curve_cache *cache;

static char *start(const page_request *request, bool *html) {
    (void)request;
    (void)html;
    return answer_start(NULL, NULL);
}

static char *forecast(const page_request *request, bool *html) {
    (void)html;
    return answer_forecast(request, cache);
}

static char *explain(const page_request *request, bool *html) {
    (void)html;
    return answer_explain(request, &run);
}

static char *report(const page_request *request, bool *html) {
    return answer_report(request, cache, &run, html);
}

static void tell(void *context, const char *name, json_t *tree) {
    (void)context;
    char *data = tree ? json_dumps(tree, JSON_COMPACT) : NULL;
    json_decref(tree);
    if (data)
        page_event(name, data);
    free(data);
}

static char *simulate(const page_request *request, bool *html) {
    (void)html;
    const page_simulation_settings settings = {.threads = 1, .cancel = &never, .event = tell};
    page_simulate(request, cache, &settings);
    return strdup("");
}

static const struct {
    const char *name;
    char *(*answer)(const page_request *request, bool *html);
    bool wordless; /* no body is expected */
} calls[] = {
    {"start", start, true},    {"forecast", forecast, false}, {"explain", explain, false},
    {"report", report, false}, {"simulate", simulate, false},
};

/* The answer, to be freed, and after a first letter: "j" JSON, "h" HTML, "!" a sentence that says
 * what is wrong with the call. NULL: out of memory. */
EMSCRIPTEN_KEEPALIVE char *page_call(const char *name, const char *body) {
    page_request request = {0};
    char sentence[160] = "there is no such call";
    char *text = NULL;
    bool html = false, known = false;
    if (!cache)
        cache = curve_cache_create();
    for (size_t i = 0; cache && i < sizeof calls / sizeof *calls; ++i) {
        if (strcmp(name, calls[i].name) != 0)
            continue;
        known = calls[i].wordless || page_request_read(body, strlen(body), &request, sentence);
        if (known)
            text = calls[i].answer(&request, &html);
        page_request_clear(&request);
    }
    const char *said = known ? text : sentence;
    char *answer = said ? malloc(strlen(said) + 2) : NULL;
    if (answer) {
        answer[0] = !known ? '!' : html ? 'h' : 'j';
        strcpy(answer + 1, said);
    }
    free(text);
    return answer;
}
