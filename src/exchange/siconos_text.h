/* Reads the Siconos text formats FC3D and FC2D (local problems) and GFC3D and GFC2D (global problems), with dense, sparse-block
 * and sparse matrices.
 *
 * A local file (FC) has these parts in this order: dim, number of contacts, matrix M, q[dim contacts] and mu[contacts]. A global
 * file (GFC) has these parts in this order: dim, number of contacts, matrix M, matrix H, q[rows of M], b[dim contacts] and
 * mu[contacts].
 *
 * A Siconos text file does not say if its problem is local or global. In a local problem, the number of rows of M is dim times
 * the number of contacts, so any other number of rows means a global problem. If the matrix M has as many rows as in a local
 * problem, the number of tokens after M decides whether the problem is local or global. After the matrix M, a local file has
 * exactly dim + 1 tokens for each contact; an old local file has one more token at its end, a flag that is ignored. If a global
 * file and a local file have a matrix M of the same size, the global file has more tokens after M. */
#ifndef CST_EXCHANGE_SICONOS_TEXT_H
#define CST_EXCHANGE_SICONOS_TEXT_H

#include "exchange/problem_file.h"
#include "files/fault.h"

/* Fills `file` from the text. Before a call of cst_siconos_text_read, the caller sets the fields `path` and `arena` of the struct
 * `file`, and all its other fields to zero. */
bool cst_siconos_text_read(cst_problem_file *file, const char *text, size_t length, cst_fault *fault);

#endif
