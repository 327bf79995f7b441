/* The directory of a run (docs/running.md): its lock and its contents.
 *
 *     `scene.json` contains the scene as it was given.
 *     `cache.h5` contains frames, contacts, steps (docs/cache.md).
 *     `checkpoint.bin` is the checkpoint for resuming the run; the previous one is checkpoint.previous.bin.
 *     `outcome.json`    says how the run ended, or that it is running.
 *     `probes/NAME.csv` contains the rows of a probe.
 *     `.lock`           is locked by the process that writes; the system releases the lock when the process ends for any reason.
 *     `.reserve` is a small file that is deleted on a full disk, so that outcome.json can still be written. */
#ifndef CST_RUN_RUN_DIRECTORY_H
#define CST_RUN_RUN_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>

typedef enum cst_directory_state {
    CST_DIRECTORY_EMPTY = 0,
    CST_DIRECTORY_RUN,  /* the directory holds a run, because it contains an outcome.json */
    CST_DIRECTORY_OTHER /* the directory contains other files */
} cst_directory_state;

typedef struct cst_run_directory {
    char *path;
    char *cache, *checkpoint, *previous, *next, *outcome, *scene, *probes, *reserve;
    int lock;
    cst_directory_state state;
} cst_run_directory;

/* Creates the directory if it does not exist (with `must_exist` this is an error), and locks it unless it contains other files.
 * Returns false with a message if another process is writing to the directory, if the path is a file, or if the directory cannot
 * be written to. Close the directory in either case. */
bool cst_run_directory_open(cst_run_directory *directory, const char *path, bool must_exist, char *message, size_t message_size);
void cst_run_directory_close(cst_run_directory *directory);

/* An earlier run is removed in three stages: its checkpoints (cst_run_directory_forget), then outcome.json is replaced, then its
 * results are removed (cst_run_directory_clear). If the process dies between these stages, the directory holds a run that can be
 * resumed or that starts again. Other files are not removed. The functions cst_run_directory_forget and cst_run_directory_clear
 * return false with a message if a file cannot be removed. */
bool cst_run_directory_forget(const cst_run_directory *directory, char *message, size_t message_size);
bool cst_run_directory_clear(const cst_run_directory *directory, char *message, size_t message_size);

/* Removes incomplete files of a process that was killed. */
void cst_run_directory_sweep(const cst_run_directory *directory);

bool cst_run_directory_reserve(const cst_run_directory *directory, char *message, size_t message_size);
void cst_run_directory_release(const cst_run_directory *directory);

/* Returns true if a process is writing to the directory. */
bool cst_run_directory_busy(const char *path);

#endif
