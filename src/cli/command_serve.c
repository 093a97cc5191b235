#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"
#ifdef FLITCAST_SERVE
#include "serve/request_guard.h"
#include "serve/server.h"
#endif

static const option_info options[] = {
    {"port", "N", "the port to listen on (default: 8017; 0: any that is free)"},
    {"listen", "ADDRESS", "the address to listen on (default: 127.0.0.1, this machine only)"},
    {0},
};

#ifdef FLITCAST_SERVE
static int run(arguments *given) {
    unsigned port = 8017;
    int code = arguments_count(given, "port", 0, 65535, &port);
    fc_run_settings settings;
    if (code == EXIT_DONE)
        code = run_settings(given, &settings);
    if (code != EXIT_DONE)
        return code;
    const char *address = arguments_value(given, "listen");
    const char *path = given->operand_count ? given->operands[0] : NULL;
    fc_error error = {{0}};
    fc_input input = {0};
    if (path) {
        const fc_status status = fc_input_read(path, &error, &input);
        if (status != FC_OK)
            return fail(status, &error);
    }
    if (address && !guard_is_loopback(address))
        fprintf(
            stderr,
            "flitcast: warning: listening on %s, so other machines can reach this page. Whoever "
            "has the address with its token can run simulations here and read files below this "
            "folder. The connection is not encrypted.\n",
            address);
    char sentence[200];
    const server_settings server = {.address = address ? address : "127.0.0.1",
                                    .port = port,
                                    .file = path,
                                    .text = input.text,
                                    .threads = settings.threads,
                                    .stop = settings.cancel};
    code = server_run(&server, sentence, sizeof sentence);
    if (code != EXIT_DONE)
        fprintf(stderr, "flitcast: %s\n", sentence);
    fc_input_clear(&input);
    return code;
}
#else
static int run(arguments *given) {
    (void)given;
    return fail_usage("this flitcast was built without the page. Install libmicrohttpd-dev and "
                      "build again");
}
#endif

const command_info serve_command = {
    .name = "serve",
    .operands = "[FILE]",
    .operands_min = 0,
    .operands_max = 1,
    .summary = "A page in the browser: move a slider, see the curve",
    .text =
        "Prints the address of a page and serves it until Ctrl-C. The page shows the network, its\n"
        "latency-load curve by every model, simulated points as they come in, and what would\n"
        "help. It opens with FILE (a scenario or a BookSim configuration), or with a gallery of\n"
        "examples.\n"
        "\n"
        "Only this machine can reach it unless --listen says otherwise, and only with the token\n"
        "in the address. Scenarios may name files below the folder it was started in.",
    .examples = "  flitcast serve\n"
                "  flitcast serve mesh.yaml --port 0",
    .options = options,
    .run = run,
};
