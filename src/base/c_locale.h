/* Numbers as the C locale writes them. A program may have set a locale that writes 1,5 for 1.5;
 * scenarios, results and sentences must not depend on it. */
#ifndef FC_BASE_C_LOCALE_H
#define FC_BASE_C_LOCALE_H

#include <locale.h>

typedef struct fc_c_locale {
    locale_t made, previous;
} fc_c_locale;

/* Between these two calls, this thread prints and reads numbers as the C locale does. They may be
 * nested. */
fc_c_locale fc_c_locale_begin(void);
void fc_c_locale_end(fc_c_locale *locale);

/* The same from here to the end of the block. */
#define FC_IN_C_LOCALE                                                                             \
    fc_c_locale c_locale_ __attribute__((cleanup(fc_c_locale_end), unused)) = fc_c_locale_begin()

#endif
