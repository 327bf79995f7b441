/* Data and functions that are shared by the source files of the cloth model, the sheet (sheet.h). */
#ifndef CST_CLOTH_SHEET_PARTS_H
#define CST_CLOTH_SHEET_PARTS_H

#include "cloth/sheet.h"
#include "collide/mesh_space.h"
#include "sparse/schur.h"

enum { CST_SHEET_MEMBRANE = 0, CST_SHEET_BENDING, CST_SHEET_PARTS, CST_SHEET_CHUNK = 256 };

/* The elements of one model (membrane or bending), and the positions of their blocks in the system matrix. */
typedef struct cst_sheet_part {
    cst_element_set set;
    int64_t *block;        /* array (count x nodes x nodes): indices of the elements' blocks in the system matrix */
    int32_t *order;        /* array (count): sorted by colour */
    int32_t *colour_start; /* (colours + 1) */
    int colours;
} cst_sheet_part;

typedef struct cst_sheet_handle {
    cst_handle def;
    int32_t *node;
    double *offset;  /* array (nodes x 3): initial offset of each node from the reference point def.centre of the handle */
    double force[3]; /* in the last step (N) */
} cst_sheet_handle;

/* The full row of the system matrix for a node with prescribed motion, stored here because the system matrix itself contains only
 * the mass of this node. */
typedef struct cst_held_row {
    int32_t node, handle;
    double *block; /* (length of the row x 9) */
} cst_held_row;

/* Factorisation of a sheet's system matrix in which nodes with expected contacts are eliminated last (sheet_expect.c). */
typedef struct cst_sheet_late {
    bool used;     /* false: the step uses cst_sheet.factor */
    bool analysed; /* true: `factor`, `schur` fit `kept` */
    /* array (nodes): `told` marks the nodes with contacts that the world has reported since the last choice of the order of
     * elimination; `grown` marks these nodes and their neighbours */
    bool *told, *grown;
    bool *kept;           /* array (nodes): true for nodes that are eliminated last */
    cst_arena arena;      /* memory of the fields below */
    cst_arena_mark begin; /* mark of the empty arena */
    cst_block_cholesky factor;
    cst_schur schur; /* complement on the nodes of `kept` */
    double *work;
} cst_sheet_late;

typedef struct cst_sheet {
    cst_arena arena; /* holds this struct and its arrays */
    cst_sheet_mesh mesh;
    cst_feature_mesh *features;
    cst_mesh_space *surface; /* placed mesh for contacts with centrelines */
    cst_fabric fabric;
    cst_wind wind;
    cst_sheet_part part[CST_SHEET_PARTS];
    double *mass; /* (nodes) */
    double whole_mass;
    int handles, handled; /* `handled`: total number of nodes in all handles (groups of nodes with prescribed motion) */
    cst_sheet_handle *handle;

    double *state;  /* x, v */
    double *x, *v;  /* (nodes x 3) */
    double *placed; /* points to x or `ahead` */
    double *ahead, *linear;
    double elastic[CST_SHEET_PARTS]; /* at x (J) */

    /* Data of the present step. */
    int threads;
    cst_held_row *held; /* array (holds): sorted by handle */
    int holds;
    uint8_t *is_held; /* (nodes) */
    double *imposed;  /* array (nodes x 3): prescribed velocities of the nodes with prescribed motion */
    double *pushed;   /* array (nodes x 3): external impulses on nodes with prescribed motion */
    /* array (nodes x 3): displacements from the start of the step to the positions at which the step is linearised */
    double *u;
    /* array (nodes x 3): elastic force f_0 extrapolated to the start of the step, and product H v of the stiffness matrix and the
     * velocities */
    double *f0, *h_v;
    /* array (triangles x 8): data of each triangle for the drag: normal, drag coefficients along and across the normal,
     * velocity of the air */
    double *air;
    double stiff; /* factor of H in A */
    int64_t *row_start;
    int32_t *column;
    int64_t *diagonal; /* (nodes) */
    double *block;
    cst_block_cholesky factor; /* order of nested dissection */
    cst_sheet_late late;
    double *work, *rhs;
    /* Temporary arrays: mean velocities z (nodes x 3), their product with the stiffness matrix H (nodes x 3), air forces (2 x
     * nodes x 3), and energies of groups of elements. */
    double *z, *h_z, *air_force, *chunk;
    cst_body_work work_done;
} cst_sheet;

/* Computes the sparsity pattern of the system matrix and the colours of the elements when the sheet is created. Returns false
 * if memory ran out. */
bool cst_sheet_pattern(cst_sheet *sheet);

/* Functions for the factorisation of a sheet's system matrix in which nodes with expected contacts are eliminated last
 * (sheet_expect.c). The function cst_sheet_late_begin allocates memory after the sparsity pattern of the system matrix is known,
 * and returns false if memory ran out. The world calls cst_sheet_expect. The function cst_sheet_factor factorises the system
 * matrix and has the same return values as cst_block_cholesky_factor. The function cst_sheet_solve solves with the factorised
 * system matrix; the solution replaces the right-hand side in x. */
bool cst_sheet_late_begin(cst_sheet *sheet);
void cst_sheet_expect(void *self, const cst_material_point *at);
int cst_sheet_factor(cst_sheet *sheet);
void cst_sheet_solve(cst_sheet *sheet, double *x);

/* Functions for the handles of a sheet: groups of nodes that are held or moved along a prescribed path. The function
 * cst_sheet_take_handles checks and copies the definitions of the handles. The function cst_sheet_place_handles writes the
 * prescribed positions at a given time to x. The function cst_sheet_impose computes the prescribed velocities of a step. The
 * function cst_sheet_hold moves the known terms of nodes with prescribed motion from the system matrix to the right-hand side. */
bool cst_sheet_take_handles(cst_sheet *sheet, const cst_sheet_def *def, const cst_complaint *to);
void cst_sheet_place_handles(cst_sheet *sheet, double time, double *x);
void cst_sheet_impose(cst_sheet *sheet, const cst_step_frame *frame);
void cst_sheet_hold(cst_sheet *sheet);

/* The function cst_sheet_add_air computes the drag coefficients of all triangles at the present state and adds the drag to the
 * system matrix and to the right-hand side. The function cst_sheet_air_force computes the air forces on the nodes if they move
 * with the velocities z (NULL: if they are at rest). */
void cst_sheet_add_air(cst_sheet *sheet, const cst_step_frame *frame, double old_share);
void cst_sheet_air_force(const cst_sheet *sheet, const double *z, double *force);

/* Computes the product of the stiffness matrix H and the vector z from the assembled system matrix. */
void cst_sheet_stiffness(const cst_sheet *sheet, double implicit_air, const double *z, double *out);

/* Computes the energies of the elements at the node positions x. */
void cst_sheet_energies(cst_sheet *sheet, const double *x, double *out);

bool cst_sheet_assemble(void *self, const cst_step_frame *frame, const double *guess, char *message, size_t message_size);

/* Computes the mean velocities v_theta of all nodes in the theta scheme and writes them to z; nodes with prescribed motion have
 * their prescribed velocities. */
void cst_sheet_mean(const cst_sheet *sheet, const cst_step_frame *frame, const double *v, double *z);

/* Returns the weight of the start velocities in the mean velocities of the theta scheme: 1 - theta, or zero in a quasi-static
 * step. */
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
