/* Probes of a scene, each to its own CSV file in the directory of a run: a row of names with units, then a row for each frame (or
 * each step). Rows are kept in memory and become part of the files at a commit, as those of the cache do. */
#ifndef CST_RUN_PROBES_H
#define CST_RUN_PROBES_H

#include "run/run_directory.h"
#include "scene/scene.h"

typedef struct cst_probe_files cst_probe_files;

/* dim: of the world. bytes NULL: new files. Otherwise each existing one is cut back to its length there. NULL with a message "PATH: why". */
cst_probe_files *cst_probes_open(const cst_run_directory *directory, int dim, const cst_probe *probe, int probes,
                                 const int64_t *bytes, char *message, size_t message_size);
void cst_probes_close(cst_probe_files *files); /* rows since the last commit are forgotten. NULL is fine */

/* A row of every probe. False without memory. */
bool cst_probes_sample(cst_probe_files *files, const cst_world *world);

/* On the disk when this returns; bytes (probes): the length of each file. False with a message: the files are as they were. */
bool cst_probes_commit(cst_probe_files *files, int64_t *bytes, char *message, size_t message_size);

#endif
