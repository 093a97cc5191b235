/* Manual pages in man(7), made from the table of commands so that they cannot go stale. */
#ifndef FC_CLI_MANUAL_H
#define FC_CLI_MANUAL_H

#include "cli/cli.h"

/* The day the texts of the manual were last gone through; a page must carry one. */
#define MANUAL_DATE "2026-11-15"

/* flitcast(1) */
void write_program_manual(FILE *stream);
/* flitcast-COMMAND(1) */
void write_command_manual(const command_info *command, FILE *stream);
/* Prose or code with what man(7) gives a meaning taken away: hyphens, backslashes, leading dots. A
 * line that begins with two spaces is code and is not filled; an empty line parts paragraphs. */
void write_manual_text(const char *text, FILE *stream);

#endif
