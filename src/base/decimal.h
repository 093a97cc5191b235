/* Decimal numbers from and to text. */
#ifndef FC_BASE_DECIMAL_H
#define FC_BASE_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

/* Digits only, at most `most`. */
bool fc_parse_whole(const char *text, uint64_t most, uint64_t *number);
/* A finite number and nothing behind it. */
bool fc_parse_real(const char *text, double *number);

enum { FC_REAL_SIZE = 32 };
/* The shortest text that reads back as the same number; of a finite one. */
void fc_real_text(double number, char text[FC_REAL_SIZE]);

#endif
