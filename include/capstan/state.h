/* The state of a whole world as arrays, and what may be changed while it runs. Part of capstan.h; SI units.
 *
 *     cst_vertices all;
 *     cst_world_vertices(world, &all);
 *     const double *x = cst_world_positions(world);
 *     for (int64_t i = all.first[k]; i < all.first[k + 1]; i++) ... x[3 * i] ...        body k + 1
 *
 * A body is given by vertices: a rod or a fiber by the ends of its elements or edges (a closed one has as many vertices as elements; of a
 * clamped nodal fiber the first is the clamp), a rigid body by its centre of mass, cloth by its nodes. All bodies follow each other
 * in one array. An array is brought up to date by the call that asks for it and by nothing else. It stays where it is until a body is
 * added or a body has other vertices (cst_vertices.layout says so), and is readable as long as the world: an old one keeps old values. */
#ifndef CAPSTAN_STATE_H
#define CAPSTAN_STATE_H

typedef struct cst_vertices {
    int bodies;
    int64_t count;        /* vertices of all bodies */
    const int64_t *first; /* (bodies + 1): the body with id k + 1 has the vertices first[k] to first[k + 1] - 1 */
    uint64_t layout;      /* another number whenever `first` is another one */
} cst_vertices;

/* False: out of memory. */
bool cst_world_vertices(cst_world *world, cst_vertices *out);

/* NULL: out of memory. */
const double *cst_world_positions(cst_world *world);  /* (count x 3) m */
const double *cst_world_velocities(cst_world *world); /* (count x 3) m/s */
/* (count x 9) row-major rotations: of a fiber the columns t, d1, d2; in the plane about z */
const double *cst_world_frames(cst_world *world);
/* (count) m: of contact, or of the rounding of a solid; at the end between two elements that of the second */
const double *cst_world_radii(cst_world *world);

/* --------------------------------------------------------------------------------------------------------------- changes
 *
 * Each takes effect with the next step. False with a message: nothing was changed. The budget of energy counts what a change gives
 * to the bodies as energy that was there at the start: it is not left unexplained. Only body states are in checkpoints (cst_world_save);
 * a program that loads one makes its other changes again. */

bool cst_world_set_gravity(cst_world *world, const double *gravity, char *message, size_t message_size); /* (3) m/s2 */

/* The generalised state of a body, count values as cst_world_body_state gives them (docs/cache.md). Its contacts are found anew. */
bool cst_world_set_body_state(cst_world *world, cst_body_id body, const double *state, int count, char *message,
                              size_t message_size);

/* Friction and restitution: of the world where nobody else speaks, of a material, of a body or an obstacle. Pairs: cst_world_set_pair. */
bool cst_world_set_friction(cst_world *world, double friction, double restitution, char *message, size_t message_size);
bool cst_world_set_material(cst_world *world, cst_material_id material, double friction, double restitution, char *message,
                            size_t message_size);
bool cst_world_set_surface(cst_world *world, cst_party of, const cst_surface *surface, char *message, size_t message_size);

/* Another force (N) and moment (N m) of a load; its factor of time stays. (3) each. */
bool cst_world_set_load(cst_world *world, cst_load_id load, const double *force, const double *moment, char *message,
                        size_t message_size);

/* Another prescribed motion of an obstacle, of the place a constraint holds to, of the clamped start of a rod or fiber. It must go on from
 * where the old one is now (to 1e-9 m and rad): a first key at the present time with what cst_world_*_displacement says. keys = 0: it stays
 * where it began, which is a jump unless it is there. */
bool cst_world_set_obstacle_motion(cst_world *world, cst_obstacle_id obstacle, const cst_motion *motion, char *message,
                                   size_t message_size);
bool cst_world_set_constraint_motion(cst_world *world, cst_constraint_id constraint, const cst_motion *motion, char *message,
                                     size_t message_size);
bool cst_world_set_root_motion(cst_world *world, cst_body_id body, const cst_motion *motion, char *message, size_t message_size);
/* How far root_motion has taken the start of a body by now; zero without one. (3) each, NULL to skip. */
void cst_world_root_displacement(const cst_world *world, cst_body_id body, double *translation, double *rotation);

/* Forces (N) of the caller's own on all vertices, (vertices x 3): constant over a step, until they are set again. Their work is in
 * cst_energies.loads. NULL: none. `vertices` is cst_vertices.count. When bodies are added or have other vertices there are none. */
bool cst_world_set_forces(cst_world *world, const double *force, int64_t vertices, char *message, size_t message_size);

/* ------------------------------------------------------------------------------------------------------------- callbacks */

/* From now on `before` is called at the start of each step; it may look at the world and change it as above, but not step, load or free it.
 * false: no step is taken, CST_INTERRUPTED. NULL: no longer. */
void cst_world_on_step(cst_world *world, bool (*before)(void *user, cst_world *world), void *user);

/* From now on `progress` is asked between iterations of the friction solver, from any of the world's threads, one at a time; false:
 * the step ends with CST_INTERRUPTED and the world is as it was. NULL: no longer. The results are the same bits. */
void cst_world_on_iteration(cst_world *world, bool (*progress)(void *user, const cst_friction_progress *now), void *user);

#endif
