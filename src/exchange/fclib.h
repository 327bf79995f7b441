/* FCLIB, the HDF5 layout of the friction-contact library (fclib), with one problem per file.
 *
 * The group /fclib_local contains a local problem: u = W r + q, with the impulses r and the velocities u of the contacts. The
 * members of the group are the dimension spacedim, the matrix W, vectors/q, the friction coefficients vectors/mu and the title
 * info/title. If a local problem has equality constraints, its group also contains the matrices V and R and the vector vectors/s
 * of these constraints (problem_file.h). The group /fclib_global contains a global problem: M v = H r + f, u = H^T v + w, with
 * the velocities v of the bodies. The members of the group are spacedim, the matrices M and H, vectors/f, vectors/w, vectors/mu
 * and info/title. If a global problem has equality constraints, its group also contains their matrix G and their right-hand side
 * vectors/b. The group /guesses/1 has a guess of the impulses r and, if available, of the multipliers l of the equality
 * constraints. The group /solution has the contact impulses r, the contact velocities u and, if available, the body velocities v
 * and the multipliers l of the equality constraints.
 *
 * A matrix is a group with the numbers of rows m and of columns n, the storage code nz, and the arrays p, i and x (x has the
 * values). The storage code nz is -2 for compressed rows and -1 for compressed columns. If nz >= 0, the matrix has nz triplets,
 * and **the array i has the row indices and p the column indices**. In every vector, each contact has dim consecutive entries,
 * with the normal component first; the sign convention is the same as in Capstan. */
#ifndef CST_EXCHANGE_FCLIB_H
#define CST_EXCHANGE_FCLIB_H

#include "exchange/problem_file.h"
#include "files/fault.h"

/* The function cst_fclib_read fills `file` from an HDF5 file on disk, and cst_fclib_read_image from an HDF5 file in memory.
 * Before a call of cst_fclib_read or cst_fclib_read_image, the caller sets the fields `path` and `arena` of the struct `file`,
 * and all its other fields to zero. */
bool cst_fclib_read(cst_problem_file *file, uint64_t file_bytes, cst_fault *fault);
bool cst_fclib_read_image(cst_problem_file *file, const void *image, size_t bytes, cst_fault *fault);

/* ------------------------------------------------------------------------------------------------------------- writing */

typedef enum cst_fclib_storage { CST_FCLIB_CSR = 0, CST_FCLIB_CSC, CST_FCLIB_COO } cst_fclib_storage;

typedef struct cst_fclib_solution {
    int dim, contacts;
    const double *r, *u; /* (dim contacts) */
    const double *v;     /* (dofs) or NULL */
    int dofs;
    const double *l; /* (equalities) or NULL */
    int equalities;
} cst_fclib_solution;

/* All writers build the file in memory, write it to a temporary file beside `path`, fsync it and rename it, so that a reader
 * never sees an incomplete file. If writing fails (no space, no such directory), the temporary file is removed and an older file
 * at `path` stays unchanged. The bytes of a written file depend only on the arguments of the writer. All numbers must be finite.
 * `title` may be NULL. */
bool cst_fclib_write_solution(const char *path, const cst_fclib_solution *solution, const cst_allocator *allocator, char *message,
                              size_t message_size);

/* Only problems with Coulomb contacts are written; bilateral contacts are refused. The array `guess` (dim x contacts, or NULL),
 * an initial guess of the impulses, is written to /guesses/1/r. */
bool cst_fclib_write_local(const char *path, const cst_friction_problem *problem, cst_fclib_storage storage, const double *guess,
                           const char *title, const cst_allocator *allocator, char *message, size_t message_size);

bool cst_fclib_write_global(const char *path, const cst_global_problem *problem, cst_fclib_storage storage, const double *guess,
                            const char *title, const cst_allocator *allocator, char *message, size_t message_size);

#endif
