/* Which Capstan a program runs with, and whether it was compiled for the same structs. */
#ifndef CAPSTAN_VERSION_H
#define CAPSTAN_VERSION_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of the headers. */
#define CST_VERSION_MAJOR 0
#define CST_VERSION_MINOR 1
#define CST_VERSION_PATCH 0

/* Of the library: "0.1.0", or "0.1.0-g1a2b3c4" of a commit in between. A static string. */
const char *cst_version(void);

/* Bytes of a public struct in the library: cst_struct_size("cst_world_def") == sizeof(cst_world_def) says that program and library
 * mean the same struct. 0: the library knows no such struct. */
size_t cst_struct_size(const char *name);

#ifdef __cplusplus
}
#endif
#endif
