/* A check that a text is well-formed XML, as far as our writers use it: one root, tags that match,
 * quoted attributes that do not repeat, entities that exist, nothing forbidden. */
#ifndef XML_CHECK_H
#define XML_CHECK_H

#include "test_support.h"

#include <ctype.h>
#include <string.h>

typedef struct xml_reader {
    const char *start, *at;
    char open[64][32]; /* names of the elements that are open */
    size_t depth;
} xml_reader;

static inline void xml_fail(const xml_reader *reader, const char *what) {
    fail_msg("%s at byte %td, near: %.60s", what, reader->at - reader->start, reader->at);
}

static inline void xml_character(xml_reader *reader) {
    static const char *const entities[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&#39;"};
    if (*reader->at == '&') {
        for (size_t e = 0; e < sizeof entities / sizeof *entities; e++) {
            if (strncmp(reader->at, entities[e], strlen(entities[e])) == 0) {
                reader->at += strlen(entities[e]);
                return;
            }
        }
        xml_fail(reader, "unknown entity");
    }
    if (*reader->at == '<' || (unsigned char)*reader->at < 0x20) {
        if (*reader->at != '\n' && *reader->at != '\t')
            xml_fail(reader, "forbidden character");
    }
    reader->at++;
}

static inline void xml_name(xml_reader *reader, char name[32]) {
    size_t length = 0;
    while (isalnum((unsigned char)*reader->at) || *reader->at == '-' || *reader->at == ':') {
        if (length + 1 < 32)
            name[length++] = *reader->at;
        reader->at++;
    }
    name[length] = '\0';
    if (length == 0)
        xml_fail(reader, "a name is missing");
}

static inline void xml_attributes(xml_reader *reader) {
    char names[16][32];
    size_t count = 0;
    while (*reader->at == ' ') {
        reader->at++;
        assert_in_range(count, 0, 15);
        xml_name(reader, names[count]);
        for (size_t n = 0; n < count; n++) {
            if (strcmp(names[n], names[count]) == 0)
                xml_fail(reader, "repeated attribute");
        }
        count++;
        if (strncmp(reader->at, "=\"", 2) != 0)
            xml_fail(reader, "attribute without a quoted value");
        reader->at += 2;
        while (*reader->at && *reader->at != '"')
            xml_character(reader);
        if (!*reader->at)
            xml_fail(reader, "open quote");
        reader->at++;
    }
}

static inline void xml_tag(xml_reader *reader) {
    char name[32];
    reader->at++;
    if (*reader->at == '/') {
        reader->at++;
        xml_name(reader, name);
        if (reader->depth == 0 || strcmp(reader->open[reader->depth - 1], name) != 0)
            xml_fail(reader, "closing tag without its opening tag");
        reader->depth--;
    } else {
        xml_name(reader, name);
        xml_attributes(reader);
        if (*reader->at == '/') {
            reader->at++;
        } else {
            assert_in_range(reader->depth, 0, 63);
            memcpy(reader->open[reader->depth++], name, sizeof name);
        }
    }
    if (*reader->at++ != '>')
        xml_fail(reader, "tag without end");
}

static inline void assert_well_formed(const char *text) {
    xml_reader reader = {.start = text, .at = text};
    size_t roots = 0;
    if (strncmp(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", 39) == 0)
        reader.at += 39;
    while (*reader.at) {
        if (*reader.at == '<') {
            roots += reader.depth == 0;
            xml_tag(&reader);
        } else if (reader.depth == 0 && !isspace((unsigned char)*reader.at)) {
            xml_fail(&reader, "text outside of the root");
        } else {
            xml_character(&reader);
        }
    }
    if (reader.depth)
        xml_fail(&reader, "element left open");
    assert_int_equal(roots, 1);
}

#endif
