#include "world/surface.h"

#include <math.h>

enum { SEGMENT = 0, OWNER, MATERIAL, LEVELS };

static bool is_set(double value)
{
    return value != CST_UNSET;
}

bool cst_friction_is_valid(double friction)
{
    return friction == CST_UNSET || (friction >= 0.0 && isfinite(friction));
}

bool cst_restitution_is_valid(double restitution)
{
    return restitution == CST_UNSET || (restitution >= 0.0 && restitution <= 1.0);
}

static bool same(cst_party p, cst_party q)
{
    return p.body == q.body && p.obstacle == q.obstacle && p.material == q.material;
}

bool cst_surface_pair_is(const cst_surface_pair *pair, cst_party a, cst_party b)
{
    return (same(pair->a, a) && same(pair->b, b)) || (same(pair->a, b) && same(pair->b, a));
}

/* Returns the friction or restitution that the user has set last for the pair of a and b (bodies, obstacles or materials), or
 * CST_UNSET if none is set. */
static double said_of_pair(const cst_surface_rules *rules, bool friction, cst_party a, cst_party b)
{
    for (int k = rules->pairs - 1; k >= 0; k--) {
        const double value = friction ? rules->pair[k].friction : rules->pair[k].restitution;
        if (is_set(value) && cst_surface_pair_is(rules->pair + k, a, b))
            return value;
    }
    return CST_UNSET;
}

static double of_pair(const cst_surface_rules *rules, bool friction, const cst_surface_side *a, const cst_surface_side *b)
{
    const cst_party material_a = {.material = a->surface.material}, material_b = {.material = b->surface.material};
    double value = said_of_pair(rules, friction, a->owner, b->owner);
    if (!is_set(value) && material_b.material)
        value = said_of_pair(rules, friction, a->owner, material_b);
    if (!is_set(value) && material_a.material)
        value = said_of_pair(rules, friction, material_a, b->owner);
    if (!is_set(value) && material_a.material && material_b.material)
        value = said_of_pair(rules, friction, material_a, material_b);
    return value;
}

static void levels_of_side(const cst_surface_rules *rules, bool friction, const cst_surface_side *side, double *level)
{
    const cst_material *material = side->surface.material ? rules->material + side->surface.material - 1 : NULL;
    level[SEGMENT] = friction ? side->segment_friction : CST_UNSET;
    level[OWNER] = friction ? side->surface.friction : side->surface.restitution;
    level[MATERIAL] = !material ? CST_UNSET : friction ? material->friction : material->restitution;
}

static double coefficient(const cst_surface_rules *rules, bool friction, const cst_surface_side *a, const cst_surface_side *b)
{
    double of_a[LEVELS], of_b[LEVELS];
    const double pair = of_pair(rules, friction, a, b);
    if (is_set(pair))
        return pair;
    levels_of_side(rules, friction, a, of_a);
    levels_of_side(rules, friction, b, of_b);
    for (int level = 0; level < LEVELS; level++) {
        if (is_set(of_a[level]) && is_set(of_b[level]))
            return sqrt(of_a[level] * of_b[level]);
        if (is_set(of_a[level]))
            return of_a[level];
        if (is_set(of_b[level]))
            return of_b[level];
    }
    return friction ? rules->friction : rules->restitution;
}

cst_surface_values cst_surface_of_contact(const cst_surface_rules *rules, const cst_surface_side *a, const cst_surface_side *b)
{
    return (cst_surface_values){.friction = coefficient(rules, true, a, b), .restitution = coefficient(rules, false, a, b)};
}
