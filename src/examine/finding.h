/* What an examination finds: a list of warnings, each with its place in the scene, its figures and a remedy. */
#ifndef CST_EXAMINE_FINDING_H
#define CST_EXAMINE_FINDING_H

#include "capstan/scene.h"
#include "scene/json.h"
#include "scene/notes.h"

typedef cst_notes cst_findings;

/* A warning about `key` of `node`, or about the node itself (key NULL). If the key is not given, the place is that of the node.
 * `format` holds what is suspicious and, after a line break, the remedy. */
void cst_find(cst_findings *list, const char *name, const cst_json *node, const char *key, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* In the order of the text; those at one place in the order they were found. NULL without memory. */
cst_finding *cst_findings_sorted(const cst_findings *list);

#endif
