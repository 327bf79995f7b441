/* The state of an export, and the functions of each format. */
#ifndef CST_EXPORT_EXPORT_JOB_H
#define CST_EXPORT_EXPORT_JOB_H

#include <stdio.h>

#include "base/complaint.h"
#include "export/export.h"
#include "export/export_shapes.h"

typedef struct cst_export_job {
    cst_cache *cache;
    const cst_cache_info *info;
    const cst_export_options *options;
    const cst_complaint *complaint;
    const char *path; /* temporary path of the file or directory to which the export writes */
    int64_t frames;   /* that were chosen */
    const int64_t *index;
    const double *time; /* s */
    int64_t k;          /* index of the current frame */
    cst_cache_frame frame;
    cst_export_shapes shapes; /* of this frame */
    int64_t files, bytes;     /* written so far */
    int64_t start;            /* size in bytes of the open file when it was opened */
    void *state;              /* of the format */
} cst_export_job;

/* The function `begin` of an export format is called once, with the first frame. The function `frame` of an export format is
 * called with every frame, including the first. The functions `begin`, `frame` and `end` return false with an error message on
 * failure. All functions but `frame` may be NULL. */
typedef struct cst_export_writer {
    const char *ending; /* NULL: the format needs a directory */
    bool (*begin)(cst_export_job *job);
    bool (*frame)(cst_export_job *job);
    bool (*end)(cst_export_job *job);
    void (*release)(cst_export_job *job); /* frees `state`, after failures too */
} cst_export_writer;

extern const cst_export_writer cst_export_writer_usd, cst_export_writer_obj, cst_export_writer_pc2, cst_export_writer_ply,
    cst_export_writer_vtp, cst_export_writer_csv, cst_export_writer_npz;

/* Opens the file `name` in the output directory for appending, or the output file itself if `name` is NULL. Only one output
 * file of an export may be open at a time. On failure, returns NULL and writes a message. */
FILE *cst_export_open(cst_export_job *job, const char *name);

/* Closes the open output file, and updates job->files (number of written files) and job->bytes (total number of written bytes).
 * Returns false with an error message if data could not be written. */
bool cst_export_close(cst_export_job *job, FILE *file, const char *name);

bool cst_export_no_memory(const cst_export_job *job);

/* Writes a name such as "frame_00012.obj" for frame job->k. */
enum { CST_EXPORT_NAME = 64 };
void cst_export_frame_name(const cst_export_job *job, const char *stem, const char *ending, char name[CST_EXPORT_NAME]);

#endif
