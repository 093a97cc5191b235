#include "output/text/grid.h"

#include "base/memory.h"
#include "output/text/characters.h"
#include "output/text/writing.h"

#include <stdlib.h>
#include <string.h>

enum { GAP = 2, NARROWEST_TEXT = 12, LONGEST_WORD = 24 };

typedef struct grid_cell {
    char *text; /* NULL: empty */
    bool number, unbroken;
} grid_cell;

typedef struct grid_column {
    size_t width;
    size_t narrowest;  /* texts are not wrapped below this: their longest word */
    size_t head, tail; /* of the numbers: columns before the decimal point, and from it on */
    bool numbers, unbroken;
} grid_column;

struct fc_grid {
    size_t columns, rows, capacity; /* row 0 is the header */
    size_t next;                    /* column of the next cell */
    grid_cell *cells;               /* capacity x columns */
    grid_column *layout;
    size_t keys; /* 0: not known */
    bool headed, failed, leave_out;
};

static grid_cell *cell_at(const fc_grid *grid, size_t row, size_t column) {
    return &grid->cells[row * grid->columns + column];
}

static void grid_free(fc_grid *grid) {
    if (!grid)
        return;
    for (size_t c = 0; c < grid->rows * grid->columns; c++)
        fc_release(grid->cells[c].text);
    fc_release(grid->cells);
    fc_release(grid->layout);
    fc_release(grid);
}

void fc_grid_row(fc_grid *grid) {
    if (!grid || grid->failed)
        return;
    grid_cell *cells = fc_make_room(grid->cells, &grid->capacity, grid->rows, 1,
                                    grid->columns * sizeof *grid->cells);
    if (!cells) {
        grid->failed = true;
        return;
    }
    grid->cells = cells;
    memset(cell_at(grid, grid->rows, 0), 0, grid->columns * sizeof *grid->cells);
    grid->rows++;
    grid->next = 0;
}

void fc_grid_cell(fc_grid *grid, const char *text, bool number) {
    if (!grid || grid->failed || grid->next >= grid->columns)
        return;
    grid_cell *cell = cell_at(grid, grid->rows - 1, grid->next++);
    cell->number = number;
    if (!text[strspn(text, " ")])
        return;
    cell->text = fc_copy_text(text);
    if (!cell->text)
        grid->failed = true;
}

void fc_grid_unbroken(fc_grid *grid, const char *text) {
    if (!grid || grid->failed || grid->next >= grid->columns)
        return;
    cell_at(grid, grid->rows - 1, grid->next)->unbroken = true;
    fc_grid_cell(grid, text, false);
}

/* "N_out = 4, 5 %" is broken after its comma alone: an equals sign keeps what it joins together,
 * and a number its per cent sign. */
static const char unbroken_space[] = "\xC2\xA0";

static char *header_text(const char *name) {
    char *text = fc_allocate(2 * strlen(name) + 1, 1);
    if (!text)
        return NULL;
    char *to = text;
    for (const char *at = name; *at; at++) {
        const bool joins =
            *at == ' ' && (at[1] == '=' || at[1] == '%' || (at > name && at[-1] == '='));
        if (joins) {
            memcpy(to, unbroken_space, 2);
            to += 2;
        } else {
            *to++ = *at;
        }
    }
    *to = '\0';
    return text;
}

fc_grid *fc_grid_create(const char *const *header, size_t columns) {
    fc_grid *grid = fc_allocate(1, sizeof *grid);
    if (!grid)
        return NULL;
    grid->columns = columns;
    grid->layout = fc_allocate(columns, sizeof *grid->layout);
    grid->failed = !grid->layout;
    fc_grid_row(grid);
    for (size_t c = 0; header && c < columns; c++) {
        const char *name = header[c] ? header[c] : "";
        char *text = header_text(name);
        grid->failed |= !text;
        fc_grid_cell(grid, text ? text : "", false);
        grid->headed |= *name != '\0';
        fc_release(text);
    }
    return grid;
}

void fc_grid_set_keys(fc_grid *grid, size_t keys, bool leave_out) {
    if (!grid)
        return;
    grid->keys = keys < grid->columns ? keys : grid->columns;
    grid->leave_out = leave_out;
}

/* Columns before the decimal point, or before what follows a whole number: "12" of "12.5", "± 0"
 * of "± 0.1", "7" of "7 %". */
static size_t number_head(const char *text) {
    const char *at = text;
    for (bool digits = false; *at; at++) {
        const bool digit = *at >= '0' && *at <= '9';
        if (*at == '.' || (digits && !digit))
            break;
        digits |= digit;
    }
    return fc_text_columns(text, (size_t)(at - text));
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

static size_t longest_word(const char *text) {
    size_t longest = 0;
    while (*text) {
        const size_t bytes = strcspn(text, " \n");
        longest = larger(longest, fc_text_columns(text, bytes));
        text += bytes;
        text += strspn(text, " \n");
    }
    return longest;
}

/* The widest of its lines, if none may be wider than `width`. */
static size_t widest_line_within(const char *text, size_t width) {
    size_t widest = 0;
    while (text) {
        const char *next = NULL;
        const size_t bytes = fc_text_line(text, width, &next);
        widest = larger(widest, fc_text_columns(text, bytes));
        text = next;
    }
    return widest;
}

static size_t widest_line(const char *text) {
    return widest_line_within(text, (size_t)-1);
}

static void measure(fc_grid *grid, size_t column) {
    grid_column *layout = &grid->layout[column];
    for (size_t r = 1; r < grid->rows; r++) {
        const grid_cell *cell = cell_at(grid, r, column);
        if (!cell->text)
            continue;
        if (cell->number) {
            const size_t head = number_head(cell->text);
            layout->head = larger(layout->head, head);
            layout->tail = larger(layout->tail, fc_text_width(cell->text) - head);
            layout->numbers = true;
        } else {
            layout->width = larger(layout->width, widest_line(cell->text));
            layout->narrowest =
                larger(layout->narrowest,
                       cell->unbroken ? widest_line(cell->text) : longest_word(cell->text));
            layout->unbroken |= cell->unbroken;
        }
    }
    if (layout->narrowest > LONGEST_WORD && !layout->unbroken)
        layout->narrowest = LONGEST_WORD;
    layout->narrowest = larger(layout->narrowest, NARROWEST_TEXT);
    layout->width = larger(layout->width, layout->head + layout->tail);
}

static size_t total_width(const fc_grid *grid, size_t indent) {
    size_t total = indent + GAP * (grid->columns - 1);
    for (size_t c = 0; c < grid->columns; c++)
        total += grid->layout[c].width;
    return total;
}

/* Headers are on one line if the table then fits; otherwise they are wrapped. */
static void fit_headers(fc_grid *grid, size_t indent, size_t width) {
    size_t natural = total_width(grid, indent);
    for (size_t c = 0; c < grid->columns; c++) {
        const char *name = cell_at(grid, 0, c)->text;
        const size_t header = name ? widest_line(name) : 0;
        if (header > grid->layout[c].width)
            natural += header - grid->layout[c].width;
    }
    for (size_t c = 0; c < grid->columns; c++) {
        const char *name = cell_at(grid, 0, c)->text;
        if (name) {
            grid->layout[c].width = larger(
                grid->layout[c].width, natural <= width ? widest_line(name) : longest_word(name));
        }
    }
}

/* Texts are wrapped, those of the widest column first, until the table fits or none can be. */
static void fit_texts(fc_grid *grid, size_t indent, size_t width) {
    while (total_width(grid, indent) > width) {
        grid_column *widest = NULL;
        for (size_t c = 0; c < grid->columns; c++) {
            grid_column *layout = &grid->layout[c];
            if (!layout->numbers && layout->width > layout->narrowest &&
                (!widest || layout->width > widest->width))
                widest = layout;
        }
        if (!widest)
            return;
        widest->width--;
    }
}

/* Wrapped texts may leave a column narrower than it was allowed to be. */
static void tighten(fc_grid *grid) {
    for (size_t c = 0; c < grid->columns; c++) {
        grid_column *layout = &grid->layout[c];
        size_t needed = layout->head + layout->tail;
        for (size_t r = 0; r < grid->rows; r++) {
            const grid_cell *cell = cell_at(grid, r, c);
            if (cell->text && !cell->number)
                needed = larger(needed, widest_line_within(cell->text, layout->width));
        }
        layout->width = needed;
    }
}

/* Columns beside each other: [first, end), after the first ones of the table that are
 * repeated. What does not fit beside each other goes below each other. */
typedef struct grid_block {
    size_t first, end, repeated;
} grid_block;

/* Does some row have the same texts in these first columns as the one above it? */
static bool rows_look_alike(const fc_grid *grid, size_t columns) {
    for (size_t r = 2; r < grid->rows; r++) {
        size_t same = 0;
        while (same < columns) {
            const char *text = cell_at(grid, r, same)->text;
            const char *above = cell_at(grid, r - 1, same)->text;
            if (strcmp(text ? text : "", above ? above : "") != 0)
                break;
            same++;
        }
        if (same == columns)
            return true;
    }
    return false;
}

/* The columns that tell rows apart: as many of those of texts at the left as it takes, and as two
 * thirds of the width have room for; at least one. */
static size_t leading_columns(const fc_grid *grid, size_t indent, size_t width) {
    if (grid->keys)
        return grid->keys;
    size_t count = 1, used = indent + grid->layout[0].width;
    while (count < grid->columns && !grid->layout[count].numbers && rows_look_alike(grid, count)) {
        used += GAP + grid->layout[count].width;
        if (used > 2 * width / 3)
            break;
        count++;
    }
    return count;
}

static size_t block_columns(const grid_block *block) {
    return block->end - block->first + block->repeated;
}

static size_t block_column(const grid_block *block, size_t index) {
    return index < block->repeated ? index : block->first + index - block->repeated;
}

static grid_block next_block(const fc_grid *grid, size_t first, size_t indent, size_t width) {
    grid_block block = {.first = first, .end = first};
    size_t used = indent;
    const size_t leading = first > 0 ? leading_columns(grid, indent, width) : 0;
    for (; block.repeated < leading && block.repeated < first; block.repeated++)
        used += grid->layout[block.repeated].width + (block.repeated ? GAP : 0);
    while (block.end < grid->columns) {
        used += grid->layout[block.end].width + (block_columns(&block) ? GAP : 0);
        if (used > width && block.end > first + (first == 0 ? (grid->keys ? grid->keys : 1) : 0))
            break;
        block.end++;
    }
    return block;
}

/* Spaces that keep words together are plain ones when they are read. */
static void write_words(const char *text, size_t bytes, FILE *stream) {
    while (bytes > 0) {
        const char *space = memmem(text, bytes, unbroken_space, 2);
        const size_t before = space ? (size_t)(space - text) : bytes;
        fwrite(text, 1, before, stream);
        if (!space)
            return;
        fputc(' ', stream);
        text += before + 2;
        bytes -= before + 2;
    }
}

/* One line of a cell, padded to the width of its column; *text moves to the next line. */
static void write_cell_line(const grid_column *layout, const char **text, bool number, bool last,
                            FILE *stream) {
    size_t bytes = 0, width = 0, left = 0;
    const char *start = *text;
    if (start) {
        bytes = number ? strlen(start) : fc_text_line(start, layout->width, text);
        width = fc_text_columns(start, bytes);
        if (number) {
            left = layout->width - layout->tail - number_head(start);
            *text = NULL;
        } else if (layout->numbers && width < layout->width) {
            left = layout->width - width;
        }
    }
    if (bytes == 0 && last)
        return;
    fc_write_spaces(stream, left);
    if (bytes)
        write_words(start, bytes, stream);
    if (!last && left + width < layout->width)
        fc_write_spaces(stream, layout->width - left - width);
}

static void write_row(const fc_grid *grid, size_t row, size_t indent, const grid_block *block,
                      const char **texts, FILE *stream) {
    const size_t columns = block_columns(block);
    size_t left; /* columns that still have a text */
    for (size_t i = 0; i < columns; i++)
        texts[i] = cell_at(grid, row, block_column(block, i))->text;
    do {
        size_t used = 0; /* up to the last column with a text: no blanks at the end of lines */
        for (size_t i = 0; i < columns; i++)
            used = texts[i] ? i + 1 : used;
        if (used)
            fc_write_spaces(stream, indent);
        left = 0;
        for (size_t i = 0; i < used; i++) {
            const size_t c = block_column(block, i);
            if (i > 0)
                fc_write_spaces(stream, GAP);
            write_cell_line(&grid->layout[c], &texts[i], cell_at(grid, row, c)->number,
                            i + 1 == used, stream);
            left += texts[i] != NULL;
        }
        fputc('\n', stream);
    } while (left);
}

static void write_header(const fc_grid *grid, size_t indent, const grid_block *block, bool colour,
                         const char **texts, FILE *stream) {
    fc_ink(stream, colour, FC_INK_BOLD);
    write_row(grid, 0, indent, block, texts, stream);
    fc_ink_end(stream, colour);
    fc_write_spaces(stream, indent);
    size_t ruled = block_columns(block); /* a nameless last column, of bars, has no rule either */
    while (ruled > 0 && !cell_at(grid, 0, block_column(block, ruled - 1))->text)
        ruled--;
    for (size_t i = 0; i < ruled; i++) {
        if (i > 0)
            fc_write_spaces(stream, GAP);
        fc_write_repeated(stream, colour ? "─" : "-", grid->layout[block_column(block, i)].width);
    }
    fputc('\n', stream);
}

static void write_left_out(const fc_grid *grid, size_t first, size_t indent, size_t width,
                           FILE *stream) {
    char *names = NULL;
    size_t length = 0;
    FILE *text = open_memstream(&names, &length);
    if (!text)
        return;
    fputs("Left out for lack of width: ", text);
    for (size_t c = first; c < grid->columns; c++)
        fprintf(text, "%s%s", c > first ? ", " : "", cell_at(grid, 0, c)->text);
    fputc('.', text);
    if (fclose(text) == 0)
        fc_write_wrapped(stream, names, indent, width);
    free(names);
}

static void write_blocks(const fc_grid *grid, size_t indent, const fc_write_settings *settings,
                         const char **texts, FILE *stream) {
    for (size_t first = 0; first < grid->columns;) {
        const grid_block block = next_block(grid, first, indent, settings->width);
        if (first > 0)
            fputc('\n', stream);
        if (grid->headed)
            write_header(grid, indent, &block, settings->colour, texts, stream);
        for (size_t r = 1; r < grid->rows; r++)
            write_row(grid, r, indent, &block, texts, stream);
        first = block.end;
        if (grid->leave_out && first < grid->columns) {
            write_left_out(grid, first, indent, settings->width, stream);
            return;
        }
    }
}

fc_status fc_grid_write(fc_grid *grid, size_t indent, const fc_write_settings *settings,
                        FILE *stream) {
    const char **texts = grid ? fc_allocate(grid->columns + 1, sizeof *texts) : NULL;
    if (!texts || grid->failed) {
        fc_release(texts);
        grid_free(grid);
        return FC_ERROR_MEMORY;
    }
    for (size_t c = 0; c < grid->columns; c++)
        measure(grid, c);
    fit_headers(grid, indent, settings->width);
    fit_texts(grid, indent, settings->width);
    tighten(grid);
    write_blocks(grid, indent, settings, texts, stream);
    fc_release(texts);
    grid_free(grid);
    return FC_OK;
}
