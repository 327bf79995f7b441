/* The version of Capstan, and a check that program and library use the same structs. */
#ifndef CAPSTAN_VERSION_H
#define CAPSTAN_VERSION_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the headers. */
#define CST_VERSION_MAJOR 0
#define CST_VERSION_MINOR 1
#define CST_VERSION_PATCH 0

/* Returns the version of the library, a static string: "0.1.0" or, for a commit without a version tag, a text that ends with the
 * commit, such as "0.1.0-5-g1a2b3c4" or "0.1.0-g1a2b3c4". */
const char *cst_version(void);

/* Returns the size that a struct of the public headers has in the library, in bytes, or 0 if no public header defines a struct of
 * this name. If cst_struct_size("cst_world_def") == sizeof(cst_world_def), program and library use the same struct. */
size_t cst_struct_size(const char *name);

#ifdef __cplusplus
}
#endif
#endif
