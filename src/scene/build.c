/* Builds the world of a scene through the public interface of worlds. Bodies, obstacles and constraints get their ids in the
 * order in which they are added to the world; names.h relies on this order. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/c_locale.h"
#include "scene/define.h"
#include "scene/define_sheet.h"
#include "scene/define_space.h"
#include "scene/generate_hair.h"
#include "scene/generate_strands.h"
#include "scene/scene_data.h"
#include "scene/scene_mesh.h"
#include "scene/values.h"
#include "scene/wind.h"

typedef struct builder {
    const cst_scene *scene;
    cst_world *world;
    bool space;
    /* memory for the arrays of the definition that is being added to the world */
    cst_arena scratch;
    const cst_strand *hair; /* array: hairs of the current generator */
    const cst_taken *taken; /* line segments of all hairs whose shapes have been computed so far, from all generators */
    cst_blown *blown;       /* array (fibers): the fibers on which wind acts; NULL if the scene has no wind */
    int fibers;
    char *message;
    size_t size;
} builder;

/* Writes the error message `why`, preceded by the location of the object `node` in the scene file. Always returns false. */
static bool refused(builder *in, const cst_json *node, const char *name, const char *why)
{
    cst_text text = {.arena = &in->scratch};
    if (node->source->lines)
        cst_text_add(&text, "%s:%d:%d: ", node->source->name, node->line, node->column);
    cst_text_add(&text, "%s (%s): %s", cst_json_path(node, NULL, &in->scratch), name ? name : "", why);
    snprintf(in->message, in->size, "%s", in->scratch.failed ? "out of memory" : cst_text_all(&text));
    return false;
}

static cst_material_id material_of(const builder *in, const cst_json *node)
{
    const char *name = cst_get_text(node, "material");
    const cst_name_entry *entry = name ? cst_names_find(&in->scene->names, CST_NAMED_MATERIAL, name) : NULL;
    return entry ? (cst_material_id)entry->number : 0;
}

static bool add_materials(builder *in, const cst_json *list)
{
    char why[256] = "";
    for (const cst_json *node = list->first; node; node = node->next) {
        cst_material_def def = cst_material_def_default();
        def.name = cst_get_text(node, "name");
        def.friction = cst_get_real_or(node, "friction", CST_UNSET);
        def.restitution = cst_get_real_or(node, "restitution", CST_UNSET);
        if (cst_world_add_material(in->world, &def, why, sizeof why) != (cst_material_id)(node->index + 1))
            return refused(in, node, def.name, why);
    }
    return true;
}

/* Rotates a body about the origin by the angle `turn`, and displaces it by the vector `shift`. */
static void put(const cst_scene_body *body, double *position, double *angle)
{
    const double c = cos(body->turn), s = sin(body->turn), x = position[0], y = position[1];
    position[0] = body->shift[0] + c * x - s * y;
    position[1] = body->shift[1] + s * x + c * y;
    *angle += body->turn;
}

static bool add_body(builder *in, int number)
{
    const cst_scene_body *body = &in->scene->names.body[number];
    char why[256] = "";
    cst_body_id id;
    if (body->sheet) {
        cst_sheet_def def;
        const bool sound = cst_define_sheet(in->scene, body->node, &def, &in->scratch, why, sizeof why);
        def.name = body->name;
        def.surface.material = material_of(in, body->node);
        id = !sound || in->scratch.failed ? 0 : cst_world_add_sheet(in->world, &def, why, sizeof why);
    } else if (in->space && !body->rigid) {
        cst_fiber_def def = cst_define_fiber(body->node, body, &in->scratch, NULL);
        def.name = body->name;
        if (body->generator)
            cst_define_hair(&def, body, in->hair + body->number, &in->scratch);
        def.surface.material = material_of(in, body->node);
        id = in->scratch.failed ? 0 : cst_world_add_fiber(in->world, &def, why, sizeof why);
        if (in->blown && def.drag > 0.0)
            in->blown[in->fibers++] = (cst_blown){.body = id, .elements = def.elements, .length = def.length, .drag = def.drag};
    } else if (in->space) {
        cst_rigid_def def = cst_define_space_rigid(body->node, body, &in->scratch);
        def.name = body->name;
        def.surface.material = material_of(in, body->node);
        bool sound = cst_scene_add_rigid_mesh(in->scene, body->node, &def, &in->scratch, why, sizeof why);
        id = !sound || in->scratch.failed ? 0 : cst_world_add_rigid(in->world, &def, why, sizeof why);
    } else if (body->rigid) {
        cst_rigid_def def = cst_define_rigid(body->node, &in->scratch);
        def.name = body->name;
        put(body, def.position, &def.angle);
        def.surface.material = material_of(in, body->node);
        id = in->scratch.failed ? 0 : cst_world_add_rigid(in->world, &def, why, sizeof why);
    } else {
        cst_rod_def def = cst_define_rod(body->node, &in->scratch);
        def.name = body->name;
        put(body, def.position, &def.angle);
        def.surface.material = material_of(in, body->node);
        id = in->scratch.failed ? 0 : cst_world_add_rod(in->world, &def, why, sizeof why);
    }
    return id == (cst_body_id)(number + 1) || refused(in, body->node, body->name, why);
}

/* If `body` is the first hair of its generator, computes the shapes of all hairs of this generator, or reads them from a file of
 * strands. */
static bool lay_hair(builder *in, const cst_scene_body *body)
{
    char why[256] = "";
    if (!body->generator || body->number > 0)
        return true;
    in->hair = cst_is_hair(body->generator)
                   ? cst_scene_lay_hair(in->scene, body->generator, &in->taken, &in->scratch, why, sizeof why)
                   : cst_scene_read_strands(in->scene, body->generator, &in->scratch, why, sizeof why);
    return in->hair || refused(in, body->generator, cst_get_text(body->generator, "name"), why);
}

static bool add_bodies(builder *in)
{
    bool ok = true;
    for (int i = 0; ok && i < in->scene->names.bodies; i++) {
        if (!lay_hair(in, &in->scene->names.body[i]))
            return false;
        cst_arena_mark mark = cst_arena_mark_now(&in->scratch);
        ok = add_body(in, i);
        cst_arena_release(&in->scratch, mark);
    }
    return ok;
}

static bool add_obstacles(builder *in, const cst_json *list)
{
    char why[256] = "";
    for (const cst_json *node = list->first; node; node = node->next) {
        cst_obstacle_def def = (in->space ? cst_define_space_obstacle : cst_define_obstacle)(node, &in->scratch);
        def.name = cst_get_text(node, "name");
        def.surface.material = material_of(in, node);
        bool sound = !in->space || cst_scene_add_obstacle_mesh(in->scene, node, &def, &in->scratch, why, sizeof why);
        if (!sound || in->scratch.failed ||
            cst_world_add_obstacle(in->world, &def, why, sizeof why) != (cst_obstacle_id)(node->index + 1))
            return refused(in, node, def.name, why);
    }
    return true;
}

static bool add_constraints(builder *in, const cst_json *list)
{
    char why[256] = "";
    for (const cst_json *node = list->first; node; node = node->next) {
        cst_constraint_def def = cst_constraint_def_default();
        def.name = cst_get_text(node, "name");
        def.kind = (cst_constraint_kind)cst_get_choice(node, "type");
        def.a = cst_scene_place(in->scene, node);
        const cst_json *to = cst_given(node, "to");
        if (to && to->kind == CST_JSON_OBJECT) {
            def.b = cst_scene_place(in->scene, to);
            /* If the second body of a constraint is rigid and the scene gives no point on it, the constraint acts at the point of
             * this body that coincides with the given point on the first body. */
            def.b_follows_a = in->scene->names.body[def.b.body - 1].rigid && !cst_given(to, "at");
        }
        if (cst_given(node, "direction"))
            cst_get_vector(node, "direction", def.direction);
        if (in->space) {
            double start[3] = {0};
            cst_world_place_space(in->world, &def.a, start, NULL, NULL, NULL);
            def.motion = cst_define_space_motion(cst_given(node, "motion"), start, &in->scratch);
        } else {
            def.motion = cst_define_motion(cst_given(node, "motion"), &in->scratch);
        }
        def.release_time = cst_get_real_or(node, "release_time", -1.0);
        if (in->scratch.failed || cst_world_add_constraint(in->world, &def, why, sizeof why) !=
                                      (cst_constraint_id)(in->scene->names.rings + node->index + 1))
            return refused(in, node, def.name, why);
    }
    return true;
}

static bool add_loads(builder *in, const cst_json *list)
{
    char why[256] = "";
    for (const cst_json *node = list->first; node; node = node->next) {
        cst_load_def def = (in->space ? cst_define_space_load : cst_define_load)(node, &in->scratch);
        def.name = cst_get_text(node, "name");
        def.at = cst_scene_place(in->scene, node);
        if (in->scratch.failed || cst_world_add_load(in->world, &def, why, sizeof why) == 0)
            return refused(in, node, def.name, why);
    }
    return true;
}

static bool add_wind(builder *in, const cst_json *wind)
{
    char why[256] = "";
    const double duration = cst_get_real(in->scene->root, "duration");
    for (int i = 0; i < in->fibers; i++)
        if (!cst_scene_blow(wind, duration, in->blown + i, in->world, &in->scratch, why, sizeof why))
            return refused(in, wind, "wind", why);
    return true;
}

static cst_party party_of(const builder *in, const cst_json *name)
{
    const cst_name_entry *entry = cst_names_find(&in->scene->names, CST_NAMED_PARTY, name->text);
    cst_party party = {0};
    if (entry->kind & CST_NAMED_BODY)
        party.body = (cst_body_id)entry->number;
    else if (entry->kind == CST_NAMED_OBSTACLE)
        party.obstacle = (cst_obstacle_id)entry->number;
    else
        party.material = (cst_material_id)entry->number;
    return party;
}

static bool set_pairs(builder *in, const cst_json *list)
{
    char why[256] = "";
    for (const cst_json *node = list->first; node; node = node->next) {
        const cst_json *between = cst_given(node, "between");
        double friction = cst_get_real_or(node, "friction", CST_UNSET);
        double restitution = cst_get_real_or(node, "restitution", CST_UNSET);
        const cst_party a = party_of(in, between->first), b = party_of(in, between->last);
        if (!cst_world_set_pair(in->world, a, b, friction, restitution, why, sizeof why) ||
            (!cst_get_bool(node, "touch") && !cst_world_set_apart(in->world, a, b, why, sizeof why)))
            return refused(in, node, between->first->text, why);
    }
    return true;
}

static bool build_all(builder *in)
{
    const cst_json *root = in->scene->root, none = {.kind = CST_JSON_ARRAY};
    const cst_json *materials = cst_given(root, "materials"), *obstacles = cst_given(root, "obstacles");
    const cst_json *constraints = cst_given(root, "constraints"), *loads = cst_given(root, "loads");
    const cst_json *pairs = cst_given(cst_given(root, "friction"), "pairs");
    const cst_json *wind = in->space ? cst_given(root, "wind") : NULL;
    if (wind && !(in->blown = CST_TAKE(&in->scratch, cst_blown, in->scene->names.bodies)))
        return refused(in, wind, "wind", "out of memory");
    return add_materials(in, materials ? materials : &none) && add_bodies(in) &&
           add_obstacles(in, obstacles ? obstacles : &none) && set_pairs(in, pairs ? pairs : &none) &&
           add_constraints(in, constraints ? constraints : &none) && add_loads(in, loads ? loads : &none) &&
           (!wind || add_wind(in, wind));
}

cst_world *cst_scene_world(const cst_scene *scene, int threads, char *message, size_t message_size)
{
    if (scene->faults > 0) {
        snprintf(message, message_size, "the scene has mistakes (cst_scene_faults): it makes no world");
        return NULL;
    }
    builder in = {.scene = scene, .message = message, .size = message_size, .space = scene->names.root == &cst_space_section};
    cst_c_locale locale = cst_c_locale_enter();
    cst_world_def def = cst_define_world(scene->root);
    def.friction.threads = threads > 0 ? threads : def.friction.threads;
    def.friction.allocator = scene->arena.allocator;
    in.world = cst_world_new(&def, message, message_size);
    cst_arena_begin(&in.scratch, &scene->arena.allocator);
    if (in.world && !build_all(&in)) {
        cst_world_free(in.world);
        in.world = NULL;
    }
    cst_arena_end(&in.scratch);
    cst_c_locale_leave(locale);
    return in.world;
}
