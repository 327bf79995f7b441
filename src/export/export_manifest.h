/* Writes and reads the file export.json, which describes the files of an exported directory for other programs. The option
 * `--force` replaces a directory only if export.json lists all other files of the directory. */
#ifndef CST_EXPORT_EXPORT_MANIFEST_H
#define CST_EXPORT_EXPORT_MANIFEST_H

#include "export/export_job.h"

bool cst_export_manifest_write(cst_export_job *job);

/* Returns true if a directory contains export.json, and otherwise only regular files that export.json lists. `strange`: output,
 * the name of the first entry that is not a regular file or that export.json does not list. `strange` is an empty text if no
 * entry is strange, or if there is no export.json with a list of files. */
bool cst_export_manifest_covers(const char *directory, char *strange, size_t size);

#endif
