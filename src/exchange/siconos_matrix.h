/* Reads one matrix of a Siconos text file ("NumericsMatrix"), of any storage. */
#ifndef CST_EXCHANGE_SICONOS_MATRIX_H
#define CST_EXCHANGE_SICONOS_MATRIX_H

#include "files/text_tokens.h"
#include "sparse/csr.h"

/* `rows` and `columns`: required numbers of rows and columns, or -1 for any number. The result is allocated in `arena`. */
bool cst_siconos_matrix_read(cst_tokens *tokens, int64_t rows, int64_t columns, cst_arena *arena, cst_arena *scratch,
                             cst_csr *out);

#endif
