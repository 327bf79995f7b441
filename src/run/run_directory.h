/* The directory of a run (docs/running.md): who may write to it, and what it holds.
 *
 *     scene.json          the scene as it was given
 *     cache.h5            frames, contacts, steps (docs/cache.md)
 *     checkpoint.bin      from which the run is resumed; checkpoint.previous.bin: the one before
 *     outcome.json        how it ended, or that it is running
 *     probes/NAME.csv
 *     .lock               held by the process that writes: the system lets go of it however the process ends
 *     .reserve            a little room, given up on a full disk so that outcome.json can still be written */
#ifndef CST_RUN_RUN_DIRECTORY_H
#define CST_RUN_RUN_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>

typedef enum cst_directory_state {
    CST_DIRECTORY_EMPTY = 0,
    CST_DIRECTORY_RUN,  /* there is an outcome.json: it holds a run */
    CST_DIRECTORY_OTHER /* there are other things in it */
} cst_directory_state;

typedef struct cst_run_directory {
    char *path;
    char *cache, *checkpoint, *previous, *next, *outcome, *scene, *probes, *reserve;
    int lock;
    cst_directory_state state;
} cst_run_directory;

/* Makes it if it is not there (must_exist: an error then) and locks it, unless there are other things in it. False with a message: another process is writing to it,
 * it is a file, it cannot be written to. Close it either way. */
bool cst_run_directory_open(cst_run_directory *directory, const char *path, bool must_exist, char *message, size_t message_size);
void cst_run_directory_close(cst_run_directory *directory);

/* An earlier run is removed in three stages, so that dying in between leaves either a run that can still be resumed, or one that
 * begins again: its checkpoints (cst_run_directory_forget), then a new outcome.json in place of the old one, then its results
 * (cst_run_directory_clear), and nothing else. False with a message if something cannot be removed. */
bool cst_run_directory_forget(const cst_run_directory *directory, char *message, size_t message_size);
bool cst_run_directory_clear(const cst_run_directory *directory, char *message, size_t message_size);

/* Files that were being written when a process was killed. */
void cst_run_directory_sweep(const cst_run_directory *directory);

bool cst_run_directory_reserve(const cst_run_directory *directory, char *message, size_t message_size);
void cst_run_directory_release(const cst_run_directory *directory);

/* Is a process writing to it now? */
bool cst_run_directory_busy(const char *path);

#endif
