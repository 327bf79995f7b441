/* Names that every format takes: of prims, groups, files. */
#ifndef CST_EXPORT_EXPORT_NAMES_H
#define CST_EXPORT_EXPORT_NAMES_H

#include <stdint.h>

/* `wanted` with _ for what is no letter or digit of ASCII, or KIND_ID if nothing is left; another with _ID behind it if `taken`
 * (count names) has it already. To be freed; NULL without memory. */
char *cst_export_name(const char *wanted, const char *kind, uint32_t id, char *const *taken, int count);

#endif
