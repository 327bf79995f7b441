/* Elastic elements of a sheet: the interface of all models of the membrane and of bending.
 *
 * An element has an energy W(x), where x are the positions of a few nodes; the elastic force is -dW/dx. Each model is one
 * file. The tests in tests/test_cloth_models.c run for all models in the lists cst_membrane_models and cst_bending_models. */
#ifndef CST_CLOTH_ELEMENT_H
#define CST_CLOTH_ELEMENT_H

#include "cloth/sheet_mesh.h"

enum { CST_ELEMENT_NODES = 6, CST_ELEMENT_DOFS = 3 * CST_ELEMENT_NODES };

typedef struct cst_element_set cst_element_set;

typedef struct cst_element_model {
    const char *name;
    /* Creates the elements from the mesh and the fabric. Returns false with a message if the elements cannot be created. */
    bool (*make)(const cst_sheet_mesh *mesh, const cst_fabric *fabric, cst_arena *arena, cst_element_set *out,
                 const cst_complaint *to);
    /* Returns the energy of one element at the node positions x (nodes x 3).
     *     `gradient`: derivatives of the energy, 3 x nodes entries, or NULL.
     *     `hessian`: second derivatives of the energy, (3 x nodes)^2 entries, or NULL; must be NULL if `gradient` is NULL.
     *     `projected`: if true, the negative eigenvalues of the second derivatives are replaced by zero, so that the matrix
     *         `hessian` is positive semi-definite. */
    double (*evaluate)(const void *rest, const double *x, double *gradient, double *hessian, bool projected);
} cst_element_model;

struct cst_element_set {
    const cst_element_model *model;
    int count, nodes; /* nodes of each element */
    int32_t *node;    /* (count x nodes) */
    void *rest;       /* array (count): data of each element in its rest shape; each model has its own struct */
    size_t rest_size;
};

extern const cst_element_model cst_membrane_kirchhoff, cst_membrane_measured, cst_bending_hinge, cst_bending_quadratic;

extern const cst_element_model *const cst_membrane_models[CST_MEMBRANE_COUNT];
extern const cst_element_model *const cst_bending_models[CST_BENDING_COUNT];

static inline const void *cst_element_rest(const cst_element_set *set, int element)
{
    return (const char *)set->rest + (size_t)element * set->rest_size;
}

/* Copies the positions of the nodes of one element from the array x (all nodes x 3) to `out`. */
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
