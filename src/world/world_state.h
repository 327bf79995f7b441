/* What a world is made of. Everything the future depends on is here or in the bodies; see world/snapshot.c. */
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

/* Works since the start, and the energy then: what a budget is made of. */
typedef struct cst_budget {
    double energy_at_start;
    cst_energies work; /* only the works are used */
    cst_ledger ledger;
    double largest_force; /* N: in a step to an equilibrium, so far */
} cst_budget;

struct cst_world {
    cst_world_def def;
    int room;              /* of cst_list_reserve: the world itself is a list of one item */
    cst_block_cache cache; /* on the caller's allocator; serves friction */
    cst_arena keep;        /* lasts as long as the world; bodies are built in it */
    cst_arena step;        /* empty between steps */
    cst_arena ties;        /* of the motion with ties that a linearisation lends to its friction (world/tied.h) */
    cst_detector detector;
    cst_feature_detector features;

    /* growing lists: count, and room */
    cst_body_model *model; /* (bodies) */
    cst_world_body *body;  /* (bodies) */
    int bodies, body_room, model_room;
    cst_obstacle *obstacle;
    int obstacles, obstacle_room;
    cst_constraint *constraint;
    int constraints, constraint_room;
    int eliminated_rows; /* of groups of joined bodies: CST_JOINED_ROWS_MAX but in tests (world/joined.h) */
    cst_load *load;
    int loads, load_room;
    cst_material *material;
    int materials, material_room;
    cst_surface_pair *pair;
    int pairs, pair_room;
    cst_owner_pair *apart; /* owners that were told never to touch; in any order, perhaps twice */
    int aparts, apart_room;

    cst_stepping stepping; /* time, and the control of dt */
    cst_budget budget;

    cst_contact *contact; /* of the last step */
    int contacts, contact_room;
    double contact_dt; /* the step they were made in */
    bool settling;     /* the step goes to an equilibrium in no time: statics.c */
    uint64_t next_contact_id;

    cst_contact_view *view; /* (contacts) the same as the caller sees them */
    int view_room;

    cst_point_motion point; /* room for the motion of a point of any body */
    int point_dofs;

    cst_vertex_store vertices; /* bulk state, on request */
    bool (*before_step)(void *user, cst_world *world);
    void *before_step_user;
};

/* Room for `count` items of `size` bytes, kept contents; at least doubled when it grows. False: out of memory, all as it was. */
bool cst_list_reserve(const cst_allocator *allocator, void **items, int *room, int count, size_t size);
void cst_list_free(const cst_allocator *allocator, void *items, int room, size_t size);

/* Bodies and obstacles, for the phases of a step. */
cst_objects cst_world_objects(const cst_world *world);

/* False with a message unless these are coefficients, or CST_UNSET; and a surface of the world's materials. */
bool cst_check_coefficients(double friction, double restitution, const cst_complaint *to);
bool cst_check_surface(const cst_world *world, const cst_surface *surface, const cst_complaint *to);

/* Friction and restitution as the rule of precedence sees them (world/surface.h). */
cst_surface_rules cst_world_surface_rules(const cst_world *world);

/* The step that would begin now: its frame for a given dt. */
cst_step_frame cst_world_frame(const cst_world *world, double dt);

/* Mechanical energy of one body now. */
double cst_world_body_energy(const cst_world *world, int body);

/* Room for points of any body, `count` of them, from the step's arena. NULL: out of memory. */
cst_point_motion *cst_world_point_rooms(cst_world *world, int count);

/* The caller's forces as they are for the bodies now, without room for a step; force NULL: there are none. */
cst_user_force cst_world_user_force(const cst_world *world);

/* Bodies where they are: after a step, a load, or an attempt that was given up. */
void cst_world_place_bodies(cst_world *world);

/* The name of a body in a message: its own, or "body 3". */
void cst_world_say_body(const cst_world *world, int body, char *out, size_t size);

#endif
