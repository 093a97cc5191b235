/* A sweep over the processes of an MPI job: rank 0 owns the grid, the store and the output and
 * hands out points; the others evaluate them. Built only where MPI is (FLITCAST_MPI). */
#ifndef FC_CLI_SWEEP_MPI_H
#define FC_CLI_SWEEP_MPI_H

#include "cli/cli.h"

typedef struct mpi_team {
    int rank, size;
    const volatile int *cancel; /* may be NULL */
    fc_crew crew;               /* of rank 0 */
    int *idle;                  /* ranks without a job */
    size_t idle_count;
} mpi_team;

/* Starts MPI. Ranks other than 0 print nothing from then on. */
bool mpi_start(mpi_team *team);
/* The standard input reaches rank 0 alone: gives each rank a copy as its own. False: it could not
 * be kept. */
bool mpi_share_input(const mpi_team *team);
/* What the other ranks do until rank 0 ends. scenario NULL: this rank could not read it. */
void mpi_work(const mpi_team *team, const fc_scenario *scenario, const fc_sweep_settings *sweep,
              const fc_run_settings *settings);
/* Rank 0 tells the others to stop; then all end MPI. */
void mpi_end(mpi_team *team);

#endif
