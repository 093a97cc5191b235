/* Numbers as text. All print as in the C locale if the thread is in it (see fc_writing_begin).
 */
#ifndef FC_OUTPUT_NUMBERS_H
#define FC_OUTPUT_NUMBERS_H

#include <stdbool.h>

enum { FC_NUMBER_SIZE = 40 };

/* All of these leave an empty text for a value that is not finite. */

/* Significant digits, no trailing zeros; whole numbers below 1e9 in full. */
void fc_number_text(double value, int digits, char text[FC_NUMBER_SIZE]);
/* The shortest text that reads back as the same double. */
void fc_number_exact(double value, char text[FC_NUMBER_SIZE]);
/* Rounded to two significant digits of the half width, both to the same place. Without a half
 * width: six digits of the value, and an empty half_text. */
void fc_number_interval(double value, double half_width, char value_text[FC_NUMBER_SIZE],
                        char half_text[FC_NUMBER_SIZE]);
/* A relative difference: 0.0123 is "+1.2 %". */
void fc_number_percent(double ratio, char text[FC_NUMBER_SIZE]);
/* A large count to three digits: "1.25 million". */
void fc_number_count(double count, char text[FC_NUMBER_SIZE]);
/* Elapsed time in a unit that suits it: "3.2 us", "12 ms", "4.5 s". */
void fc_number_seconds(double seconds, char text[FC_NUMBER_SIZE]);

#endif
