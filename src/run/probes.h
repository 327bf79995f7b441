/* Probes of a scene, each to its own CSV file in the directory of a run: a row of names with units, then a row for each frame (or
 * each step). Rows are kept in memory and become part of the files at a commit, as those of the cache do. */
#ifndef CST_RUN_PROBES_H
#define CST_RUN_PROBES_H

#include "run/probe_sums.h"
#include "run/run_directory.h"
#include "scene/scene.h"

typedef struct cst_probe_files cst_probe_files;

/* dim: of the world. mark NULL: new files. Otherwise each existing one must begin as its mark says, and is cut back to that length.
 * NULL with a message "PATH: why". */
cst_probe_files *cst_probes_open(const cst_run_directory *directory, int dim, const cst_probe *probe, int probes,
                                 const cst_probe_mark *mark, char *message, size_t message_size);
void cst_probes_close(cst_probe_files *files); /* rows since the last commit are forgotten. NULL is fine */

/* A row of every probe. False without memory. */
bool cst_probes_sample(cst_probe_files *files, const cst_world *world);

/* Whether the files are those of the marks (probes of them). False with a message "PATH: why". */
bool cst_probes_verify(const cst_run_directory *directory, const cst_probe *probe, int probes, const cst_probe_mark *mark,
                       char *message, size_t message_size);

/* On the disk when this returns; mark (probes): length and checksum of each file. False with a message: the files are as they were. */
bool cst_probes_commit(cst_probe_files *files, cst_probe_mark *mark, char *message, size_t message_size);

#endif
