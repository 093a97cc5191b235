#include "scenario/patterns/pattern.h"

#define DECLARE(id, symbol, word, form) extern const fc_pattern_info fc_pattern_##symbol;
FC_PATTERN_LIST(DECLARE)

#define ENTRY(id, symbol, word, form) [id] = &fc_pattern_##symbol,
const fc_pattern_info *const fc_patterns[FC_PATTERNS] = {FC_PATTERN_LIST(ENTRY)};

#define NAME(id, symbol, word, form) [id] = (word),
const char *const fc_pattern_names[FC_PATTERNS + 1] = {FC_PATTERN_LIST(NAME)};

#define FORM(id, symbol, word, form) ", " form
const char fc_pattern_forms[] = FC_PATTERN_LIST(FORM);

bool fc_is_permutation(fc_pattern pattern, bool to_self) {
    const fc_pattern_info *info = fc_patterns[pattern];
    return info->map && !(to_self && info->draw);
}
