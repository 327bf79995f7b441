/* The state of all bodies of a world as arrays, and functions that change a world between steps. Part of capstan.h; SI units.
 *
 * Every body has vertices. The vertices of a rod or a fiber are the ends of its elements or edges. A closed rod has as many
 * vertices as elements. The first vertex of a clamped fiber whose unknowns are node positions is the position of its clamp. A
 * rigid body has one vertex, its centre of mass. The vertices of cloth are its nodes. One array holds the vertices of all bodies,
 * body after body. An array of vertex data, such as that returned by cst_world_positions, changes only when the function that
 * returned it is called again. An array of vertex data keeps its address until a body is added or the number of vertices of a
 * body changes; cst_vertices.layout then changes too. Old arrays of vertex data stay readable as long as the world exists.
 *
 * This example reads the positions of the vertices of one body:
 *
 *     cst_vertices all;
 *     cst_world_vertices(world, &all);
 *     const double *x = cst_world_positions(world);
 *     for (int64_t i = all.first[k]; i < all.first[k + 1]; i++) ... x[3 * i] ...        (body k + 1) */
#ifndef CAPSTAN_STATE_H
#define CAPSTAN_STATE_H

typedef struct cst_vertices {
    int bodies;
    int64_t count;        /* vertices of all bodies */
    const int64_t *first; /* array (bodies + 1): the body with the id k + 1 has the vertices first[k] to first[k + 1] - 1 */
    uint64_t layout;      /* changes whenever `first` changes */
} cst_vertices;

/* False: out of memory. */
bool cst_world_vertices(cst_world *world, cst_vertices *out);

/* NULL: out of memory. */
const double *cst_world_positions(cst_world *world);  /* array (count x 3): m */
const double *cst_world_velocities(cst_world *world); /* array (count x 3): m/s */
/* array (count x 9): row-major rotation matrix of each vertex; in 2D it rotates about z; for a fiber its columns are the tangent
 * and the two directors */
const double *cst_world_frames(cst_world *world);
/* array (count): contact radius at each vertex (m); for a rigid body, its rounding radius. A vertex between two elements has
 * the radius of the second element. */
const double *cst_world_radii(cst_world *world);

/* --------------------------------------------------------------------------------------------------------------- changes */

/* Each change of a world takes effect with the next step. A function that fails returns false, writes a message and changes
 * nothing. If a change of the world adds energy to the bodies, the energy balance counts the added energy as initial energy,
 * not as an error. Of all changes made with the functions of this header, a checkpoint (cst_world_save) contains only new body
 * states; after loading a checkpoint, the program must repeat all other changes. */

bool cst_world_set_gravity(cst_world *world, const double *gravity, char *message, size_t message_size); /* array (3): m/s2 */

/* Sets the generalised state of a body to the `count` values of `state`, which are in the order of cst_world_body_state
 * (docs/cache.md). The function cst_world_set_body_state also removes all contacts of the body; the next step detects them
 * again. */
bool cst_world_set_body_state(cst_world *world, cst_body_id body, const double *state, int count, char *message,
                              size_t message_size);

/* The functions cst_world_set_friction, cst_world_set_material and cst_world_set_surface set the friction and the restitution of
 * the world, of a material, and of a body or an obstacle. Pairs: cst_world_set_pair. */
bool cst_world_set_friction(cst_world *world, double friction, double restitution, char *message, size_t message_size);
bool cst_world_set_material(cst_world *world, cst_material_id material, double friction, double restitution, char *message,
                            size_t message_size);
bool cst_world_set_surface(cst_world *world, cst_party of, const cst_surface *surface, char *message, size_t message_size);

/* Sets the force (N) and the moment (N m) of a load, 3 components each; the time factor of the load does not change. */
bool cst_world_set_load(cst_world *world, cst_load_id load, const double *force, const double *moment, char *message,
                        size_t message_size);

/* The functions cst_world_set_..._motion replace the prescribed motion of an obstacle, of the point `b` of a constraint, or of
 * the clamped start of a rod or fiber. At the present time, the new motion must have the displacement x of the old motion, within
 * 1e-9 (1 + |x|) in each component (m or rad). For example, its first keyframe has the present time and the values of
 * cst_world_*_displacement. A new motion without keyframes (keys = 0) is valid only if the present displacement is zero. */
bool cst_world_set_obstacle_motion(cst_world *world, cst_obstacle_id obstacle, const cst_motion *motion, char *message,
                                   size_t message_size);
bool cst_world_set_constraint_motion(cst_world *world, cst_constraint_id constraint, const cst_motion *motion, char *message,
                                     size_t message_size);
bool cst_world_set_root_motion(cst_world *world, cst_body_id body, const cst_motion *motion, char *message, size_t message_size);
/* Computes the present displacement of the clamped start of a body by its prescribed motion; zero without a motion. The outputs
 * `translation` and `rotation` have 3 components each and may be NULL. */
void cst_world_root_displacement(const cst_world *world, cst_body_id body, double *translation, double *rotation);

/* Sets additional forces (N) on all vertices; `force` (vertices x 3). The vertex forces set by the caller are constant over a
 * step and act until the caller sets new forces. The work of the vertex forces is added to cst_energies.loads. NULL: no forces.
 * `vertices` is cst_vertices.count. The vertex forces set by the caller are removed when a body is added or the number of
 * vertices of a body changes. */
bool cst_world_set_forces(cst_world *world, const double *force, int64_t vertices, char *message, size_t message_size);

/* ------------------------------------------------------------------------------------------------------------- callbacks */

/* Sets the callback `before`, which is called at the start of each step. The function `before` may read the world and change
 * it with the functions of this header, but must not step, load or free the world. If the callback `before` returns false, no
 * step is taken and the status is CST_INTERRUPTED. `before` = NULL ends the calls. */
void cst_world_on_step(cst_world *world, bool (*before)(void *user, cst_world *world), void *user);

/* Sets the callback `progress`, which is called between iterations of the friction solver. Any thread of the friction solver may
 * call `progress`, but only one thread at a time. If the callback `progress` returns false, the step ends with CST_INTERRUPTED
 * and the world is unchanged. `progress` = NULL ends the calls. The results with and without the callback `progress` are bitwise
 * the same. */
void cst_world_on_iteration(cst_world *world, bool (*progress)(void *user, const cst_friction_progress *now), void *user);

#endif
