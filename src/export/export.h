/* Frames of a run as files of other programs (docs/export.md): USD, OBJ, PLY, PC2, VTP, CSV, NPZ.
 *
 * One frame is in memory at a time. What is written gets its name only when it is complete: a file or directory of a temporary name
 * beside it is renamed, and removed if anything fails. */
#ifndef CST_EXPORT_EXPORT_H
#define CST_EXPORT_EXPORT_H

#include "cache/cache_read.h"
#include "page/page.h"

typedef enum cst_export_format {
    CST_EXPORT_USD = 0,
    CST_EXPORT_OBJ,
    CST_EXPORT_PC2,
    CST_EXPORT_PLY,
    CST_EXPORT_VTP,
    CST_EXPORT_CSV,
    CST_EXPORT_NPZ,
    CST_EXPORT_FORMATS
} cst_export_format;

/* "usd", ..., and NULL behind the last. */
extern const char *const cst_export_format_names[CST_EXPORT_FORMATS + 1];

typedef struct cst_export_options {
    cst_export_format format;
    cst_page_choice choice; /* of frames */
    int every_fiber;        /* of bodies drawn as curves each so many-th, from the first */
    double fps;             /* USD: time codes per second; 0: as many as there are frames */
    bool normals;           /* USD: directors of fibers as normals of their curves */
    bool force;             /* what is at the path is replaced */
} cst_export_options;

cst_export_options cst_export_defaults(void);

typedef struct cst_export_report {
    int64_t frames, files, bytes;
    int objects;
} cst_export_report;

/* ".usda", ".npz"; "" of formats that fill a directory. */
const char *cst_export_ending(cst_export_format format);

/* False with a message "PATH: why": nothing has been written then, and what was at the path is as it was. */
bool cst_export_write(cst_cache *cache, const cst_export_options *options, const char *path, cst_page_progress progress,
                      void *progress_user, cst_export_report *report, char *message, size_t message_size);

#endif
