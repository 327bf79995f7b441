/* Writing a cache: rows are appended to its tables and become part of the file, all of them together, at a commit. */
#ifndef CST_CACHE_CACHE_WRITE_H
#define CST_CACHE_CACHE_WRITE_H

#include "cache/cache_format.h"

typedef struct cst_cache_writer cst_cache_writer;

/* Said once, at the start of a run. */
typedef struct cst_cache_head {
    int dim;
    cst_cache_detail detail;
    double dt, frame_interval, tolerance;
    const char *title, *scene, *source; /* the scene as it is run, and as it was given */
    const char *files;                  /* the files that the scene names (cst_scene_files); NULL: none */
    int bodies, obstacles, constraints;
    const char *const *body_name, *const *obstacle_name, *const *constraint_name;
} cst_cache_head;

/* A new file in place of any other, complete but for rows. NULL with a message "PATH: why". */
cst_cache_writer *cst_cache_create(const char *path, const cst_cache_head *head, char *message, size_t message_size);

/* An existing file, every table cut back to the rows that are still wanted (CST_TABLES of them). NULL with a message if any page of
 * it is not as it was written. */
cst_cache_writer *cst_cache_continue(const char *path, const int64_t *rows, char *message, size_t message_size);

bool cst_cache_append(cst_cache_writer *writer, cst_cache_table table, const void *rows, int64_t count);
int64_t cst_cache_rows(const cst_cache_writer *writer, cst_cache_table table);

/* As the file was created, also one that is continued. */
cst_cache_detail cst_cache_detail_of(const cst_cache_writer *writer);

/* Held in memory until the next commit. */
size_t cst_cache_uncommitted(const cst_cache_writer *writer);

/* On the disk when this returns. False with a message: the file is as after the last commit; the rows are kept in memory. */
bool cst_cache_commit(cst_cache_writer *writer, char *message, size_t message_size);

/* Whether the file at `path` is as it was written, with at least these rows. False with a message "PATH: why". */
bool cst_cache_verify(const char *path, const int64_t *rows, char *message, size_t message_size);

/* Rows since the last commit are forgotten. NULL is fine. */
void cst_cache_writer_free(cst_cache_writer *writer);

#endif
