/* Checks the state before the first step: overlaps of bodies with each other, with themselves and with obstacles, crossing
 * triangles of sheets, and elastic energy. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "examine/subject.h"
#include "math/vector3.h"
#include "scene/values.h"
#include "world/start_look.h"

/* Smallest overlap at the start that gives a warning, divided by the contact radius (half the thickness of the body). By default,
 * an adaptive time step accepts a penetration of up to 0.01 times the contact radius, half of DEEP. At the start, the bodies of
 * the scenes in scenes/ overlap by up to 1e-6 times their contact radius, because their positions are written with few digits. */
static const double DEEP = 0.02;

/* Returns the length (m) to which the depth of an overlap is compared: the contact radius or, for a body with sharp edges, half
 * of the shortest side of its bounding box. */
static double scale_of(const cst_subject *subject, const cst_start_overlap *overlap)
{
    const cst_extent *box = subject->body + (overlap->a.body - 1);
    if (overlap->radius > 0.0)
        return overlap->radius;
    double thinnest = HUGE_VAL;
    for (int k = 0; k < subject->def->dim; k++)
        thinnest = fmin(thinnest, 0.5 * (box->high[k] - box->low[k]));
    return thinnest;
}

static double relative(const cst_subject *subject, const cst_start_overlap *overlap)
{
    return overlap->depth / scale_of(subject, overlap);
}

static const cst_scene_body *body_of(const cst_subject *subject, cst_body_id body)
{
    return subject->scene->names.body + (body - 1);
}

static void place_text(const cst_subject *subject, const double *at, char out[64])
{
    double x[3];
    for (int k = 0; k < 3; k++)
        x[k] = fabs(at[k]) > 1e-9 * subject->longest ? at[k] : 0.0; /* show rounding errors as 0 */
    if (subject->def->dim == 2)
        snprintf(out, 64, "[%.4g, %.4g]", x[0], x[1]);
    else
        snprintf(out, 64, "[%.4g, %.4g, %.4g]", x[0], x[1], x[2]);
}

static const char *others_text(int others, const char *one, const char *many, char out[64])
{
    out[0] = '\0';
    if (others > 0)
        snprintf(out, 64, ", and %d other %s", others, others == 1 ? one : many);
    return out;
}

/* Of the overlaps whose ratio of depth to contact radius is above DEEP, returns the one with the largest ratio, or NULL if there
 * is none; `deep`: output, their number. */
static const cst_start_overlap *deepest_of(const cst_subject *subject, const cst_start_overlap *overlap, int count, int *deep)
{
    const cst_start_overlap *deepest = NULL;
    *deep = 0;
    for (int i = 0; i < count; i++) {
        const double own = relative(subject, overlap + i);
        if (!(own > DEEP))
            continue;
        ++*deep;
        if (!deepest || own > relative(subject, deepest))
            deepest = overlap + i;
    }
    return deepest;
}

/* --------------------------------------------------------------------------------------------------------- bodies in bodies */

static void tell_bodies(cst_subject *subject, const cst_start_overlap *deepest, int pairs)
{
    const cst_scene_body *a = body_of(subject, deepest->a.body), *b = body_of(subject, deepest->b.body);
    char place[64], others[64];
    place_text(subject, deepest->position, place);
    cst_find(&subject->findings, "overlap", b->node, NULL,
             "at the start %s is %.3g m deep in %s near %s, %.2g times the radius%s\nmove them apart, or make them thinner; what "
             "shall pass beside the other gets a pair with \"touch\": false",
             b->name, deepest->depth, a->name, place, relative(subject, deepest),
             others_text(pairs - 1, "pair overlaps", "pairs overlap", others));
}

static void tell_self(cst_subject *subject, const cst_start_overlap *deepest, int bodies)
{
    const cst_scene_body *a = body_of(subject, deepest->a.body);
    char place[64], others[64];
    place_text(subject, deepest->position, place);
    cst_find(&subject->findings, "overlap-self", a->node, cst_json_find(a->node, "curvature") ? "curvature" : NULL,
             "at the start %s is %.3g m deep in itself near %s, %.2g times the radius%s\nbend it so that its strands are a "
             "diameter apart, or set contact.self_contact to false",
             a->name, deepest->depth, place, relative(subject, deepest),
             others_text(bodies - 1, "body does so", "bodies do so", others));
}

/* ------------------------------------------------------------------------------------------------------ bodies in obstacles */

/* Returns true if the overlap is next to the clamped start of a body, or next to a point that a constraint clamps to the
 * world. */
static bool is_at_clamp(const cst_subject *subject, const cst_start_overlap *overlap)
{
    const cst_scene_body *body = body_of(subject, overlap->a.body);
    const double near = 2.0 * scale_of(subject, overlap);
    double x[3];
    if (cst_is_slender(body) && cst_get_bool(body->node, "clamped")) {
        const cst_place start = {.body = overlap->a.body};
        cst_world_place(subject->world, &start, x, NULL, NULL);
        cst_add3(-1.0, overlap->position, x);
        if (sqrt(cst_dot3(x, x)) <= near)
            return true;
    }
    const cst_json *list = cst_given(subject->root, "constraints");
    for (const cst_json *node = list ? list->first : NULL; node; node = node->next) {
        const cst_json *to = cst_given(node, "to");
        const cst_place place = cst_scene_place(subject->scene, node);
        const bool to_world = !to || to->kind != CST_JSON_OBJECT, clamps = strcmp(cst_get_text(node, "type"), "clamped") == 0;
        if (!to_world || !clamps || place.body != overlap->a.body)
            continue;
        cst_world_place(subject->world, &place, x, NULL, NULL);
        cst_add3(-1.0, overlap->position, x);
        if (sqrt(cst_dot3(x, x)) <= near)
            return true;
    }
    return false;
}

static void tell_obstacle(cst_subject *subject, const cst_start_overlap *overlap, int count)
{
    int deep;
    const cst_start_overlap *deepest = deepest_of(subject, overlap, count, &deep);
    if (!deepest)
        return;
    const cst_scene_body *body = body_of(subject, deepest->a.body);
    const char *obstacle = cst_get_text(cst_subject_obstacle_node(subject, (int)deepest->b.obstacle - 1), "name");
    char place[64], others[64];
    place_text(subject, deepest->position, place);
    others_text(deep - 1, "body is in it", "bodies are in it", others);
    if (deepest->share > 0.5)
        cst_find(&subject->findings, "inside", body->node, NULL,
                 "at the start %s lies inside the obstacle %s: %.0f %% of it, up to %.3g m deep near %s%s\nmove it out; check "
                 "position, scale and units of both, and the side of the surface where matter is",
                 body->name, obstacle, 100.0 * deepest->share, deepest->depth, place, others);
    else if (is_at_clamp(subject, deepest))
        cst_find(&subject->findings, "clamp-in-obstacle", body->node, NULL,
                 "at the start the clamped place of %s is %.3g m deep in the obstacle %s near %s, %.2g times the radius: neither "
                 "can give way%s\nmove the clamp out by its radius, or add a pair with \"touch\": false",
                 body->name, deepest->depth, obstacle, place, relative(subject, deepest), others);
    else
        cst_find(&subject->findings, "overlap-obstacle", body->node, NULL,
                 "at the start %s is %.3g m deep in the obstacle %s near %s, %.2g times the radius%s\nmove it out: surfaces "
                 "touch where the centreline is one radius away",
                 body->name, deepest->depth, obstacle, place, relative(subject, deepest), others);
}

/* Returns the number of consecutive overlaps, from the first entry of the list on, that belong to the same obstacle. The list of
 * overlaps is sorted by the number of the obstacle; an overlap of two bodies has the obstacle number 0. */
static int run_of(const cst_start_overlap *overlap, int count)
{
    int own = 1;
    while (own < count && overlap[own].b.obstacle == overlap->b.obstacle)
        own++;
    return own;
}

static void look_at_bodies(cst_subject *subject, const cst_start_overlap *overlap, int count)
{
    const cst_start_overlap *pair = NULL, *self = NULL;
    int pairs = 0, selves = 0;
    for (int i = 0; i < count; i++) {
        const bool own = overlap[i].a.body == overlap[i].b.body;
        const cst_start_overlap **deepest = own ? &self : &pair;
        if (!(relative(subject, overlap + i) > DEEP))
            continue;
        *(own ? &selves : &pairs) += 1;
        if (!*deepest || relative(subject, overlap + i) > relative(subject, *deepest))
            *deepest = overlap + i;
    }
    if (pair)
        tell_bodies(subject, pair, pairs);
    if (self)
        tell_self(subject, self, selves);
}

/* ------------------------------------------------------------------------------------------------------- crossing triangles */

static void tell_crossings(cst_subject *subject, const cst_start_crossings *crossings)
{
    const cst_scene_body *sheet = body_of(subject, crossings->a.body);
    const bool itself = crossings->b.body == crossings->a.body;
    char place[64];
    place_text(subject, crossings->position, place);
    const char *other = itself ? "itself"
                        : crossings->b.body > 0
                            ? body_of(subject, crossings->b.body)->name
                            : cst_get_text(cst_subject_obstacle_node(subject, (int)crossings->b.obstacle - 1), "name");
    cst_find(&subject->findings, "sheet-crosses", sheet->node, NULL,
             "at the start the surface of %s crosses %s near %s: %d %s of triangles cross\nmove them apart; contacts do not "
             "undo a crossing, and the run will say so",
             sheet->name, other, place, crossings->pairs, crossings->pairs == 1 ? "pair" : "pairs");
}

/* Finds bodies that begin so far from their natural shape that they spring back at once. If all elastic energy E became kinetic
 * energy of the mass m of all bodies, their speed would be sqrt(2 E / m). */
static void look_at_tension(cst_subject *subject)
{
    /* RADII: a displacement in a step of more than RADII times the smallest contact radius gives a warning. The code takes the
     * displacement in a step as dt sqrt(2 E / m), with the time step dt, and the elastic energy E and the mass m of all bodies.
     * If all elastic energy became kinetic energy, the bodies of the scenes in scenes/ would move by at most 9.2 r in a step
     * (overhand_knot_thin; r: smallest contact radius). Straight strands of a file, whose fiber is naturally curled, would move
     * by 43 times their contact radius in a step if all their elastic energy became kinetic energy. */
    static const double RADII = 20.0;
    cst_energies energies;
    double mass = 0.0;
    const cst_kind *kind = NULL;
    cst_world_energies(subject->world, &energies);
    for (int i = 0; i < subject->kinds; i++) {
        mass += subject->kind[i].mass * subject->kind[i].count;
        if (!kind && !subject->kind[i].rigid)
            kind = subject->kind + i;
    }
    const double speed = mass > 0.0 ? sqrt(2.0 * fmax(energies.elastic, 0.0) / mass) : 0.0;
    const double radii = speed * subject->def->time_step.dt / subject->thinnest;
    if (!kind || subject->def->time_step.quasi_static || subject->run->equilibrium_first || !(radii > RADII))
        return;
    cst_find(&subject->findings, "springs-back", kind->node, NULL,
             "the bodies begin far from their natural shape: their elastic energy of %.2g J would move them at %.2g m/s, by %.2g "
             "radii in a step\nlet them begin nearer to their natural shape (natural_curvature, curl, sag_free), or use a dt of "
             "%.1g s",
             energies.elastic, speed, radii, subject->thinnest / speed);
}

bool cst_look_at_start(cst_subject *subject)
{
    look_at_tension(subject);
    const cst_start_overlap *overlap;
    cst_start_crossings crossings;
    const int count = cst_world_look_at_start(subject->world, subject->arena, &overlap, &crossings);
    if (count >= 0 && crossings.pairs > 0)
        tell_crossings(subject, &crossings);
    for (int i = 0; i < count;) {
        const int own = run_of(overlap + i, count - i);
        if (overlap[i].b.obstacle == 0)
            look_at_bodies(subject, overlap + i, own);
        else
            tell_obstacle(subject, overlap + i, own);
        i += own;
    }
    return count >= 0;
}
