/* Where an export goes: a temporary name beside it while it is written, then the name itself. */
#ifndef CST_EXPORT_EXPORT_PLACE_H
#define CST_EXPORT_EXPORT_PLACE_H

#include <stdbool.h>

#include "base/complaint.h"

typedef struct cst_export_place {
    char *path;  /* wanted */
    char *aside; /* a file or directory of a temporary name */
    bool directory, replace;
} cst_export_place;

/* The file that every exported directory has: what the others are. A directory without it is not ours to replace. */
#define CST_EXPORT_MANIFEST "export.json"

/* Refuses a path that is taken; replace: one that is no regular file, or a directory with anything but files of an export. */
bool cst_export_place_begin(cst_export_place *place, const char *path, bool directory, bool replace, const cst_complaint *to);
bool cst_export_place_commit(cst_export_place *place, const cst_complaint *to);
/* Removes what is there under the temporary name; after a commit there is nothing. */
void cst_export_place_end(cst_export_place *place);

#endif
