/* Adds bodies, obstacles, constraints, loads and materials to a world. If the definition of an item is refused, the world
 * stays unchanged. */
#include <math.h>
#include <string.h>

#include "base/complaint.h"
#include "cloth/sheet.h"
#include "rigid/rigid_body.h"
#include "rigid/rigid_space.h"
#include "rod/corde.h"
#include "rod/discrete_rod.h"
#include "rod/spring_chain.h"
#include "rod/super_circle.h"
#include "rod/super_helix.h"
#include "world/defaults.h"
#include "world/point_motion.h"
#include "world/view.h"

/* Copies a text into the arena; NULL gives "". Returns NULL if memory ran out. */
static const char *copy_text(cst_arena *arena, const char *text)
{
    if (!text)
        return "";
    const size_t bytes = strlen(text) + 1;
    char *copy = CST_TAKE_RAW(arena, char, bytes);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

static bool reserve(cst_world *world, void **items, int *room, int count, size_t size)
{
    return cst_list_reserve(&world->def.friction.allocator, items, room, count + 1, size);
}

/* Reports that memory ran out, and clears the failure mark of the arena, so that a smaller item can still be added later. */
static bool out_of_memory(cst_world *world, const cst_complaint *to)
{
    world->keep.failed = false;
    return cst_complain(to, "out of memory");
}

static bool check_cookie(uint32_t cookie, uint32_t expected, const char *what, const cst_complaint *to)
{
    return cookie == expected ? true : cst_complain(to, "a %s's definition must come from cst_%s_def_default()", what, what);
}

bool cst_check_coefficients(double friction, double restitution, const cst_complaint *to)
{
    if (!cst_friction_is_valid(friction))
        return cst_complain(to, "friction must be finite and not negative, or CST_UNSET: %g", friction);
    if (!cst_restitution_is_valid(restitution))
        return cst_complain(to, "restitution must be in [0, 1], or CST_UNSET: %g", restitution);
    return true;
}

bool cst_check_surface(const cst_world *world, const cst_surface *surface, const cst_complaint *to)
{
    if (surface->material > (unsigned)world->materials)
        return cst_complain(to, "there is no material %u", surface->material);
    return cst_check_coefficients(surface->friction, surface->restitution, to);
}

/* ------------------------------------------------------------------------------------------------- materials and pairs */

cst_material_id cst_world_add_material(cst_world *world, const cst_material_def *def, char *message, size_t message_size)
{
    const cst_complaint to = {message, message_size};
    if (!check_cookie(def->cookie, CST_MATERIAL_COOKIE, "material", &to) ||
        !cst_check_coefficients(def->friction, def->restitution, &to))
        return 0;
    const char *name = copy_text(&world->keep, def->name);
    if (!name || !reserve(world, (void **)&world->material, &world->material_room, world->materials, sizeof *world->material))
        return out_of_memory(world, &to);
    world->material[world->materials] = (cst_material){.name = name, .friction = def->friction, .restitution = def->restitution};
    return (cst_material_id)++world->materials;
}

static bool check_party(const cst_world *world, cst_party party, const cst_complaint *to)
{
    if ((party.body != 0) + (party.obstacle != 0) + (party.material != 0) != 1)
        return cst_complain(to, "a party of a pair is one of a body, an obstacle and a material");
    if (party.body > (unsigned)world->bodies)
        return cst_complain(to, "there is no body %u", party.body);
    if (party.obstacle > (unsigned)world->obstacles)
        return cst_complain(to, "there is no obstacle %u", party.obstacle);
    if (party.material > (unsigned)world->materials)
        return cst_complain(to, "there is no material %u", party.material);
    return true;
}

bool cst_world_set_pair(cst_world *world, cst_party a, cst_party b, double friction, double restitution, char *message,
                        size_t message_size)
{
    const cst_complaint to = {message, message_size};
    if (!check_party(world, a, &to) || !check_party(world, b, &to) || !cst_check_coefficients(friction, restitution, &to))
        return false;
    if (a.obstacle && b.obstacle)
        return cst_complain(&to, "two obstacles never touch");
    for (int k = 0; k < world->pairs; k++)
        /* if friction or restitution of the pair (a, b) was set in an earlier call, the values of this call replace the old
         * values; a value CST_UNSET leaves the old value unchanged */
        if (cst_surface_pair_is(world->pair + k, a, b)) {
            world->pair[k].friction = friction != CST_UNSET ? friction : world->pair[k].friction;
            world->pair[k].restitution = restitution != CST_UNSET ? restitution : world->pair[k].restitution;
            return true;
        }
    if (!reserve(world, (void **)&world->pair, &world->pair_room, world->pairs, sizeof *world->pair))
        return out_of_memory(world, &to);
    world->pair[world->pairs++] = (cst_surface_pair){.a = a, .b = b, .friction = friction, .restitution = restitution};
    return true;
}

static int32_t owner_of_party(cst_party party)
{
    return party.body ? cst_owner_of_body((int)party.body - 1) : cst_owner_of_obstacle((int)party.obstacle - 1);
}

bool cst_world_set_apart(cst_world *world, cst_party a, cst_party b, char *message, size_t message_size)
{
    const cst_complaint to = {message, message_size};
    if (!check_party(world, a, &to) || !check_party(world, b, &to))
        return false;
    if (a.material || b.material || (a.obstacle && b.obstacle) || (a.body && a.body == b.body))
        return cst_complain(&to, "only two bodies, or a body and an obstacle, can be told never to touch");
    if (!reserve(world, (void **)&world->apart, &world->apart_room, world->aparts, sizeof *world->apart))
        return out_of_memory(world, &to);
    const int32_t one = owner_of_party(a), two = owner_of_party(b);
    world->apart[world->aparts++] = (cst_owner_pair){.low = one < two ? one : two, .high = one < two ? two : one};
    /* removes the contacts of the last step between the objects a and b, because the next step would otherwise continue these
     * contacts */
    cst_world_drop_contacts(world, one, two);
    return true;
}

/* --------------------------------------------------------------------------------------------------------------- bodies */

double cst_world_body_energy(const cst_world *world, int body)
{
    cst_body_energy energy;
    world->model[body].class->dynamics->energy(world->model[body].self, world->def.gravity, &energy);
    return energy.kinetic + energy.elastic + energy.gravity;
}

double cst_world_bodies_energy(const cst_world *world)
{
    double sum = 0.0;
    for (int k = 0; k < world->bodies; k++)
        sum += cst_world_body_energy(world, k);
    return sum;
}

static bool reserve_body(cst_world *world)
{
    return reserve(world, (void **)&world->model, &world->model_room, world->bodies, sizeof *world->model) &&
           reserve(world, (void **)&world->body, &world->body_room, world->bodies, sizeof *world->body);
}

/* Enlarges the buffer world->point if a point of the new body depends on more degrees of freedom than a point of any earlier
 * body. */
static bool reserve_point(cst_world *world, const cst_body_model *model)
{
    const int dofs = model->class->places->point_dofs(model->self);
    if (dofs <= world->point_dofs)
        return true;
    if (!cst_point_motion_take(&world->keep, model, world->def.dim, &world->point))
        return false;
    world->point_dofs = dofs;
    return true;
}

/* Adds a body model to the world; returns 0 and destroys the model if memory ran out. */
static cst_body_id enter_body(cst_world *world, cst_body_model model, cst_world_body body, const cst_complaint *to)
{
    const cst_step_frame frame = cst_world_frame(world, world->def.time_step.dt);
    if (!reserve_point(world, &model)) {
        model.class->destroy(model.self);
        return out_of_memory(world, to);
    }
    world->model[world->bodies] = model;
    world->body[world->bodies] = body;
    model.class->dynamics->place(model.self, &frame, NULL);
    world->budget.energy_at_start += cst_world_body_energy(world, world->bodies);
    world->budget.ledger.open = false;
    return (cst_body_id)++world->bodies;
}

static void drop_body(cst_world *world)
{
    world->bodies--;
    world->budget.energy_at_start -= cst_world_body_energy(world, world->bodies);
    world->budget.ledger.open = false;
    world->model[world->bodies].class->destroy(world->model[world->bodies].self);
}

/* Adds a constraint that welds the end of a closed rod or super-helix to its start. */
static bool close_ring(cst_world *world, cst_body_id rod, const char *name, const cst_complaint *to)
{
    cst_constraint_def weld = cst_constraint_def_default();
    weld.name = name;
    weld.kind = CST_CONSTRAINT_CLAMPED;
    weld.a = (cst_place){.body = rod, .at_end = true};
    weld.b = (cst_place){.body = rod};
    return cst_world_add_constraint(world, &weld, to->message, to->size) != 0;
}

/* Copies the friction coefficients of the elements of a rod, if the definition lists them. Returns false if a coefficient is not
 * valid or memory ran out. */
static bool copy_element_friction(cst_world *world, const double *friction, int elements, double **out, const cst_complaint *to)
{
    *out = NULL;
    if (!friction || elements < 1) /* the model refuses zero elements */
        return true;
    for (int i = 0; i < elements; i++)
        if (!cst_friction_is_valid(friction[i]))
            return cst_complain(to, "element_friction[%d] must be finite and not negative, or CST_UNSET: %g", i, friction[i]);
    *out = CST_TAKE_RAW(&world->keep, double, elements);
    if (!*out)
        return out_of_memory(world, to);
    memcpy(*out, friction, sizeof(double) * (size_t)elements);
    return true;
}

static bool check_dim(const cst_world *world, int dim, const char *what, const cst_complaint *to)
{
    return world->def.dim == dim
               ? true
               : cst_complain(to, "%s: of a world of %d dimensions, and this one has %d", what, dim, world->def.dim);
}

/* Reserves memory for a body and copies its name, its surface (material, friction, restitution) and the friction coefficients of
 * its elements. */
static bool begin_body(cst_world *world, const char *name, const cst_surface *surface, const double *friction, int elements,
                       cst_world_body *out, const cst_complaint *to)
{
    double *copied;
    if (!cst_check_surface(world, surface, to) || !copy_element_friction(world, friction, elements, &copied, to))
        return false;
    *out = (cst_world_body){.name = copy_text(&world->keep, name), .surface = *surface, .element_friction = copied};
    return (out->name && reserve_body(world)) || out_of_memory(world, to);
}

static cst_body_id enter_curve(cst_world *world, cst_body_model model, const cst_world_body *kept, bool closes, const char *name,
                               const cst_complaint *to)
{
    const cst_body_id id = enter_body(world, model, *kept, to);
    if (!id || !closes || close_ring(world, id, name, to))
        return id;
    drop_body(world);
    return 0;
}

cst_body_id cst_world_add_rod(cst_world *world, const cst_rod_def *def, char *message, size_t message_size)
{
    const cst_complaint to = {message, message_size};
    cst_body_model model;
    cst_world_body kept;
    if (!check_cookie(def->cookie, CST_ROD_COOKIE, "rod", &to) || !check_dim(world, 2, "rod", &to) ||
        !begin_body(world, def->name, &def->surface, def->element_friction, def->elements, &kept, &to))
        return 0;
    const cst_allocator pool = cst_arena_share(&world->keep);
    return cst_super_circle_create(def, &pool, &model, message, message_size)
               ? enter_curve(world, model, &kept, def->closed, def->name, &to)
               : 0;
}

static bool create_fiber(const cst_fiber_def *def, const cst_allocator *allocator, cst_body_model *out, const cst_complaint *to)
{
    switch (def->model) {
    case CST_FIBER_SUPER_HELIX:
        return cst_super_helix_create(def, allocator, out, to->message, to->size);
    case CST_FIBER_DISCRETE_ROD:
        return cst_discrete_rod_create(def, allocator, out, to->message, to->size);
    case CST_FIBER_CORDE:
        return cst_corde_create(def, allocator, out, to->message, to->size);
    case CST_FIBER_SPRINGS:
        return cst_spring_chain_create(def, allocator, out, to->message, to->size);
    }
    return cst_complain(to, "fiber: no such model: %d", (int)def->model);
}

cst_body_id cst_world_add_fiber(cst_world *world, const cst_fiber_def *def, char *message, size_t message_size)
{
    const cst_complaint to = {message, message_size};
    const bool closes = def->closed && def->model == CST_FIBER_SUPER_HELIX; /* nodal models close the ring themselves */
    cst_body_model model;
    cst_world_body kept;
    if (!check_cookie(def->cookie, CST_FIBER_COOKIE, "fiber", &to) || !check_dim(world, 3, "fiber", &to) ||
        !begin_body(world, def->name, &def->surface, def->element_friction, def->elements, &kept, &to))
        return 0;
    if (def->sag_free && (def->model != CST_FIBER_SUPER_HELIX || !def->clamped)) {
        cst_complain(&to, "fiber: sag_free is for super helices that are clamped");
        return 0;
    }
    const cst_allocator pool = cst_arena_share(&world->keep);
    if (!create_fiber(def, &pool, &model, &to))
        return 0;
    if (def->sag_free && !cst_super_helix_rest(&model, world->def.gravity)) {
        model.class->destroy(model.self);
        cst_complain(&to, "fiber: out of memory");
        return 0;
    }
    return enter_curve(world, model, &kept, closes, def->name, &to);
}

cst_body_id cst_world_add_rigid(cst_world *world, const cst_rigid_def *def, char *message, size_t message_size)
{
    const cst_complaint to = {message, message_size};
    const bool space = def->shape >= CST_RIGID_SPHERE;
    cst_body_model model;
    cst_world_body kept;
    if (!check_cookie(def->cookie, CST_RIGID_COOKIE, "rigid", &to) || !check_dim(world, space ? 3 : 2, "rigid", &to) ||
        !begin_body(world, def->name, &def->surface, NULL, 0, &kept, &to))
        return 0;
    const cst_allocator pool = cst_arena_share(&world->keep);
    if (!(space ? cst_rigid_space_create(def, &pool, &model, message, message_size)
                : cst_rigid_create(def, &pool, &model, message, message_size)))
        return 0;
    return enter_body(world, model, kept, &to);
}

cst_body_id cst_world_add_sheet(cst_world *world, const cst_sheet_def *def, char *message, size_t message_size)
{
    const cst_complaint to = {message, message_size};
    cst_body_model model;
    cst_world_body kept;
    if (!check_cookie(def->cookie, CST_SHEET_COOKIE, "sheet", &to) || !check_dim(world, 3, "sheet", &to) ||
        !begin_body(world, def->name, &def->surface, NULL, 0, &kept, &to))
        return 0;
    const cst_allocator pool = cst_arena_share(&world->keep);
    return cst_sheet_create(def, &pool, &model, message, message_size) ? enter_body(world, model, kept, &to) : 0;
}

/* ------------------------------------------------------------------------------------------------------------ the others */

cst_obstacle_id cst_world_add_obstacle(cst_world *world, const cst_obstacle_def *def, char *message, size_t message_size)
{
    const cst_complaint to = {message, message_size};
    if (!check_cookie(def->cookie, CST_OBSTACLE_COOKIE, "obstacle", &to) ||
        !check_dim(world, def->shape >= CST_OBSTACLE_PLANE ? 3 : 2, "obstacle", &to) ||
        !cst_check_surface(world, &def->surface, &to))
        return 0;
    if (!reserve(world, (void **)&world->obstacle, &world->obstacle_room, world->obstacles, sizeof *world->obstacle))
        return out_of_memory(world, &to);
    if (!cst_obstacle_create(def, &world->keep, world->obstacle + world->obstacles, message, message_size)) {
        world->keep.failed = false;
        return 0;
    }
    return (cst_obstacle_id)++world->obstacles;
}

static bool check_not_sheet(const cst_world *world, cst_body_id body, const cst_complaint *to)
{
    return body == 0 || body > (unsigned)world->bodies || !cst_is_sheet(world->model + (body - 1)) ||
           cst_complain(to, "a constraint cannot hold a sheet: give the sheet a handle");
}

cst_constraint_id cst_world_add_constraint(cst_world *world, const cst_constraint_def *def, char *message, size_t message_size)
{
    const cst_complaint to = {message, message_size};
    if (!check_cookie(def->cookie, CST_CONSTRAINT_COOKIE, "constraint", &to) || !check_not_sheet(world, def->a.body, &to) ||
        !check_not_sheet(world, def->b.body, &to))
        return 0;
    if (!reserve(world, (void **)&world->constraint, &world->constraint_room, world->constraints, sizeof *world->constraint))
        return out_of_memory(world, &to);
    if (!cst_constraint_create(def, world->def.dim, world->model, world->bodies, &world->keep,
                               world->constraint + world->constraints, message, message_size)) {
        world->keep.failed = false;
        return 0;
    }
    world->constraints++;
    world->budget.energy_at_start += cst_constraints_hold_frames(world->constraint, world->constraints, world->model,
                                                                 cst_world_time(world), world->def.time_step.dt);
    world->budget.ledger.open = false;
    return (cst_constraint_id)world->constraints;
}

cst_load_id cst_world_add_load(cst_world *world, const cst_load_def *def, char *message, size_t message_size)
{
    const cst_complaint to = {message, message_size};
    if (!check_cookie(def->cookie, CST_LOAD_COOKIE, "load", &to))
        return 0;
    if (!reserve(world, (void **)&world->load, &world->load_room, world->loads, sizeof *world->load))
        return out_of_memory(world, &to);
    if (!cst_load_create(def, world->def.dim, world->model, world->bodies, &world->keep, world->load + world->loads, message,
                         message_size)) {
        world->keep.failed = false;
        return 0;
    }
    return (cst_load_id)++world->loads;
}

/* ------------------------------------------------------------------------------------------------------------- surfaces */

cst_surface_rules cst_world_surface_rules(const cst_world *world)
{
    return (cst_surface_rules){.pair = world->pair,
                               .pairs = world->pairs,
                               .material = world->material,
                               .friction = world->def.friction_coefficient,
                               .restitution = world->def.restitution};
}

cst_objects cst_world_objects(const cst_world *world)
{
    return (cst_objects){.model = world->model,
                         .body = world->body,
                         .bodies = world->bodies,
                         .obstacle = world->obstacle,
                         .obstacles = world->obstacles};
}
