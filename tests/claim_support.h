/* What tests of papers ask of a report. */
#ifndef CLAIM_SUPPORT_H
#define CLAIM_SUPPORT_H

#include "flitcast/flitcast.h"

static inline size_t claims_failed(const fc_report *report) {
    size_t failed;
    fc_report_claims(report, &failed);
    return failed;
}

#endif
