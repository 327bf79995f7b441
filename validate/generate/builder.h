/* Putting a generated problem together: bodies, contact frames, sides, and the two ways of making it solvable.
 *
 * Every call that takes memory returns false (or NULL) once some allocation has failed; the family then returns
 * cst_builder_abandon(). What the problem keeps is in `arena`, what only its making needs in `scratch`. */
#ifndef CST_GENERATE_BUILDER_H
#define CST_GENERATE_BUILDER_H

#include "base/arena.h"
#include "base/rng.h"
#include "generate/family.h"

typedef struct cst_builder {
    cst_arena arena;
    cst_arena scratch;
    cst_generated *out;
    int dim;
    int bodies;
    int contacts;
    cst_body *body;  /* (bodies) */
    double **matrix; /* (bodies) writable views of body[].matrix and body[].rhs */
    double **rhs;
    cst_contact_side *side_a; /* (contacts) */
    cst_contact_side *side_b;
    double *velocity_offset; /* (contacts x dim) */
    double *mu;              /* (contacts) */
    uint8_t *law;            /* (contacts) */
    double *frame;           /* (contacts x dim x dim) rows normal, tangents */
} cst_builder;

bool cst_builder_begin(cst_builder *builder, int dim, uint64_t seed, const cst_allocator *allocator);
bool cst_builder_bodies(cst_builder *builder, int bodies);
bool cst_builder_contacts(cst_builder *builder, int contacts);

/* A dense body of `size` dofs; its matrix and rhs are zero. */
bool cst_builder_dense(cst_builder *builder, int body, int size);

/* A nodal body with the block pattern of an undirected graph: row_start (nodes + 1) and column as in cst_body, copied. */
bool cst_builder_nodal(cst_builder *builder, int body, int nodes, const int64_t *row_start, const int32_t *column);

/* A side that moves with a weighted sum of nodes, x = sum_k weight_k x_node_k, nodes increasing. H = +-frame * weights with the
 * sign of the side. No nodes: an obstacle. */
bool cst_builder_attach_nodes(cst_builder *builder, int contact, char side, int body, int count, const int32_t *node,
                              const double *weight);

/* A side whose point moves with J (dim x dofs, row-major) times the body's first `dofs` velocities. */
bool cst_builder_attach_jacobian(cst_builder *builder, int contact, char side, int body, int dofs, const double *jacobian);

/* A side fixed to a rigid body with dofs (velocity, spin); arm: from its centre to the contact point. */
bool cst_builder_attach_rigid(cst_builder *builder, int contact, char side, int body, const double *arm);

void cst_builder_attach_obstacle(cst_builder *builder, int contact, char side);

/* out = A v for one body; out += H^T r; u = H v. Velocities of all bodies are in body order, offset (bodies) by
 * cst_builder_offsets (NULL without memory). */
int *cst_builder_offsets(cst_builder *builder);
void cst_builder_multiply(const cst_builder *builder, int body, const double *v, double *out);
void cst_builder_relative_velocity(const cst_builder *builder, const int *offset, int contact, const double *v, double *u);
void cst_builder_add_impulse(const cst_builder *builder, const int *offset, int contact, const double *r, double *f);

/* Known: draws (r, u) in the law, contact by contact (3 in 10 take off, 4 stick, 3 slide), with impulses of size
 * velocity / w_i, w_i the mean diagonal of W_ii, and sets rhs and velocity_offset so that r is a solution: for any v,
 * rhs = A v - H^T r and u_f = u - H v give w = u_f + H A^-1 rhs = u - W r. Dense bodies only. Checks the result itself: false if it
 * is farther than 1e-12 from the law. */
bool cst_builder_make_known(cst_builder *builder, cst_rng *rng, double velocity);

/* Name it ("rods nu=0.5 (24)"; the seed is added) and hand it over; NULL if any allocation failed. */
cst_generated *cst_builder_finish(cst_builder *builder, const char *format, ...) __attribute__((format(printf, 2, 3)));
cst_generated *cst_builder_abandon(cst_builder *builder); /* always NULL */

#endif
