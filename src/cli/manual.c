#include "cli/manual.h"

#include <ctype.h>
#include <string.h>

/* An option or a program must come out as ASCII hyphens, so that it can be copied. */
static void write_escaped(const char *text, size_t length, FILE *stream) {
    if (length && (text[0] == '.' || text[0] == '\''))
        fputs("\\&", stream);
    for (size_t i = 0; i < length; ++i) {
        if (text[i] == '\\')
            fputs("\\e", stream);
        else if (text[i] == '-')
            fputs("\\-", stream);
        else
            fputc(text[i], stream);
    }
}

void write_manual_text(const char *text, FILE *stream) {
    bool code = false;
    while (*text) {
        const size_t length = strcspn(text, "\n");
        const bool indented = length > 2 && text[0] == ' ' && text[1] == ' ';
        if (indented != code)
            fputs(indented ? ".PP\n.nf\n.RS 4\n" : ".RE\n.fi\n.PP\n", stream);
        code = indented;
        if (length == 0) {
            fputs(".PP\n", stream);
        } else {
            write_escaped(text + (indented ? 2 : 0), length - (indented ? 2 : 0), stream);
            fputc('\n', stream);
        }
        text += length + (text[length] == '\n');
    }
    if (code)
        fputs(".RE\n.fi\n", stream);
}

static void write_title(const char *command, FILE *stream) {
    fputs(".TH FLITCAST", stream);
    if (command) {
        fputc('-', stream);
        for (; *command; ++command)
            fputc(toupper((unsigned char)*command), stream);
    }
    fprintf(stream, " 1 \"" MANUAL_DATE "\" \"Flitcast %s\" \"User commands\"\n", fc_version());
}

/* "as the manual page": begins small and ends with a full stop in the manual. */
static void write_sentence(const char *text, FILE *stream) {
    const size_t length = strlen(text);
    fputc(toupper((unsigned char)text[0]), stream);
    write_escaped(text + 1, length - 1, stream);
    fputs(text[length - 1] == '.' ? "\n" : ".\n", stream);
}

/* command: what has options of the same name itself is left out; NULL: all. */
static void write_options(const command_info *command, const option_info *options, FILE *stream) {
    for (; options && options->name; ++options) {
        if (command && find_option(command, options->name, strlen(options->name)) != options)
            continue;
        fputs(".TP\n.BI \"\\-\\-", stream);
        write_escaped(options->name, strlen(options->name), stream);
        if (options->argument)
            fprintf(stream, " \" \"%s", options->argument);
        fputs("\"\n", stream);
        write_sentence(options->help, stream);
    }
}

static void write_exit_status(FILE *stream) {
    fputs(".SH EXIT STATUS\n.TP\n.B 0\nDone. A saturated network is an answer, not a failure.\n"
          ".TP\n.B 1\nFailed or interrupted; a sentence on the standard error says why.\n"
          ".TP\n.B 2\nWrong usage.\n",
          stream);
}

void write_command_manual(const command_info *command, FILE *stream) {
    write_title(command->name, stream);
    fprintf(stream, ".SH NAME\nflitcast\\-%s \\- %c", command->name,
            tolower((unsigned char)command->summary[0]));
    write_escaped(command->summary + 1, strlen(command->summary) - 1, stream);
    fprintf(stream, "\n.SH SYNOPSIS\n.B flitcast %s\n", command->name);
    if (command->operands[0])
        fprintf(stream, ".I %s\n", command->operands);
    fputs(".RI [ OPTIONS ]\n.SH DESCRIPTION\n", stream);
    write_sentence(command->summary, stream);
    if (command->text) {
        fputs(".PP\n", stream);
        write_manual_text(command->text, stream);
    }
    fputs(".SH OPTIONS\n", stream);
    write_options(command, command->options, stream);
    if (command->scenario)
        write_options(command, scenario_options, stream);
    write_options(command, common_options, stream);
    write_exit_status(stream);
    if (command->examples) {
        fputs(".SH EXAMPLES\nThe files are among the examples that come with Flitcast.\n", stream);
        write_manual_text(command->examples, stream);
    }
    fputs(".SH SEE ALSO\n.BR flitcast (1),\n.BR flitcast\\-scenario (5)\n", stream);
}

static void write_command_list(FILE *stream) {
    fputs(".SH COMMANDS\nEach has a page of its own, for example\n.BR flitcast\\-sweep (1).\n",
          stream);
    for (size_t i = 0; commands[i]; ++i) {
        fprintf(stream, ".TP\n.BI \"%s \" \"%s\"\n", commands[i]->name, commands[i]->operands);
        write_sentence(commands[i]->summary, stream);
    }
}

void write_program_manual(FILE *stream) {
    write_title(NULL, stream);
    fputs(".SH NAME\n"
          "flitcast \\- forecast the performance of interconnection networks\n"
          ".SH SYNOPSIS\n.B flitcast\n.I COMMAND\n.RI [ OPERANDS ]\n.RI [ OPTIONS ]\n"
          ".SH DESCRIPTION\n"
          "Forecasts latency, throughput, saturation and processor efficiency of an\n"
          "interconnection network. A scenario file, see\n.BR flitcast\\-scenario (5),\n"
          "describes the network and its traffic. An analytical model answers in micro\\- to\n"
          "milliseconds; a simulator of the same network measures it with a 95 % confidence\n"
          "interval, so that the forecast comes with its error.\n",
          stream);
    write_command_list(stream);
    fputs(".SH OPTIONS\nThose that all commands have:\n", stream);
    write_options(NULL, common_options, stream);
    fputs(".PP\nThose of all commands that read a scenario:\n", stream);
    write_options(NULL, scenario_options, stream);
    write_exit_status(stream);
    fputs(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf set and not empty: no colours.\n"
          ".SH EXAMPLES\nA first look, then a network of one's own:\n",
          stream);
    write_manual_text("  flitcast demo\n"
                      "  flitcast compare my_network.yaml --precision 0.05",
                      stream);
    fputs(".SH SEE ALSO\n.BR flitcast\\-scenario (5)", stream);
    for (size_t i = 0; commands[i]; ++i)
        fprintf(stream, ",\n.BR flitcast\\-%s (1)", commands[i]->name);
    fputc('\n', stream);
}
