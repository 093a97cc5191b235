/* Tables of simulated networks: NAME.csv, or packed NAME.csv.xz. */
#ifndef FC_FIT_TABLE_TEXT_H
#define FC_FIT_TABLE_TEXT_H

extern const char fit_tables[]; /* the folder fit/tables */

/* The table of that name in the directory or, where it has none, in fit/tables; NULL: there is
 * none. Free with free. Stops the program where a packed one cannot be unpacked. */
char *table_text(const char *directory, const char *name);

/* The next line, ended by a zero instead of its line break; NULL after the last. */
char *table_next_line(char **rest);

#endif
