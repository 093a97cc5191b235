/* Text as a terminal shows it: widths, padding, wrapping; and escaping for other formats. */
#ifndef FC_OUTPUT_CHARACTERS_H
#define FC_OUTPUT_CHARACTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Bytes of the UTF-8 character at the start of text; 0 if it is none (or the end). */
size_t fc_text_character(const char *text);
/* Columns a UTF-8 text, or its first bytes, takes, one per character. */
size_t fc_text_width(const char *text);
size_t fc_text_columns(const char *text, size_t bytes);
/* Where a line of at most that many columns ends: at a newline, before a space, or, in a word that
 * is too long, inside it, behind a dot, hyphen or underscore if it has one. Returns the bytes of
 * the line; *next starts the rest, NULL if none. */
size_t fc_text_line(const char *text, size_t columns, const char **next);

void fc_write_spaces(FILE *stream, size_t count);
void fc_write_repeated(FILE *stream, const char *text, size_t count);
/* A paragraph, each line indented; ends with a newline. width 0: unlimited. */
void fc_write_wrapped(FILE *stream, const char *text, size_t indent, size_t width);
/* A bar of `share` (0..1) of up to FC_BAR_COLUMNS; block characters, or '#' if plain. */
enum { FC_BAR_COLUMNS = 24, FC_BAR_SIZE = 3 * FC_BAR_COLUMNS + 4 };
void fc_bar_text(double share, bool plain, char text[FC_BAR_SIZE]);

/* For element content and attribute values of XML and HTML. What XML forbids is left out, what
 * is not UTF-8 replaced. */
void fc_write_xml(FILE *stream, const char *text);
/* One CSV field, quoted where RFC 4180 wants it. */
void fc_write_csv(FILE *stream, const char *text);

#endif
