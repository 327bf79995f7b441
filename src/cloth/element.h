/* Elastic elements of a sheet, for any material model: an energy that depends on the positions of a few nodes.
 *
 * Each model is one file. A model, for example of the membrane or of bending, creates its elements from the mesh and the material
 * data. For each element, a model computes the energy W, the gradient dW/dx (the force is its negative) and the Hessian. The
 * Hessian is the exact derivative of the gradient or, if requested, the exact derivative with its negative eigenvalues replaced
 * by zero. A new model is added to the list cst_membrane_models or cst_bending_models, and is then included in every test and in
 * every table of the directory validate/. */
#ifndef CST_CLOTH_ELEMENT_H
#define CST_CLOTH_ELEMENT_H

#include "cloth/sheet_mesh.h"

enum { CST_ELEMENT_NODES = 6, CST_ELEMENT_DOFS = 3 * CST_ELEMENT_NODES };

typedef struct cst_element_set cst_element_set;

typedef struct cst_element_model {
    const char *name;
    /* Makes the elements: count, nodes, rest. Returns false with a message if the elements of the model cannot be created. */
    bool (*make)(const cst_sheet_mesh *mesh, const cst_fabric *fabric, cst_arena *arena, cst_element_set *out,
                 const cst_complaint *to);
    /* Returns the energy of an element at the node positions x (nodes x 3). The array `gradient` has 3 x nodes entries and the
     * array `hessian` has (3 x nodes)^2 entries; both may be NULL. */
    double (*evaluate)(const void *rest, const double *x, double *gradient, double *hessian, bool projected);
} cst_element_model;

struct cst_element_set {
    const cst_element_model *model;
    int count, nodes; /* nodes of each */
    int32_t *node;    /* (count x nodes) */
    void *rest;       /* array (count): data that the model stores for each element */
    size_t rest_size;
};

extern const cst_element_model cst_membrane_kirchhoff, cst_membrane_measured, cst_bending_hinge, cst_bending_quadratic;

/* All models of elements, in the order of the enumerations cst_membrane and cst_bending. */
extern const cst_element_model *const cst_membrane_models[CST_MEMBRANE_COUNT];
extern const cst_element_model *const cst_bending_models[CST_BENDING_COUNT];

static inline const void *cst_element_rest(const cst_element_set *set, int element)
{
    return (const char *)set->rest + (size_t)element * set->rest_size;
}

/* Collects the positions of the nodes of an element from the array x (all nodes x 3). */
static inline void cst_element_gather(const cst_element_set *set, int element, const double *x, double *out)
{
    const int32_t *node = set->node + (size_t)element * (size_t)set->nodes;
    for (int a = 0; a < set->nodes; ++a)
        for (int k = 0; k < 3; ++k)
            out[3 * a + k] = x[3 * (size_t)node[a] + (size_t)k];
}

/* Allocates `count` elements with `nodes` nodes each. Returns false if memory ran out. */
bool cst_element_take(cst_arena *arena, const cst_element_model *model, int count, int nodes, size_t rest_size,
                      cst_element_set *out);

#endif
