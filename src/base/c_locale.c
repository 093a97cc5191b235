#include "base/c_locale.h"

fc_c_locale fc_c_locale_begin(void) {
    fc_c_locale locale = {.made = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    if (locale.made)
        locale.previous = uselocale(locale.made);
    return locale;
}

void fc_c_locale_end(fc_c_locale *locale) {
    if (!locale->made)
        return;
    uselocale(locale->previous);
    freelocale(locale->made);
    locale->made = (locale_t)0;
}
