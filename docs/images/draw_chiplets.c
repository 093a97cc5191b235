/* Draws examples/chiplets.yaml, its links coloured by how much of their capacity the traffic takes:
 *   draw_chiplets FOLDER */
#include <stdio.h>
#include "flitcast/flitcast.h"

int main(int count, char **arguments) {
    char path[1024];
    fc_error error = {{0}};
    fc_scenario *scenario;
    fc_result *links;
    if (count != 2 || fc_scenario_read_file(SCENARIO, NULL, 0, &error, &scenario) != FC_OK) {
        fprintf(stderr, "draw_chiplets: %s\n", error.text);
        return 1;
    }
    snprintf(path, sizeof path, "%s/chiplets.svg", arguments[1]);
    FILE *stream = fopen(path, "w");
    fc_status status =
        stream ? fc_predict(scenario, "channel-load", &error, &links) : FC_ERROR_FILE;
    if (status == FC_OK) {
        status = fc_scenario_draw(scenario, links, &error, stream);
        fc_result_free(links);
    }
    if (stream && fclose(stream) != 0)
        status = FC_ERROR_FILE;
    fc_scenario_free(scenario);
    if (status != FC_OK)
        fprintf(stderr, "draw_chiplets: %s\n", error.text);
    return status != FC_OK;
}
