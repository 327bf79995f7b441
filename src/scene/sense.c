#include "scene/sense.h"

#include <math.h>
#include <string.h>

#include "scene/check.h"
#include "scene/define.h"
#include "scene/define_space.h"
#include "scene/generate_hair.h"
#include "scene/generate_strands.h"
#include "scene/values.h"

typedef struct context {
    const cst_names *names;
    cst_mistakes *mistakes;
} context;

static bool is_space(const context *in)
{
    return in->names->root == &cst_space_section;
}

/* Returns the first item of the list that a scene file has under `key`, or NULL if there is no such list or it is empty. */
static cst_json *first_of(const cst_json *root, const char *key)
{
    const cst_json *list = cst_given(root, key);
    return list && list->kind == CST_JSON_ARRAY ? list->first : NULL;
}

static const cst_name_entry *refer(const context *in, cst_json *object, const char *key)
{
    cst_json *node = cst_given(object, key);
    unsigned kinds = cst_section_key(object->role, key)->kinds;
    return node ? cst_names_refer(in->names, kinds, node, in->mistakes) : NULL;
}

/* Checks that the value of the key "at" suits the kind of body: "start", "end" or an arc length for a rod or a fiber, a point for
 * a rigid body, the index of a node for a sheet. */
static void check_at(const context *in, const cst_name_entry *body, cst_json *object)
{
    cst_json *at = cst_given(object, "at");
    if (!body || !at)
        return;
    const cst_json *node = in->names->body[body->number - 1].node;
    bool space = is_space(in);
    if (body->kind == CST_NAMED_SHEET) {
        if (at->kind != CST_JSON_NUMBER || at->number != floor(at->number) || at->number < 0.0 || at->number > INT32_MAX)
            cst_mistake_at(in->mistakes, at, "\"%s\" is a sheet: expected the number of a node, from 0", body->name);
        return;
    }
    if (body->kind == CST_NAMED_RIGID) {
        if (at->kind != CST_JSON_ARRAY)
            cst_mistake_at(in->mistakes, at, "\"%s\" is a rigid body: expected a point %s in m in its frame", body->name,
                           space ? "[x, y, z]" : "[x, y]");
        return;
    }
    double length = space ? cst_fiber_length(node) : cst_rod_length(node);
    const char *called = space ? "fiber" : "rod";
    if (at->kind == CST_JSON_ARRAY)
        cst_mistake_at(in->mistakes, at, "\"%s\" is a %s: expected \"start\", \"end\" or the arc length in m from its start",
                       body->name, called);
    else if (at->kind == CST_JSON_NUMBER && length > 0.0 && !(at->number >= 0.0 && at->number <= length * (1.0 + 1e-12)))
        cst_mistake_at(in->mistakes, at, "%g is not on the %s \"%s\": expected an arc length from 0 to %g m", at->number, called,
                       body->name, length);
}

static void check_constraint(const context *in, cst_json *node)
{
    const cst_name_entry *body = refer(in, node, "body");
    check_at(in, body, node);
    cst_json *to = cst_given(node, "to"), *motion = cst_given(node, "motion"), *direction = cst_given(node, "direction");
    if (to && to->kind == CST_JSON_OBJECT) {
        const cst_name_entry *other = refer(in, to, "body");
        check_at(in, other, to);
        if (other && other == body && body->kind == CST_NAMED_RIGID)
            cst_mistake_at(in->mistakes, cst_given(to, "body"), "\"%s\" would be held to itself: expected another body",
                           body->name);
        if (motion)
            cst_mistake_at(in->mistakes, motion, "moves a place of the world: expected \"to\": \"world\"");
    }
    cst_check_motion(motion, in->mistakes);
    cst_check_not_zero(direction, in->mistakes);
}

static void check_load(const context *in, cst_json *node)
{
    check_at(in, refer(in, node, "body"), node);
    if (!cst_key_present(node, "force") && !cst_key_present(node, "moment"))
        cst_mistake_in(in->mistakes, node, "force", "is missing: expected force or moment");
    cst_json *factor = cst_given(node, "factor");
    double before = -INFINITY;
    for (cst_json *pair = factor ? factor->first : NULL; pair; pair = pair->next) {
        if (pair->first->number <= before) {
            cst_mistake_at(in->mistakes, pair->first, "times must increase: expected more than %g", before);
            break;
        }
        before = pair->first->number;
    }
    if (factor && factor->count == 0)
        cst_mistake_at(in->mistakes, factor, "expected at least one pair [time, factor]");
}

static void check_pair(const context *in, cst_json *node)
{
    cst_json *between = cst_given(node, "between");
    for (cst_json *name = between ? between->first : NULL; name; name = name->next)
        cst_names_refer(in->names, CST_NAMED_PARTY, name, in->mistakes);
    if (!cst_key_present(node, "friction") && !cst_key_present(node, "restitution") && !cst_key_present(node, "touch"))
        cst_mistake_in(in->mistakes, node, "friction", "is missing: expected friction, restitution or touch");
}

static void check_probe(const context *in, cst_json *node)
{
    const cst_name_entry *body = refer(in, node, "body");
    check_at(in, body, node);
    const int type = cst_get_choice(node, "type");
    if (body && type == CST_PROBE_HANDLE_FORCE) {
        const cst_json *handles =
            body->kind == CST_NAMED_SHEET ? cst_given(in->names->body[body->number - 1].node, "handles") : NULL;
        if (cst_get_integer(node, "handle") >= (handles ? handles->count : 0))
            cst_mistake_at(in->mistakes, cst_given(node, "body"),
                           "\"%s\" has %d handles: expected a sheet with one of that number", body->name,
                           handles ? handles->count : 0);
    }
    if (body && type == CST_PROBE_ROOT_FORCE &&
        (body->kind == CST_NAMED_RIGID || body->kind == CST_NAMED_SHEET ||
         !cst_get_bool(in->names->body[body->number - 1].node, "clamped")))
        cst_mistake_at(in->mistakes, cst_given(node, "body"),
                       "\"%s\" has no clamped root: expected one that is \"clamped\": true", body->name);
    refer(in, node, "obstacle");
    refer(in, node, "constraint");
}

static void check_body(const context *in, cst_json *node, bool rigid)
{
    refer(in, node, "material");
    if (is_space(in))
        (rigid ? cst_check_space_rigid : cst_check_fiber)(node, in->mistakes);
    else if (rigid)
        cst_check_rigid(node, in->mistakes);
    else
        cst_check_rod(node, in->mistakes);
}

static void check_rod_in(const context *in, cst_json *node)
{
    check_body(in, node, false);
}

static void check_rigid_in(const context *in, cst_json *node)
{
    check_body(in, node, true);
}

static void check_sheet_in(const context *in, cst_json *node)
{
    refer(in, node, "material");
    refer(in, node, "fabric");
    cst_check_sheet(node, in->mistakes);
}

static void check_fabric_in(const context *in, cst_json *node)
{
    cst_check_fabric(node, in->mistakes);
}

static void check_obstacle_in(const context *in, cst_json *node)
{
    refer(in, node, "material");
    if (is_space(in))
        refer(in, node, "moves_with");
    (is_space(in) ? cst_check_space_obstacle : cst_check_obstacle)(node, in->mistakes);
}

static void check_generator(const context *in, cst_json *node)
{
    const cst_json *of = cst_given(node, "of");
    cst_json *rod = cst_given(of, is_space(in) ? "fiber" : "rod"), *rigid = cst_given(of, "rigid_body");
    if (rod && rod->role)
        check_body(in, rod, false);
    if (rigid && rigid->role)
        check_body(in, rigid, true);
    cst_json *angle = cst_given(node, is_space(in) ? "turned" : "angle");
    if (is_space(in)) {
        refer(in, node, "scalp");
        if (cst_is_hair(node))
            cst_check_hair(node, in->mistakes);
        else if (cst_is_strands(node))
            cst_check_strands(node, in->mistakes);
        cst_check_not_zero(cst_given(node, "axis"), in->mistakes);
        cst_check_not_zero(cst_given(angle, "axis"), in->mistakes);
    }
    cst_json *from = cst_given(angle, "from"), *to = cst_given(angle, "to");
    if (from && to && cst_get_real(angle, "to") < cst_get_real(angle, "from"))
        cst_mistake_at(in->mistakes, to, "is less than \"from\"");
}

void cst_scene_check_sense(cst_json *root, const cst_names *names, cst_mistakes *mistakes)
{
    static const struct {
        const char *list;
        void (*check)(const context *in, cst_json *node);
    } lists[] = {{"rods", check_rod_in},
                 {"fibers", check_rod_in},
                 {"rigid_bodies", check_rigid_in},
                 {"sheets", check_sheet_in},
                 {"fabrics", check_fabric_in},
                 {"obstacles", check_obstacle_in},
                 {"constraints", check_constraint},
                 {"loads", check_load},
                 {"generators", check_generator},
                 {"probes", check_probe}};
    context in = {.names = names, .mistakes = mistakes};
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++)
        for (cst_json *node = first_of(root, lists[k].list); node; node = node->next)
            if (node->role)
                lists[k].check(&in, node);
    for (cst_json *node = first_of(cst_given(root, "friction"), "pairs"); node; node = node->next)
        if (node->role)
            check_pair(&in, node);
}
