#include "output/text/characters.h"

#include <string.h>

static bool continues(char byte) {
    return ((unsigned char)byte & 0xC0) == 0x80;
}

size_t fc_text_character(const char *text) {
    const unsigned char first = (unsigned char)*text;
    if (first == 0)
        return 0;
    if (first < 0x80)
        return 1;
    const size_t length = first >= 0xC2 && first <= 0xDF   ? 2
                          : first >= 0xE0 && first <= 0xEF ? 3
                          : first >= 0xF0 && first <= 0xF4 ? 4
                                                           : 0;
    for (size_t i = 1; i < length; i++) {
        if (!continues(text[i]))
            return 0;
    }
    const unsigned char second = (unsigned char)text[length ? 1 : 0];
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
        (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F))
        return 0; /* overlong, surrogate, beyond the last character */
    return length;
}

size_t fc_text_columns(const char *text, size_t bytes) {
    size_t columns = 0;
    for (size_t b = 0; b < bytes; b++)
        columns += !continues(text[b]);
    return columns;
}

size_t fc_text_width(const char *text) {
    return fc_text_columns(text, strlen(text));
}

/* Bytes of the first characters of text, at most that many columns. */
static size_t first_bytes(const char *text, size_t columns) {
    size_t bytes = 0;
    while (text[bytes] && (columns > 0 || continues(text[bytes]))) {
        columns -= !continues(text[bytes]);
        bytes++;
    }
    return bytes;
}

/* Where to part a word that is longer than a line: behind a dot, a hyphen or an underscore, so that
 * keys and names stay readable; anywhere if it has none. */
static size_t word_break(const char *text, size_t most) {
    size_t end = most;
    while (end > 0 && text[end - 1] != '.' && text[end - 1] != '-' && text[end - 1] != '_')
        end--;
    return end > 0 ? end : most;
}

size_t fc_text_line(const char *text, size_t columns, const char **next) {
    const size_t most = first_bytes(text, columns ? columns : 1);
    const char *newline = memchr(text, '\n', most);
    if (newline) {
        *next = newline + 1;
        return (size_t)(newline - text);
    }
    if (text[most] == '\0') {
        *next = NULL;
        return most;
    }
    size_t end = most;
    if (text[most] != ' ' && text[most] != '\n') {
        while (end > 0 && text[end - 1] != ' ')
            end--;
        if (end == 0)
            end = word_break(text, most);
    }
    const char *rest = text + end;
    while (*rest == ' ')
        rest++;
    if (*rest == '\n')
        rest++;
    *next = *rest ? rest : NULL;
    while (end > 0 && text[end - 1] == ' ')
        end--;
    return end;
}

void fc_write_repeated(FILE *stream, const char *text, size_t count) {
    for (size_t i = 0; i < count; i++)
        fputs(text, stream);
}

void fc_write_spaces(FILE *stream, size_t count) {
    fc_write_repeated(stream, " ", count);
}

void fc_write_wrapped(FILE *stream, const char *text, size_t indent, size_t width) {
    const size_t columns = width > indent + 20 ? width - indent : width ? 20 : (size_t)-1;
    while (text) {
        const char *next = NULL;
        const size_t bytes = fc_text_line(text, columns, &next);
        if (bytes)
            fc_write_spaces(stream, indent);
        fwrite(text, 1, bytes, stream);
        fputc('\n', stream);
        text = next;
    }
}

void fc_bar_text(double share, bool plain, char text[FC_BAR_SIZE]) {
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    char *end = text;
    *end = '\0';
    if (!(share > 0))
        return;
    const double length = FC_BAR_COLUMNS * (share < 1 ? share : 1);
    const size_t parts = (size_t)(plain ? length + 0.5 : 8 * length + 0.5);
    for (size_t i = 0; i < (plain ? parts : parts / 8); i++)
        end = stpcpy(end, plain ? "#" : "█");
    if (!plain)
        stpcpy(end, eighths[parts % 8]);
}

static const char *xml_name(char character) {
    switch (character) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void fc_write_xml(FILE *stream, const char *text) {
    while (*text) {
        const size_t bytes = fc_text_character(text);
        const char *name = xml_name(*text);
        if (bytes == 0)
            fputs("\xEF\xBF\xBD", stream);
        else if (name)
            fputs(name, stream);
        else if ((unsigned char)*text >= 0x20 || *text == '\n' || *text == '\t')
            fwrite(text, 1, bytes, stream);
        text += bytes ? bytes : 1;
    }
}

void fc_write_csv(FILE *stream, const char *text) {
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}
