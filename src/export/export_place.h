/* The target of an export. The export writes to a temporary name beside the target, and renames the result to the target
 * when it is complete. */
#ifndef CST_EXPORT_EXPORT_PLACE_H
#define CST_EXPORT_EXPORT_PLACE_H

#include <stdbool.h>

#include "base/complaint.h"

typedef struct cst_export_place {
    char *path;  /* wanted */
    char *aside; /* temporary path of the file or directory to which the export writes */
    bool directory, replace;
} cst_export_place;

/* Name of the file that describes the other files of an exported directory (export_manifest.h). */
#define CST_EXPORT_MANIFEST "export.json"

/* Creates an empty file or directory with a temporary name beside `path`. Returns false with a message if it cannot be created,
 * or if `path` exists and must not be replaced. If `replace` is false, no existing path is replaced. If `replace` is true, a
 * regular file may be replaced, and a directory if an export has written all its files (cst_export_manifest_covers). */
bool cst_export_place_begin(cst_export_place *place, const char *path, bool directory, bool replace, const cst_complaint *to);
bool cst_export_place_commit(cst_export_place *place, const cst_complaint *to);
/* Removes the file or directory with the temporary name, unless cst_export_place_commit has renamed it. */
void cst_export_place_end(cst_export_place *place);

#endif
