/* Probes of a scene. Each probe has its own CSV file in the directory of a run: a row of names with units, then a row for each
 * frame (or each step). Rows are kept in memory and are written to the files at a commit, like the rows of the cache. */
#ifndef CST_RUN_PROBES_H
#define CST_RUN_PROBES_H

#include "run/probe_sums.h"
#include "run/run_directory.h"
#include "scene/scene.h"

typedef struct cst_probe_files cst_probe_files;

/* `dim`: of the world. If `mark` is NULL, new files are created. If `mark` is given, each existing file must match its mark, and
 * is truncated to the length in the mark. Returns NULL with a message "PATH: why". */
cst_probe_files *cst_probes_open(const cst_run_directory *directory, int dim, const cst_probe *probe, int probes,
                                 const cst_probe_mark *mark, char *message, size_t message_size);
void cst_probes_close(cst_probe_files *files); /* discards rows since the last commit; NULL is allowed */

/* Adds a row to every probe. Returns false if memory ran out. */
bool cst_probes_sample(cst_probe_files *files, const cst_world *world);

/* Returns true if the files match the marks (probes), and false with a message "PATH: why" otherwise. */
bool cst_probes_verify(const cst_run_directory *directory, const cst_probe *probe, int probes, const cst_probe_mark *mark,
                       char *message, size_t message_size);

/* Writes all rows to disk before the function returns. `mark` (probes): length and checksum of each file. Returns false with a
 * message if writing failed; the files are then unchanged. */
bool cst_probes_commit(cst_probe_files *files, cst_probe_mark *mark, char *message, size_t message_size);

#endif
