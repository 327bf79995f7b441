/* Makes names of prims, groups and files that are valid in every export format. */
#ifndef CST_EXPORT_EXPORT_NAMES_H
#define CST_EXPORT_EXPORT_NAMES_H

#include <stdint.h>

/* Returns the name `wanted` with every character that is not an ASCII letter or digit replaced by _. A name without letters and
 * digits is replaced by `kind`, an underscore and `id`. A name that would begin with a digit gets an underscore before it. If the
 * list `taken` of `count` names already contains the name, an underscore, `kind`, an underscore and `id` are appended, and
 * another number if necessary. The caller frees the result. Returns NULL if memory ran out. */
char *cst_export_name(const char *wanted, const char *kind, uint32_t id, char *const *taken, int count);

#endif
