/* The directory of a run (docs/running.md): its lock and its contents.
 *
 *     `scene.json` contains the scene as it was given.
 *     `cache.h5` contains frames, contacts, steps (docs/cache.md).
 *     `checkpoint.bin` is the checkpoint from which the run can be resumed.
 *     `checkpoint.previous.bin` is the checkpoint before checkpoint.bin.
 *     `outcome.json` says how the run ended, or that the run is still in progress.
 *     `probes/NAME.csv` contains the rows that the probe NAME has recorded.
 *     `.lock` is locked by the process that writes to the directory; the operating system releases the lock when the process
 *     ends for any reason.
 *     `.reserve` is a small file that is deleted on a full disk, so that outcome.json can still be written. */
#ifndef CST_RUN_RUN_DIRECTORY_H
#define CST_RUN_RUN_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>

typedef enum cst_directory_state {
    CST_DIRECTORY_EMPTY = 0,
    CST_DIRECTORY_RUN,  /* has an outcome.json */
    CST_DIRECTORY_OTHER /* has other files */
} cst_directory_state;

typedef struct cst_run_directory {
    char *path;
    char *cache, *checkpoint, *previous, *next, *outcome, *scene, *probes, *reserve;
    int lock;
    cst_directory_state state;
} cst_run_directory;

/* Creates the directory if it does not exist; if `must_exist` is true, a missing directory is an error instead. Locks the
 * directory against other processes, unless it contains files but no run. Returns false with a message if another process is
 * writing to the directory, if the path is a file, or if the directory cannot be written to. Close the directory in either
 * case. */
bool cst_run_directory_open(cst_run_directory *directory, const char *path, bool must_exist, char *message, size_t message_size);
void cst_run_directory_close(cst_run_directory *directory);

/* The files of an earlier run in the directory are removed in three stages. First cst_run_directory_forget removes its
 * checkpoints. Then outcome.json is replaced. At last cst_run_directory_clear removes its results. If the process dies between
 * two stages of the removal of an earlier run, the directory still contains a valid run, which can be resumed or started again.
 * Other files are not removed, except files whose names end in .part. Of the directory `probes`, only the files that
 * checksums.txt lists are removed. The functions cst_run_directory_forget and cst_run_directory_clear return false with a message
 * if a checkpoint, cache.h5, its journal or .reserve cannot be removed. A probe file or a .part file that cannot be removed is
 * not an error. */
bool cst_run_directory_forget(const cst_run_directory *directory, char *message, size_t message_size);
bool cst_run_directory_clear(const cst_run_directory *directory, char *message, size_t message_size);

/* Removes the incomplete files that a killed process has left in the run directory. */
void cst_run_directory_sweep(const cst_run_directory *directory);

bool cst_run_directory_reserve(const cst_run_directory *directory, char *message, size_t message_size);
void cst_run_directory_release(const cst_run_directory *directory);

/* Returns true if another process holds the lock of the run directory, that is, writes to it. */
bool cst_run_directory_busy(const char *path);

#endif
