/* Data of a world. The state of a world, which world/snapshot.c saves, is stored in the struct cst_world and in the bodies. */
#ifndef CST_WORLD_WORLD_STATE_H
#define CST_WORLD_WORLD_STATE_H

#include "base/arena.h"
#include "base/complaint.h"
#include "collide/detect_features.h"
#include "collide/detect_plane.h"
#include "world/block_cache.h"
#include "world/constraint.h"
#include "world/ledger.h"
#include "world/load.h"
#include "world/objects.h"
#include "world/time_step.h"
#include "world/user_force.h"
#include "world/vertices.h"

/* Energy budget of a world: its energy at the start, and all works done since the start. */
typedef struct cst_budget {
    double energy_at_start;
    cst_energies work; /* only the works are used */
    cst_ledger ledger;
    double largest_force; /* largest in equilibria so far (N) */
} cst_budget;

struct cst_world {
    cst_world_def def;
    cst_block_cache cache; /* memory of the friction solver */
    cst_arena keep;        /* lasts as long as the world */
    cst_arena step;        /* empty between steps */
    cst_arena ties;        /* for the motion with constraints (world/tied.h) */
    cst_arena found[2];    /* contacts of the linearisations of a step, in the two arenas in turn */
    cst_detector detector;
    cst_feature_detector features;

    /* lists with counts and capacities */
    cst_body_model *model; /* (bodies) */
    cst_world_body *body;  /* (bodies) */
    int bodies, body_room, model_room;
    cst_obstacle *obstacle;
    int obstacles, obstacle_room;
    cst_constraint *constraint;
    int constraints, constraint_room;
    /* Number of constraint rows up to which the constraints of a group of joined bodies are always eliminated before the friction
     * solve (world/joined.h). Outside tests, this number is CST_JOINED_ROWS_MAX. */
    int eliminated_rows;
    cst_load *load;
    int loads, load_room;
    cst_material *material;
    int materials, material_room;
    cst_surface_pair *pair;
    int pairs, pair_room;
    cst_owner_pair *apart; /* pairs without contacts, unsorted, with duplicates */
    int aparts, apart_room;

    cst_stepping stepping; /* time, and the control of dt */
    cst_budget budget;

    cst_contact *contact; /* of the last step */
    int contacts, contact_room;
    double contact_dt; /* length of the last step (s) */
    bool settling;     /* finding the initial equilibrium (statics.c) */
    uint64_t next_contact_id;

    cst_contact_view *view; /* array (contacts): the caller's list */
    int view_room;

    cst_point_motion point; /* buffer for the motion of any material point */
    int point_dofs;

    cst_vertex_store vertices; /* vertex arrays, filled on request */
    bool (*before_step)(void *user, cst_world *world);
    void *before_step_user;
};

/* Reserves memory for a list of `count` items of `size` bytes each; the items already in the list stay. A list that grows gets at
 * least twice its capacity. If memory ran out, returns false and leaves the list of items unchanged. */
bool cst_list_reserve(const cst_allocator *allocator, void **items, int *room, int count, size_t size);
void cst_list_free(const cst_allocator *allocator, void *items, int room, size_t size);

cst_objects cst_world_objects(const cst_world *world);

/* cst_check_coefficients returns false, with a message, if a coefficient is neither valid nor CST_UNSET. cst_check_surface checks
 * the coefficients and also whether the material exists. */
bool cst_check_coefficients(double friction, double restitution, const cst_complaint *to);
bool cst_check_surface(const cst_world *world, const cst_surface *surface, const cst_complaint *to);

cst_surface_rules cst_world_surface_rules(const cst_world *world);

/* Returns the frame (time, length and settings) of a step of length dt that begins now. */
cst_step_frame cst_world_frame(const cst_world *world, double dt);

/* Returns the present mechanical energy (J) of one body. */
double cst_world_body_energy(const cst_world *world, int body);
double cst_world_bodies_energy(const cst_world *world); /* of all bodies */

/* Allocates `count` buffers in the step's arena, each for the motion of a material point of any body. Returns NULL if memory
 * ran out. */
cst_point_motion *cst_world_point_rooms(cst_world *world, int count);

/* Returns the forces that the caller has set on the vertices of the bodies; the member `force` is NULL if there are none. The
 * members `room`, `g` and `imposed` of the result, which only a step needs, are not set. */
cst_user_force cst_world_user_force(const cst_world *world);

/* Computes the positions in space of all points of the bodies from the generalised coordinates of the bodies. Call
 * cst_world_place_bodies after a step, after a failed step, and after a checkpoint is loaded. */
void cst_world_place_bodies(cst_world *world);

/* Writes the number of a body and, if the user has given one, its name, for a message: "body 3" or "body 3 (rope)". */
void cst_world_say_body(const cst_world *world, int body, char *out, size_t size);

/* Writes the number of an obstacle and, if the user has given one, its name, for a message: "obstacle 2 (table)". */
void cst_world_say_obstacle(const cst_world *world, int obstacle, char *out, size_t size);

#endif
