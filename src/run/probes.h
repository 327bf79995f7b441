/* Probes of a scene. Each probe has its own CSV file in the directory of a run: a row of names with units, then a row for each
 * frame (or each step). The rows of probes are kept in memory until cst_probes_commit writes them to the files. */
#ifndef CST_RUN_PROBES_H
#define CST_RUN_PROBES_H

#include "run/probe_sums.h"
#include "run/run_directory.h"
#include "scene/scene.h"

typedef struct cst_probe_files cst_probe_files;

/* `dim`: of the world. `mark`: lengths and checksums of the probe files from a checkpoint, or NULL to create new files. If `mark`
 * is given, the bytes of each probe file up to its length in `mark` must have the checksum in `mark`; all later bytes are
 * removed. If a probe file cannot be opened or is damaged, changes no file, returns NULL and writes a message. */
cst_probe_files *cst_probes_open(const cst_run_directory *directory, int dim, const cst_probe *probe, int probes,
                                 const cst_probe_mark *mark, char *message, size_t message_size);
void cst_probes_close(cst_probe_files *files); /* discards unwritten rows; NULL is allowed */

/* Adds a row to every probe. Returns false if memory ran out. */
bool cst_probes_sample(cst_probe_files *files, const cst_world *world);

/* Returns true if each probe file is at least as long as the array `mark` says and its bytes up to this length have the checksum
 * in `mark`; otherwise returns false with a message "PATH: reason". */
bool cst_probes_verify(const cst_run_directory *directory, const cst_probe *probe, int probes, const cst_probe_mark *mark,
                       char *message, size_t message_size);

/* Writes all rows in memory to the probe files and waits until they are on disk. The array `mark`, with one entry for each probe,
 * receives the length and the checksum of each probe file. If writing to a probe file fails, the file is shortened to its
 * previous length, the files after it are not written, and the function returns false with a message. */
bool cst_probes_commit(cst_probe_files *files, cst_probe_mark *mark, char *message, size_t message_size);

#endif
