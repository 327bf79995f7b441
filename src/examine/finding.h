/* The findings of an examination: a list of warnings, each with its location in the scene file, the suspicious numbers and a
 * remedy. */
#ifndef CST_EXAMINE_FINDING_H
#define CST_EXAMINE_FINDING_H

#include "capstan/scene.h"
#include "scene/json.h"
#include "scene/notes.h"

typedef cst_notes cst_findings;

/* Adds a warning about the entry `key` of the scene node `node`, or about the node itself (key NULL). If `node` does not contain
 * `key`, the warning points at the location of `node` in the scene text. `format`: printf format of the text, which states the
 * suspicious fact and, after a line break, the remedy. */
void cst_find(cst_findings *list, const char *name, const cst_json *node, const char *key, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Returns the findings in the order of the scene text; findings at the same location stay in the order in which they were added.
 * Returns NULL if memory ran out. */
cst_finding *cst_findings_sorted(const cst_findings *list);

#endif
