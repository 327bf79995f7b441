/* Writes strands to files, in the formats of strand_file.h. */
#ifndef CST_GROOM_STRAND_WRITE_H
#define CST_GROOM_STRAND_WRITE_H

#include "groom/strand_file.h"

/* If writing fails, the function returns false with a message, and a file that already exists at `path` is unchanged. A .hair
 * file stores numbers in single precision, and at most 65,535 segments per strand. An .obj file stores no radii. */
bool cst_strand_file_write(const char *path, const cst_strand_file *strands, char *message, size_t size);

#endif
