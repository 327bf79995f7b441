#include "cloth/element.h"

const cst_element_model *const cst_membrane_models[CST_MEMBRANE_COUNT] = {&cst_membrane_kirchhoff, &cst_membrane_measured};
const cst_element_model *const cst_bending_models[CST_BENDING_COUNT] = {&cst_bending_hinge, &cst_bending_quadratic};

const char *cst_membrane_name(int membrane)
{
    return membrane >= 0 && membrane < CST_MEMBRANE_COUNT ? cst_membrane_models[membrane]->name : NULL;
}

const char *cst_bending_name(int bending)
{
    return bending >= 0 && bending < CST_BENDING_COUNT ? cst_bending_models[bending]->name : NULL;
}

bool cst_element_take(cst_arena *arena, const cst_element_model *model, int count, int nodes, size_t rest_size,
                      cst_element_set *out)
{
    *out = (cst_element_set){.model = model,
                             .count = count,
                             .nodes = nodes,
                             .node = CST_TAKE(arena, int32_t, (size_t)count * (size_t)nodes),
                             .rest = cst_arena_take(arena, (size_t)count, rest_size),
                             .rest_size = rest_size};
    return !arena->failed;
}
