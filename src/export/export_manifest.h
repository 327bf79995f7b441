/* Writes the file export.json, which describes the files of an exported directory for other programs. The option `--force`
 * replaces a directory only if it contains export.json. */
#ifndef CST_EXPORT_EXPORT_MANIFEST_H
#define CST_EXPORT_EXPORT_MANIFEST_H

#include "export/export_job.h"

bool cst_export_manifest_write(cst_export_job *job);

#endif
