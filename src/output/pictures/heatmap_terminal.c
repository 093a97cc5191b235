/* In the terminal: numbers on coloured cells where they fit, else coloured blocks; without colours
 * numbers, else characters of growing darkness. A map wider than the terminal is shown by the means
 * of squares of cells. */
#include "output/text/characters.h"
#include "output/pictures/heatmap.h"
#include "output/text/numbers.h"
#include "output/text/writing.h"

#include <math.h>
#include <string.h>

static const char ramp[] = ".:-=+*#%@";

typedef struct map_layout {
    const fc_heatmap *map;
    FILE *stream;
    bool colour;
    size_t bin;           /* cells a shown cell stands for, along each side */
    size_t rows, columns; /* shown */
    size_t cell;          /* width of one shown cell, its gap included */
    bool numbers;
    size_t left; /* columns for the row numbers */
} map_layout;

static double shown_value(const map_layout *layout, size_t row, size_t column) {
    const fc_heatmap *map = layout->map;
    double sum = 0;
    size_t count = 0;
    for (size_t r = row * layout->bin; r < (row + 1) * layout->bin && r < map->rows; r++) {
        for (size_t c = column * layout->bin; c < (column + 1) * layout->bin && c < map->columns;
             c++) {
            const double value = map->values[r * map->columns + c];
            if (isfinite(value)) {
                sum += value;
                count++;
            }
        }
    }
    return count ? sum / (double)count : (double)NAN;
}

/* Of the 256 terminal colours, those that come near the map's and grow lighter one by one. */
static const int colours[] = {53, 54, 55, 24, 25, 30, 31, 36, 41, 77, 113, 149, 185, 226};
enum { COLOURS = sizeof colours / sizeof *colours, FIRST_LIGHT = 8 };

static void begin_cell(const map_layout *layout, double value) {
    if (!layout->colour || !isfinite(value))
        return;
    const long colour = lround(fc_heatmap_level(layout->map, value) * (COLOURS - 1));
    fprintf(layout->stream, "\033[48;5;%d;38;5;%dm", colours[colour],
            colour >= FIRST_LIGHT ? 16 : 231);
}

static char ramp_character(const fc_heatmap *map, double value) {
    const size_t last = sizeof ramp - 2;
    return ramp[(size_t)lround(fc_heatmap_level(map, value) * (double)last)];
}

static void write_cell(const map_layout *layout, double value) {
    char text[FC_NUMBER_SIZE];
    const bool shown = isfinite(value);
    begin_cell(layout, value);
    if (layout->numbers) {
        fc_heatmap_number(layout->map, value, text);
        fc_write_spaces(layout->stream, layout->cell - strlen(text));
        fputs(text, layout->stream);
    } else if (shown && !layout->colour) {
        for (size_t i = 0; i < layout->cell; i++)
            fputc(ramp_character(layout->map, value), layout->stream);
    } else {
        fc_write_spaces(layout->stream, layout->cell);
    }
    if (layout->colour && shown)
        fputs("\033[0m", layout->stream);
}

static size_t digits_of(size_t number) {
    size_t digits = 1;
    while (number >= 10) {
        number /= 10;
        digits++;
    }
    return digits;
}

static void choose_layout(map_layout *layout, size_t width) {
    const fc_heatmap *map = layout->map;
    size_t widest = digits_of(map->columns - 1);
    for (size_t v = 0; v < map->rows * map->columns; v++) {
        char text[FC_NUMBER_SIZE];
        fc_heatmap_number(map, map->values[v], text);
        widest = strlen(text) > widest ? strlen(text) : widest;
    }
    layout->left = digits_of(map->rows - 1) + 2;
    const size_t room = width - layout->left;
    layout->bin = 1;
    layout->numbers = map->columns * (widest + 1) <= room;
    layout->cell = layout->numbers ? widest + 1 : 2 * map->columns <= room ? 2 : 1;
    if (map->columns * layout->cell > room)
        layout->bin = (map->columns + room - 1) / room;
    layout->rows = (map->rows + layout->bin - 1) / layout->bin;
    layout->columns = (map->columns + layout->bin - 1) / layout->bin;
}

static void write_column_numbers(const map_layout *layout) {
    const size_t widest = digits_of(layout->map->columns - 1);
    size_t step = 1;
    while (step * layout->cell < widest + 1)
        step++;
    size_t used = 0;
    for (size_t c = 0; c < layout->columns; c += step) {
        char text[24];
        snprintf(text, sizeof text, "%zu", c * layout->bin);
        /* Under the last digit of a number, under the first character of a block. */
        const size_t from = layout->left + c * layout->cell;
        const size_t at = layout->numbers ? from + layout->cell - strlen(text) : from;
        fc_write_spaces(layout->stream, at - used);
        fputs(text, layout->stream);
        used = at + strlen(text);
    }
    if (layout->map->column_axis[0])
        fprintf(layout->stream, "  %s", layout->map->column_axis);
    fputc('\n', layout->stream);
}

static void write_scale(const map_layout *layout) {
    const fc_heatmap *map = layout->map;
    char low[FC_NUMBER_SIZE], high[FC_NUMBER_SIZE];
    fc_write_spaces(layout->stream, 2);
    if (map->value_label[0])
        fprintf(layout->stream, "%s: ", map->value_label);
    if (!(map->low <= map->high)) {
        fputs("no values\n", layout->stream);
        return;
    }
    fc_number_text(map->low, 3, low);
    fc_number_text(map->high, 3, high);
    fprintf(layout->stream, "%s ", low);
    if (layout->colour) {
        for (int colour = 0; colour < COLOURS; colour++)
            fprintf(layout->stream, "\033[48;5;%dm ", colours[colour]);
        fputs("\033[0m", layout->stream);
    } else {
        fputs(layout->numbers ? "to" : ramp, layout->stream);
    }
    fprintf(layout->stream, " %s\n", high);
    if (layout->bin > 1)
        fprintf(layout->stream, "  Each character is the mean of up to %zu x %zu cells.\n",
                layout->bin, layout->bin);
}

fc_status fc_heatmap_write_terminal(const fc_heatmap *map, const fc_write_settings *settings,
                                    FILE *stream) {
    if (!map || !stream)
        return FC_ERROR_ARGUMENT;
    const fc_write_settings used = fc_writing_settings(settings);
    map_layout layout = {.map = map, .stream = stream, .colour = used.colour};
    fc_writing writing = fc_writing_begin();
    choose_layout(&layout, used.width);
    if (map->title[0]) {
        fc_ink(stream, used.colour, FC_INK_BOLD);
        fc_write_wrapped(stream, map->title, 0, used.width);
        fc_ink_end(stream, used.colour);
    }
    if (map->row_axis[0])
        fc_write_wrapped(stream, map->row_axis, 0, used.width);
    for (size_t r = 0; r < layout.rows; r++) {
        fprintf(stream, "%*zu ", (int)layout.left - 1, r * layout.bin);
        for (size_t c = 0; c < layout.columns; c++)
            write_cell(&layout, shown_value(&layout, r, c));
        fputc('\n', stream);
    }
    write_column_numbers(&layout);
    write_scale(&layout);
    return fc_writing_end(&writing, stream, FC_OK);
}
