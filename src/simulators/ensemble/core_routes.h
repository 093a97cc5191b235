/* Routes of the kernels of core_frequent.h, by digits that are parts of words: part of
 * core_rules.h. Threads would take both ways of a branch one after the other, so there are few. */

/* As core_route of core_messages.h. */
FC_CORE_DEVICE uint32_t core_route(const core_networks *x, uint32_t at, uint32_t lane,
                                   uint32_t entry, uint32_t *kind) {
    const uint32_t choice = ENTRY_CHOICE(x, lane, entry), end = ENTRY_WORD(x, lane, entry);
    const uint32_t differ = x->word ^ end;
    const uint32_t d = lowest(differ) & x->second ? 1 : 0, rising = choice >> d & 1;
    (void)at;
    *kind = 0;
#ifndef FC_CORE_FREE
    const fc_core_rule *rule = &x->plan->rule[0];
    if (rule->lower && differ) { /* a rule that looks at digits */
        const uint32_t digit = d ? x->second : ~x->second, to = end & digit;
        const uint32_t here = x->word & digit, from = WORD(ENTRY_SOURCE(x, lane, entry)) & digit;
        *kind = rule->rule == FC_CORE_HIGH_LOW   ? to > here
                : rule->rule == FC_CORE_DATELINE ? (rising ? here < from : here > from)
                                                 : (rising ? to < from : to > from);
    }
#endif
    return x->ports >> (differ ? d * 2 + rising : 4) * 4 & 15;
}
