/* One friction problem read from a file. The format, FCLIB HDF5 or Siconos text, is recognised by content, not by name.
 *
 * The friction problem in a file is local or global. The local form gives the relative velocities u of the contacts as a function
 * of their impulses r, with the Delassus matrix W and the free velocity q:
 *
 *     `u = W*r + q`.
 *
 * The global form also has the velocities v of the dofs as unknowns, with the mass matrix M, the contact matrix H, and given
 * vectors f and w:
 *
 *     `M*v = H*r + f`.
 *     `u = H^T*v + w`.
 *
 * The local form of a problem is stored as a cst_friction_problem, whose field free_velocity is the vector q. The global form is
 * stored as a cst_global_problem and, on request, as a cst_body_problem.
 *
 * FCLIB files may contain equalities, with multipliers l as further unknowns. With equalities, a local problem has these
 * equations, for which the file also gives the matrices V and R and the vector s:
 *
 *     `u = W*r+V*l+q`.
 *     `V^T*r+R*l+s = 0`.
 *
 * With equalities, a global problem has these equations, for which the file also gives the matrix G and the vector b:
 *
 *     `M*v = H*r+G*l+f`.
 *     `u = H^T*v+w`.
 *     `G^T*v+b = 0`.
 *
 * An equality has the law of a bilateral contact: its velocity is zero and its impulse is free. The multipliers of equalities
 * become the impulses of bilateral contacts, which are numbered after the file's own contacts. If the number of equalities is not
 * a multiple of dim, the last bilateral contact is padded with unknowns that are zero.
 *
 * All memory belongs to the cst_problem_file and is freed with it. Nothing is printed. Unless HDF5 was built thread-safe, only
 * one thread at a time may call the functions of this header. */
#ifndef CST_EXCHANGE_PROBLEM_FILE_H
#define CST_EXCHANGE_PROBLEM_FILE_H

#include "base/arena.h"
#include "capstan/friction.h"
#include "sparse/csr.h"

typedef enum cst_file_format {
    CST_FILE_FCLIB_LOCAL = 0,
    CST_FILE_FCLIB_GLOBAL,
    CST_FILE_SICONOS_LOCAL, /* FC3D, FC2D */
    CST_FILE_SICONOS_GLOBAL /* GFC3D, GFC2D */
} cst_file_format;

const char *cst_file_format_name(cst_file_format format);

typedef enum cst_guess_source {
    CST_GUESS_NONE = 0,
    CST_GUESS_GUESSES, /* /guesses/1/r */
    CST_GUESS_SOLUTION /* /solution/r; Siconos writes zeros there */
} cst_guess_source;

/* The global problem M v = H r + f, u = H^T v + w, with the mass matrix M, the contact matrix H and the velocities v. The
 * impulses r and the relative velocities u satisfy Coulomb's law with the friction coefficients mu. */
typedef struct cst_global_problem {
    int dim;
    int contacts; /* bilateral ones included */
    int dofs;
    cst_csr mass;                  /* array (dofs x dofs): M */
    cst_csr jacobian;              /* (dofs x dim contacts) H */
    const double *force;           /* array (dofs): f */
    const double *velocity_offset; /* (dim contacts) w */
    const double *mu;              /* (contacts) */
    const uint8_t *law;            /* (contacts) or NULL: all Coulomb */
    double asymmetry;              /* |M - M^T|_F / |M|_F */
} cst_global_problem;

/* A mass matrix counts as symmetric if its relative asymmetry (cst_global_problem.asymmetry) is at most CST_MASS_SYMMETRIC. The
 * matrices of the bodies are taken from the symmetric part of the mass matrix. The limit CST_MASS_SYMMETRIC allows for the
 * rounding errors of a symmetric matrix that was printed with all its digits. */
#define CST_MASS_SYMMETRIC 1e-12

typedef struct cst_problem_file {
    cst_arena arena;  /* holds everything, this struct included */
    const char *path; /* path with which messages start */
    cst_file_format format;
    char title[256]; /* title of the friction problem in the file; empty if the file has no title */
    int dim;
    int contacts;      /* number of contacts, bilateral ones included */
    int file_contacts; /* number of contacts in the file */
    int equalities;    /* equalities in the file */
    int file_dofs;     /* number of dofs in the file */
    bool has_local;
    cst_friction_problem local;
    bool has_global;
    cst_global_problem global;
    double *guess; /* (dim contacts) or NULL */
    cst_guess_source guess_source;
    bool has_bodies;
    cst_body_problem bodies;
    /* array (dofs): for each dof of the bodies, its index in the mass matrix; valid if has_bodies is true */
    const int32_t *body_dof;
} cst_problem_file;

/* If the file cannot be read, returns NULL and writes a message that names the file and, for an error in its data, the dataset or
 * the line. */
cst_problem_file *cst_problem_file_read(const char *path, const cst_allocator *allocator, char *message, size_t message_size);

/* Reads a friction problem from a file in memory; error messages start with the text `name`. */
cst_problem_file *cst_problem_file_read_image(const char *name, const void *image, size_t bytes, const cst_allocator *allocator,
                                              char *message, size_t message_size);

void cst_problem_file_free(cst_problem_file *file); /* NULL is fine */

/* Converts the global problem to a problem of separate bodies (exchange/global_bodies.c). Returns false with a message if the
 * file has no global form, if the mass matrix is not symmetric, or if the matrices of the bodies would take too much memory. A
 * problem whose mass matrix is not symmetric can be solved exactly only as a local problem (cst_problem_file_condense). */
bool cst_problem_file_bodies(cst_problem_file *file, cst_body_problem *out, char *message, size_t message_size);

/* Assembles a friction problem of separate bodies to a global problem, with the dofs in the order of the bodies. The matrices and
 * the load vector of the global problem are allocated in `arena`; its arrays velocity_offset, mu and law are those of `bodies`.
 * Working memory is taken from `scratch` and released on success. Returns false with a message if memory ran out, if there are
 * too many dofs or contacts for 32-bit indices, or if a body has no matrix because a callback solves its linear systems
 * (exchange/bodies_global.c). */
bool cst_global_from_bodies(const cst_body_problem *bodies, cst_arena *arena, cst_arena *scratch, cst_global_problem *out,
                            char *message, size_t message_size);

/* Converts the global problem to a local problem by eliminating the velocities of the dofs (exchange/global_condense.c). The mass
 * matrix need not be symmetric. Local problem: `W = H^T*M^-1*H`. `q = H^T*M^-1*f + w`. Does nothing if file->has_local is true.
 * Returns false with a message if the mass matrix is singular or nearly singular for dofs on which contacts act, or if the local
 * problem or the LU factor of a group of dofs would take too much memory. */
bool cst_problem_file_condense(cst_problem_file *file, char *message, size_t message_size);

#endif
