/* Strands to files, in the formats that strand_file.h reads; the ending of the name tells which. */
#ifndef CST_GROOM_STRAND_WRITE_H
#define CST_GROOM_STRAND_WRITE_H

#include "groom/strand_file.h"

/* The whole file or none of it. A .hair file has single precision and at most 65,535 segments a strand. False with a message. */
bool cst_strand_file_write(const char *path, const cst_strand_file *strands, char *message, size_t size);

#endif
