/* Reads the Siconos text formats FC3D and FC2D (local) and GFC3D and GFC2D (global), with dense,
 * sparse-block and sparse matrices.
 *
 *     dim, contacts, matrix M, q[dim contacts], mu[contacts]                             FC
 *     dim, contacts, matrix M, matrix H, q[rows of M], b[dim contacts], mu[contacts] GFC.
 *
 * The file does not say which form it has. M of a local problem is dim contacts square, so any other size means GFC. If the size
 * fits both forms, the number of tokens after M decides: an FC file has exactly (dim + 1) contacts tokens, plus one in old files,
 * a flag that is ignored; a GFC file with such an M always has more. */
#ifndef CST_EXCHANGE_SICONOS_TEXT_H
#define CST_EXCHANGE_SICONOS_TEXT_H

#include "exchange/problem_file.h"
#include "files/fault.h"

/* Fills `file` from the text. On input, the path and arena of `file` are set and all other fields are zero. */
bool cst_siconos_text_read(cst_problem_file *file, const char *text, size_t length, cst_fault *fault);

#endif
