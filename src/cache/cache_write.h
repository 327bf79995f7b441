/* Writes a cache, the file with the results of a run: rows are appended to its tables, and a commit makes all new rows part of
 * the file at once. */
#ifndef CST_CACHE_CACHE_WRITE_H
#define CST_CACHE_CACHE_WRITE_H

#include "cache/cache_format.h"

typedef struct cst_cache_writer cst_cache_writer;

/* Data of a cache that are written once, at the start of a run. */
typedef struct cst_cache_head {
    int dim;
    cst_cache_detail detail;
    double dt, frame_interval, tolerance;
    /* `title`: title of the run. `scene`: text of the scene as it is run, with all files and overrides merged. `source`: text of
     * the scene file as the user wrote it. */
    const char *title, *scene, *source;
    const char *files; /* list of the files that the scene uses, from cst_scene_files; NULL: none */
    int bodies, obstacles, constraints;
    const char *const *body_name, *const *obstacle_name, *const *constraint_name;
} cst_cache_head;

/* Creates a new file without rows and replaces any existing file; on failure, returns NULL with a message "PATH: why". */
cst_cache_writer *cst_cache_create(const char *path, const cst_cache_head *head, char *message, size_t message_size);

/* Opens an existing file and keeps only the first rows[t] rows of each table t. If the file cannot be opened, a page of it is
 * damaged, or a table has fewer rows, returns NULL with a message. */
cst_cache_writer *cst_cache_continue(const char *path, const int64_t *rows, char *message, size_t message_size);

bool cst_cache_append(cst_cache_writer *writer, cst_cache_table table, const void *rows, int64_t count);
int64_t cst_cache_rows(const cst_cache_writer *writer, cst_cache_table table);

/* Returns the level of detail with which the file was created, also if an existing file is continued (cst_cache_continue). */
cst_cache_detail cst_cache_detail_of(const cst_cache_writer *writer);

/* Returns the number of bytes of file pages that are held in memory until the next commit; rows that HDF5 has not yet received do
 * not count. */
size_t cst_cache_uncommitted(const cst_cache_writer *writer);

/* Writes all rows added so far to the disk. If writing fails, returns false with a message and keeps the uncommitted rows in
 * memory. Readers then see the rows of the last commit or, if only the last stage of the commit failed, all new rows
 * (cache/cache_transaction.h). */
bool cst_cache_commit(cst_cache_writer *writer, char *message, size_t message_size);

/* Checks that the file at `path` is undamaged and that its tables have at least the numbers of rows in `rows`. If the file
 * is damaged or a table has too few rows, returns false with a message "PATH: why". */
bool cst_cache_verify(const char *path, const int64_t *rows, char *message, size_t message_size);

/* Discards rows added since the last commit. NULL is fine. */
void cst_cache_writer_free(cst_cache_writer *writer);

#endif
