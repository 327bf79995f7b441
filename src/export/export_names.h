/* Makes names that every format accepts, for prims, groups and files. */
#ifndef CST_EXPORT_EXPORT_NAMES_H
#define CST_EXPORT_EXPORT_NAMES_H

#include <stdint.h>

/* Returns `wanted` with _ for every character that is not an ASCII letter or digit, or KIND_ID if nothing is left; with _ID
 * appended if `taken` (count names) already contains the name. The caller frees the result. Returns NULL if memory ran out. */
char *cst_export_name(const char *wanted, const char *kind, uint32_t id, char *const *taken, int count);

#endif
