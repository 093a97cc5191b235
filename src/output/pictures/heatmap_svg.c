#include "output/text/characters.h"
#include "output/pictures/heatmap.h"
#include "output/pictures/scale.h"
#include "output/pictures/scale.h"
#include "output/pictures/svg.h"
#include "output/text/writing.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 560, MARGIN = 12, TOOLTIPS_MAX = 5000, LARGEST_CELL = 56, TALLEST = 480 };
enum { BAR_GAP = 20, BAR_WIDTH = 14, BAR_ROOM = BAR_GAP + BAR_WIDTH + 9 };

typedef struct map_picture {
    const fc_heatmap *map;
    FILE *stream;
    fc_scale scale;
    double left, top;         /* of the grid */
    double index_width;       /* of the row numbers */
    double cell, cell_height; /* one cell */
    double right, bottom;     /* of the grid */
    double label_width;       /* of the widest number at the colour bar */
    bool numbers;             /* in the cells */
} map_picture;

static void draw_cell(const map_picture *picture, size_t row, size_t column) {
    const fc_heatmap *map = picture->map;
    const double value = map->values[row * map->columns + column];
    const double x = picture->left + picture->cell * (double)column;
    const double y = picture->top + picture->cell_height * (double)row;
    const fc_rgb colour = fc_heat_colour(fc_heatmap_level(map, value));
    char text[FC_NUMBER_SIZE];
    fprintf(picture->stream, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" ", x, y,
            picture->cell + 0.2, picture->cell_height + 0.2);
    if (isfinite(value))
        fprintf(picture->stream, "fill=\"#%02x%02x%02x\"", (unsigned)colour.red,
                (unsigned)colour.green, (unsigned)colour.blue);
    else
        fputs("class=\"fc-none\"", picture->stream);
    if (map->rows * map->columns <= TOOLTIPS_MAX) {
        fc_number_text(value, 6, text);
        fprintf(picture->stream, "><title>column %zu, row ", column);
        if (map->row_names)
            fc_write_xml(picture->stream, map->row_names[row]);
        else
            fprintf(picture->stream, "%zu", row);
        fprintf(picture->stream, ": %s</title></rect>\n", text[0] ? text : "none");
    } else {
        fputs("/>\n", picture->stream);
    }
    if (!picture->numbers || !isfinite(value))
        return;
    fc_heatmap_number(map, value, text);
    fprintf(picture->stream,
            "<text class=\"fc-small\" fill=\"%s\" text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\" "
            "pointer-events=\"none\">%s</text>\n",
            fc_heat_wants_black(colour) ? "#000" : "#fff", x + 0.5 * picture->cell,
            y + 0.5 * picture->cell_height + 4, text);
}

/* Numbers of rows or columns: every one, or every 2nd, 5th, 10th ... where they would touch. */
static size_t index_step(double room, double wanted) {
    static const size_t steps[] = {1, 2, 5};
    for (size_t power = 1; power < 1000000000; power *= 10) {
        for (size_t s = 0; s < 3; s++) {
            if (room * (double)(steps[s] * power) >= wanted)
                return steps[s] * power;
        }
    }
    return 1000000000;
}

/* Where columns are stretches of time: when they begin. */
static void draw_times(const map_picture *picture) {
    const fc_heatmap *map = picture->map;
    fc_scale scale;
    fc_scale_fit(&scale, 0, map->column_time * (double)map->columns, false, 5);
    for (size_t t = 0; t < scale.tick_count; t++) {
        const fc_tick *tick = &scale.ticks[t];
        const double x = picture->left + picture->cell * tick->value / map->column_time;
        if (!tick->label[0] || x > picture->right + 1)
            continue;
        fprintf(picture->stream, "<path class=\"fc-axis\" d=\"M%.1f %.1fv5\"/>\n", x,
                picture->bottom);
        fc_svg_write_text(picture->stream,
                          (fc_svg_text){.x = x, .y = picture->bottom + 19, .anchor = FC_SVG_MIDDLE},
                          tick->label, strlen(tick->label));
    }
}

static void draw_column_numbers(const map_picture *picture) {
    char text[24];
    const size_t column_step = index_step(picture->cell, 30);
    for (size_t c = 0; c < picture->map->columns; c += column_step) {
        snprintf(text, sizeof text, "%zu", c);
        fc_svg_write_text(picture->stream,
                          (fc_svg_text){.x = picture->left + picture->cell * ((double)c + 0.5),
                                        .y = picture->bottom + 17,
                                        .anchor = FC_SVG_MIDDLE},
                          text, strlen(text));
    }
}

static void draw_indices(const map_picture *picture) {
    char text[24];
    if (picture->map->column_time > 0)
        draw_times(picture);
    else
        draw_column_numbers(picture);
    const size_t row_step = index_step(picture->cell_height, 15);
    for (size_t r = 0; r < picture->map->rows; r += row_step) {
        if (picture->map->row_names)
            snprintf(text, sizeof text, "%.20s", picture->map->row_names[r]);
        else
            snprintf(text, sizeof text, "%zu", r);
        fc_svg_write_text(
            picture->stream,
            (fc_svg_text){.x = picture->left - 7,
                          .y = picture->top + picture->cell_height * ((double)r + 0.5) + 4.5,
                          .anchor = FC_SVG_END},
            text, strlen(text));
    }
}

static double bar_height(const map_picture *picture) {
    return fmax(picture->bottom - picture->top, 100);
}

static void draw_colour_bar(const map_picture *picture) {
    enum { BANDS = 64 };
    const fc_heatmap *map = picture->map;
    const double x = picture->right + BAR_GAP, height = bar_height(picture);
    if (!(map->low <= map->high))
        return;
    for (int band = 0; band < BANDS; band++) {
        const fc_rgb colour = fc_heat_colour((band + 0.5) / BANDS);
        fprintf(picture->stream,
                "<rect x=\"%.1f\" y=\"%.2f\" width=\"%d\" height=\"%.2f\" "
                "fill=\"#%02x%02x%02x\"/>\n",
                x, picture->top + height * (1 - (band + 1.0) / BANDS), BAR_WIDTH,
                height / BANDS + 0.3, (unsigned)colour.red, (unsigned)colour.green,
                (unsigned)colour.blue);
    }
    for (size_t t = 0; t < picture->scale.tick_count; t++) {
        const fc_tick *tick = &picture->scale.ticks[t];
        const bool inside = tick->value >= map->low && tick->value <= map->high;
        if (!inside)
            continue;
        const double level = map->high > map->low ? fc_heatmap_level(map, tick->value) : 0.5;
        const double y = picture->top + height * (1 - level);
        fprintf(picture->stream, "<path class=\"fc-axis\" d=\"M%.1f %.1fh5\"/>\n", x + BAR_WIDTH,
                y);
        fc_svg_write_text(picture->stream, (fc_svg_text){.x = x + BAR_WIDTH + 9, .y = y + 4.5},
                          tick->label, strlen(tick->label));
    }
}

static void place(map_picture *picture) {
    const fc_heatmap *map = picture->map;
    for (size_t t = 0; t < picture->scale.tick_count; t++) {
        const size_t letters = fc_text_width(picture->scale.ticks[t].label);
        picture->label_width = fmax(picture->label_width, FC_SVG_LETTER * (double)letters);
    }
    char last_row[24];
    const int row_digits = snprintf(last_row, sizeof last_row, "%zu", map->rows - 1);
    size_t letters_most = (size_t)row_digits;
    for (size_t r = 0; map->row_names && r < map->rows; r++) {
        const size_t letters = fc_text_width(map->row_names[r]);
        letters_most = letters > letters_most ? letters : letters_most;
    }
    picture->index_width = FC_SVG_LETTER * (double)(letters_most < 20 ? letters_most : 20);
    const double bar_room =
        BAR_ROOM + picture->label_width + (map->value_label[0] ? 22 : 0) + MARGIN;
    const size_t title = fc_svg_lines(map->title, WIDTH - 2 * MARGIN, FC_SVG_TITLE_LETTER);
    picture->left = MARGIN + 10 + picture->index_width + (map->row_axis[0] ? 20 : 0);
    picture->top = 16 + 22 * (double)title;
    const double room = WIDTH - picture->left - bar_room;
    picture->cell = fmin(LARGEST_CELL, room / (double)map->columns);
    picture->cell_height = fmin(fmin(picture->cell, 40), TALLEST / (double)map->rows);
    picture->left += 0.5 * (room - picture->cell * (double)map->columns);
    picture->right = picture->left + picture->cell * (double)map->columns;
    picture->bottom = picture->top + picture->cell_height * (double)map->rows;
    picture->numbers = picture->cell >= 36 && picture->cell_height >= 15;
}

static void draw_labels(const map_picture *picture) {
    const fc_heatmap *map = picture->map;
    char columns[96];
    snprintf(columns, sizeof columns, "%s%s%s", map->column_time > 0 ? "time (" : map->column_axis,
             map->column_time > 0 ? map->time_unit : "", map->column_time > 0 ? ")" : "");
    fc_svg_write_lines(
        picture->stream,
        (fc_svg_text){.x = WIDTH / 2.0, .y = 26, .anchor = FC_SVG_MIDDLE, .style = "fc-title"},
        map->title, WIDTH - 2 * MARGIN, FC_SVG_TITLE_LETTER, 22);
    fc_svg_write_text(picture->stream,
                      (fc_svg_text){.x = 0.5 * (picture->left + picture->right),
                                    .y = picture->bottom + 37,
                                    .anchor = FC_SVG_MIDDLE},
                      columns, strlen(columns));
    fc_svg_write_text(picture->stream,
                      (fc_svg_text){.x = picture->left - picture->index_width - 14,
                                    .y = 0.5 * (picture->top + picture->bottom),
                                    .anchor = FC_SVG_MIDDLE,
                                    .rise = 90},
                      map->row_axis, strlen(map->row_axis));
    fc_svg_write_text(picture->stream,
                      (fc_svg_text){.x = picture->right + BAR_ROOM + picture->label_width + 16,
                                    .y = picture->top + 0.5 * bar_height(picture),
                                    .anchor = FC_SVG_MIDDLE,
                                    .rise = 90},
                      map->value_label, strlen(map->value_label));
}

void fc_heatmap_svg(const fc_heatmap *map, bool standalone, FILE *stream) {
    map_picture picture = {.map = map, .stream = stream};
    if (map->low < map->high)
        fc_scale_fit(&picture.scale, map->low, map->high, false, 6);
    else
        fc_scale_single(&picture.scale, map->low);
    place(&picture);
    const double below = picture.bottom + (map->column_axis[0] ? 37 : 17) + MARGIN;
    fc_svg_begin(stream, WIDTH, ceil(fmax(below, picture.top + bar_height(&picture) + MARGIN)),
                 map->title, standalone);
    for (size_t r = 0; r < map->rows; r++) {
        for (size_t c = 0; c < map->columns; c++)
            draw_cell(&picture, r, c);
    }
    draw_indices(&picture);
    draw_colour_bar(&picture);
    draw_labels(&picture);
    fc_svg_end(stream);
}

fc_status fc_heatmap_write_svg(const fc_heatmap *map, FILE *stream) {
    if (!map || !stream)
        return FC_ERROR_ARGUMENT;
    fc_writing writing = fc_writing_begin();
    fc_heatmap_svg(map, true, stream);
    return fc_writing_end(&writing, stream, FC_OK);
}
