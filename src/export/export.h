/* Exports frames of a run as files for other programs, in the formats USD, OBJ, PLY, PC2, VTP, CSV and NPZ (docs/export.md).
 *
 * Only one frame is in memory at a time. Output is written to a file or directory with a temporary name beside the target.
 * The temporary file or directory is renamed when it is complete, and removed on failure. */
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

/* Names of the formats: "usd", ...; the last entry is NULL. */
extern const char *const cst_export_format_names[CST_EXPORT_FORMATS + 1];

typedef struct cst_export_options {
    cst_export_format format;
    cst_page_choice choice; /* of frames */
    /* of all bodies drawn as curves, the first and then every n-th are exported, with n = every_fiber */
    int every_fiber;
    double fps;   /* USD: number of time codes per second; 0: one time code per frame */
    bool normals; /* USD: true to write the directors of fibers as normals of their curves */
    bool force;   /* true: an existing file, or a directory of an earlier export, is replaced */
} cst_export_options;

cst_export_options cst_export_defaults(void);

typedef struct cst_export_report {
    int64_t frames, files, bytes;
    int objects;
} cst_export_report;

/* Returns the file name extension, such as ".usda" or ".npz"; "" for formats that need a directory. */
const char *cst_export_ending(cst_export_format format);

/* Exports a run to a file or a directory. On failure, returns false with a message, leaves no new file behind, and does not
 * change an existing file at the path. */
bool cst_export_write(cst_cache *cache, const cst_export_options *options, const char *path, cst_page_progress progress,
                      void *progress_user, cst_export_report *report, char *message, size_t message_size);

#endif
