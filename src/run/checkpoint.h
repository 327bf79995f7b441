/* A checkpoint contains everything that a run needs to continue as if it had never stopped: the world, the statistics of the run,
 * and the length of each result file at the time of the checkpoint.
 *
 * A new checkpoint is written to a temporary file, which is then renamed. The previous checkpoint is kept in another file. A
 * checksum detects a damaged file. A checkpoint has the byte order and struct layout of the machine, because it is only used to
 * resume a run on the same machine. */
#ifndef CST_RUN_CHECKPOINT_H
#define CST_RUN_CHECKPOINT_H

#include "cache/cache_format.h"
#include "capstan/run.h"
#include "run/probe_sums.h"
#include "run/run_directory.h"

/* Returns true if the largest error of the energy balance in the run so far (docs/world.md) exceeds 1 % of the energy converted
 * during the run (`moved` in cst_energies) plus 1e-9 of the present energy, which allows for rounding. */
bool cst_run_unexplained(const cst_run_totals *totals);

typedef enum cst_run_phase { CST_PHASE_RUNNING = 0, CST_PHASE_AT_END, CST_PHASE_AT_REST } cst_run_phase;

typedef struct cst_checkpoint {
    uint64_t settings; /* checksum of the scene and of all other settings that affect results */
    cst_run_phase phase;
    int64_t rows[CST_TABLES];
    cst_run_totals totals;
    int probes;
    cst_probe_mark *probe_mark; /* array (probes): length and checksum of each probe's file */
    uint8_t *world;             /* data of cst_world_save */
    size_t world_bytes;
} cst_checkpoint;

bool cst_checkpoint_write(const cst_run_directory *directory, const cst_checkpoint *checkpoint, char *message,
                          size_t message_size);

typedef enum cst_checkpoint_found {
    CST_CHECKPOINT_NONE = 0, /* there is no checkpoint */
    CST_CHECKPOINT_LAST,
    /* the last checkpoint is missing or damaged, so the previous one was read */
    CST_CHECKPOINT_PREVIOUS,
    CST_CHECKPOINT_DAMAGED /* the message says what is wrong */
} cst_checkpoint_found;

/* Reads the last valid checkpoint. Free it with cst_checkpoint_free. */
cst_checkpoint_found cst_checkpoint_read(const cst_run_directory *directory, cst_checkpoint *out, char *message,
                                         size_t message_size);
void cst_checkpoint_free(cst_checkpoint *checkpoint);

/* Decodes and checks the bytes of a checkpoint file; if they are not a checkpoint, returns false with a message. */
bool cst_checkpoint_decode(const uint8_t *bytes, size_t size, cst_checkpoint *out, char *message, size_t message_size);

#endif
