/* Schedules in the text form of GOAL (Hoefler, Siebert, Lumsdaine, ICPP 2009), as LogGOPSim and
 * ATLAHS read and Schedgen writes them:
 *
 *     num_ranks 2
 *     rank 0 {
 *     l1: calc 100
 *     l2: send 4096b to 1 tag 0
 *     l2 requires l1
 *     }
 *     rank 1 {
 *     l1: recv 4096b from 0 tag 0
 *     }
 *
 * An operation begins when all that it requires has ended and all that it irequires has begun. A
 * calc takes its number of cycles; those on one cpu of a rank follow each other. A send ends when
 * it begins, as in LogGOPSim with overhead 0 and messages that are sent eagerly: it hands the
 * message to the network. A recv ends when its message is there. The n-th recv from a rank with a
 * tag gets the n-th message from there with this tag, in the order of the file. Every node has one
 * link into the network, so `nic`, and the cpu of a send or recv, say nothing here.
 *
 * Refused: recv from any rank or with any tag (-1), of which a file does not say what they get. */
#ifndef FC_SCENARIO_GOAL_FILE_H
#define FC_SCENARIO_GOAL_FILE_H

#include "scenario/workload.h"

/* Whether a text begins as a schedule does: comments, then num_ranks. */
bool fc_goal_recognise(const char *text);
/* Changes the text; path is only named in messages. Free with fc_trace_clear. */
fc_status fc_goal_parse(char *text, const char *path, fc_error *error, fc_trace *trace);

#endif
