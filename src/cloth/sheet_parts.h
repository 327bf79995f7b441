/* Data and functions shared by the source files of the sheet (sheet.h). */
#ifndef CST_CLOTH_SHEET_PARTS_H
#define CST_CLOTH_SHEET_PARTS_H

#include "cloth/sheet.h"
#include "collide/mesh_space.h"
#include "sparse/schur.h"

enum { CST_SHEET_MEMBRANE = 0, CST_SHEET_BENDING, CST_SHEET_PARTS, CST_SHEET_CHUNK = 256 };

/* The elements of one model (membrane or bending) of a sheet, and the positions of their 3 x 3 blocks in the system matrix. */
typedef struct cst_sheet_part {
    cst_element_set set;
    int64_t *block;        /* array (count x nodes x nodes): index in the system matrix of each 3 x 3 block of each element */
    int32_t *order;        /* array (count): indices of the elements, sorted by colour */
    int32_t *colour_start; /* array (colours + 1): place in `order` of the first element of each colour */
    int colours;
} cst_sheet_part;

typedef struct cst_sheet_handle {
    cst_handle def;
    int32_t *node;
    double *offset;  /* array (nodes x 3): initial offset of each node from the reference point def.centre of the handle */
    double force[3]; /* force of the handle on the sheet in the last step (N) */
} cst_sheet_handle;

/* The full row of the system matrix for a held node, a node with prescribed motion. The system matrix that is factorised contains
 * only the mass of a held node, so this struct stores the full row. */
typedef struct cst_held_row {
    int32_t node, handle;
    double *block; /* array (blocks of the row x 9): the 3 x 3 blocks of the row of the system matrix */
} cst_held_row;

/* Factorisation of a sheet's system matrix in which nodes with expected contacts are eliminated last (sheet_expect.c). */
typedef struct cst_sheet_late {
    bool used;     /* false: the step uses cst_sheet.factor */
    bool analysed; /* true: `factor` and `schur` fit `kept` */
    /* arrays (nodes). `told`: true for nodes with contacts that were reported to cst_sheet_expect. `grown`: true for nodes with
     * expected contacts. */
    bool *told, *grown;
    bool *kept;           /* array (nodes): true for the nodes that the factorisation eliminates last */
    cst_arena arena;      /* memory of the fields below */
    cst_arena_mark begin; /* mark of the empty arena */
    cst_block_cholesky factor;
    cst_schur schur; /* Schur complement of the system matrix on the nodes that are eliminated last (`kept`) */
    double *work;
} cst_sheet_late;

typedef struct cst_sheet {
    cst_arena arena; /* holds this struct and its arrays */
    cst_sheet_mesh mesh;
    cst_feature_mesh *features;
    cst_mesh_space *surface; /* mesh of the sheet for contacts with centrelines of fibers */
    cst_fabric fabric;
    cst_wind wind;
    cst_sheet_part part[CST_SHEET_PARTS];
    double *mass; /* (nodes) */
    double whole_mass;
    int handles, handled; /* `handled`: number of nodes in handles (groups of nodes with prescribed motion) */
    cst_sheet_handle *handle;

    double *state;  /* x, v */
    double *x, *v;  /* (nodes x 3) */
    double *placed; /* node positions for contact detection: `x` at the start of the step, or `ahead` at its predicted end */
    double *ahead, *linear;
    double elastic[CST_SHEET_PARTS]; /* elastic energies at x (J) */

    /* Data of the present step. */
    int threads;
    cst_held_row *held; /* array (holds): sorted by handle */
    int holds;
    uint8_t *is_held; /* (nodes) */
    double *imposed;  /* array (nodes x 3): prescribed velocities of the nodes in handles */
    double *pushed;   /* array (nodes x 3): sum of contact, constraint and load impulses in the step on each node in a handle */
    /* array (nodes x 3): displacement of each node from the start of the step to the position at which the step is linearised */
    double *u;
    /* `f0`: array (nodes x 3), elastic forces extrapolated to the start of the step; `h_v`: array (nodes x 3), product of the
     * stiffness matrix and the velocities at the start of the step */
    double *f0, *h_v;
    /* array (triangles x 8): normal of each triangle, drag coefficients along and across the normal, velocity of the air */
    double *air;
    double stiff; /* factor of the stiffness matrix in the system matrix (formula: sheet.h) */
    int64_t *row_start;
    int32_t *column;
    int64_t *diagonal; /* (nodes) */
    double *block;
    cst_block_cholesky factor; /* factorisation of the system matrix in the order of nested dissection */
    cst_sheet_late late;
    double *work, *rhs;
    /* Work arrays. `z` (nodes x 3): mean velocities. `h_z` (nodes x 3): stiffness matrix times mean velocities. `air_force` (2 x
     * nodes x 3): forces of the air (N) on the moving nodes, and on the same nodes at rest. `chunk`: energies of groups of
     * elements. */
    double *z, *h_z, *air_force, *chunk;
    cst_body_work work_done;
} cst_sheet;

/* Computes the sparsity pattern of the system matrix and the colours of the elements. Returns false if memory ran out. */
bool cst_sheet_pattern(cst_sheet *sheet);

/* The following functions factorise the system matrix, with a choice of the nodes that are eliminated last (sheet_expect.c).
 *     `cst_sheet_late_begin`: allocates the arrays that mark nodes in cst_sheet_late; false: out of memory.
 *     `cst_sheet_expect`: a call with a contact point records it; a call with NULL chooses the nodes that are eliminated last.
 *     `cst_sheet_factor`: factorises the system matrix; same return values as cst_block_cholesky_factor.
 *     `cst_sheet_solve`: solves A x = b with the factorised system matrix A; x contains b, and then the solution. */
bool cst_sheet_late_begin(cst_sheet *sheet);
void cst_sheet_expect(void *self, const cst_material_point *at);
int cst_sheet_factor(cst_sheet *sheet);
void cst_sheet_solve(cst_sheet *sheet, double *x);

/* The following functions are for the handles of a sheet: groups of nodes that are held or moved along a prescribed path.
 *     `cst_sheet_take_handles`: checks and copies the definitions of the handles.
 *     `cst_sheet_place_handles`: writes the prescribed positions at a given time to x.
 *     `cst_sheet_impose`: computes the velocities of the nodes in handles in a step.
 *     `cst_sheet_hold`: moves the terms with the known velocities of nodes in handles from the system matrix to the right-hand
 *     side. */
bool cst_sheet_take_handles(cst_sheet *sheet, const cst_sheet_def *def, const cst_complaint *to);
void cst_sheet_place_handles(cst_sheet *sheet, double time, double *x);
void cst_sheet_impose(cst_sheet *sheet, const cst_step_frame *frame);
void cst_sheet_hold(cst_sheet *sheet);

/* The function cst_sheet_add_air computes the drag coefficients of all triangles, and adds the drag to the system matrix and to
 * the right-hand side. The function cst_sheet_air_force computes the forces of the air on nodes with the velocities z; with z
 * NULL, the nodes are at rest. */
void cst_sheet_add_air(cst_sheet *sheet, const cst_step_frame *frame, double old_share);
void cst_sheet_air_force(const cst_sheet *sheet, const double *z, double *force);

/* Computes the product of the stiffness matrix and the vector z from the assembled system matrix. */
void cst_sheet_stiffness(const cst_sheet *sheet, double implicit_air, const double *z, double *out);

/* Computes the elastic energies (J) of the sheet at the node positions x: out[0] is the sum over all membrane elements, out[1]
 * the sum over all bending elements. */
void cst_sheet_energies(cst_sheet *sheet, const double *x, double *out);

bool cst_sheet_assemble(void *self, const cst_step_frame *frame, const double *guess, char *message, size_t message_size);

/* Computes the mean velocity of each node over the step in the theta scheme. For a node in a handle, the mean velocity is the
 * prescribed velocity. */
void cst_sheet_mean(const cst_sheet *sheet, const cst_step_frame *frame, const double *v, double *z);

/* Returns the weight of the velocities at the start of the step in the mean velocities of the theta scheme: 1 - theta, or 0 in a
 * quasi-static step. */
static inline double cst_sheet_old_share(const cst_step_frame *frame)
{
    return frame->quasi_static ? 0.0 : 1.0 - frame->theta;
}

extern const cst_body_dynamics cst_sheet_dynamics;
extern const cst_body_state cst_sheet_state;
extern const cst_body_places cst_sheet_places;
extern const cst_body_surface cst_sheet_surface;
extern const cst_body_look cst_sheet_look;
void cst_sheet_push(void *self, const cst_material_point *at, const double *impulse, const double *moment);

#endif
