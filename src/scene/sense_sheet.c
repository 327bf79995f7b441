/* Checks that the values of the keys of a sheet or a fabric are consistent with each other. */
#include <math.h>

#include "scene/check.h"
#include "scene/sense.h"
#include "scene/values.h"

static void check_count(cst_json *node, int count, const char *what, cst_mistakes *mistakes)
{
    if (node && node->kind == CST_JSON_ARRAY && node->count != count) {
        cst_mistake_at(mistakes, node, "expected %d numbers, %s; found %d", count, what, node->count);
        node->faulty = true;
    }
}

void cst_check_fabric(cst_json *fabric, cst_mistakes *mistakes)
{
    cst_json *large = cst_given(fabric, "stretching_large"), *poisson = cst_given(fabric, "poisson_ratio");
    const bool measured = cst_get_choice(fabric, "membrane") == CST_MEMBRANE_MEASURED;
    check_count(cst_given(fabric, "stretching"), 4, "[c11, c12, c22, c33]", mistakes);
    check_count(large, 20, "[c11, c12, c22, c33] in five directions", mistakes);
    check_count(cst_given(fabric, "bend"), 15, "five curvatures about each of three axes, or one number", mistakes);
    check_count(cst_given(fabric, "bend_measured"), 15, "five curvatures about each of three axes", mistakes);
    if (large && !measured)
        cst_mistake_at(mistakes, large, "has no effect: expected \"membrane\": \"measured\" beside it");
    if (measured && !cst_key_present(fabric, "stretching_large"))
        cst_mistake_in(mistakes, fabric, "stretching_large", "is missing: expected 20 numbers in N/m, for a measured membrane");
    if (poisson && !cst_given(fabric, "young"))
        cst_mistake_at(mistakes, poisson, "has no effect: expected young beside it");
}

static void check_handle(cst_json *handle, cst_mistakes *mistakes)
{
    cst_json *nodes = cst_given(handle, "nodes"), *to = cst_given(handle, "to");
    cst_check_space_motion(cst_given(handle, "motion"), mistakes);
    for (cst_json *one = nodes ? nodes->first : NULL; one; one = one->next)
        if (one->number != floor(one->number)) {
            cst_mistake_at(mistakes, one, "%g is no number of a node: expected whole numbers from 0", one->number);
            nodes->faulty = true;
            break;
        }
    if (cst_given(handle, "from") && !cst_key_present(handle, "to"))
        cst_mistake_in(mistakes, handle, "to", "is missing: expected the other corner of the box");
    if (to && nodes)
        cst_mistake_at(mistakes, to, "has no effect: the nodes say which");
}

void cst_check_sheet(cst_json *sheet, cst_mistakes *mistakes)
{
    const cst_json *handles = cst_given(sheet, "handles");
    const double edge = cst_get_real_or(sheet, "edge", 0.0);
    static const char *const sides[] = {"width", "height", "radius"};
    cst_check_space_turn(sheet, mistakes);
    for (cst_json *one = handles && handles->kind == CST_JSON_ARRAY ? handles->first : NULL; one; one = one->next)
        if (one->role)
            check_handle(one, mistakes);
    for (int k = 0; k < 3 && edge > 0.0; k++) {
        const double side = cst_get_real_or(sheet, sides[k], 0.0);
        if (side / edge > 1e4)
            cst_mistake_at(mistakes, cst_given(sheet, "edge"), "%g m is too short for a %s of %g m: expected %g m or more", edge,
                           sides[k], side, 1e-4 * side);
    }
}
