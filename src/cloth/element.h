/* Elastic elements of a sheet, of any model: an energy of the places of a few nodes.
 *
 * A model is one file: it makes its elements from the mesh and the fabric, and evaluates one: energy W, gradient dW/dx (the force is minus
 * that) and Hessian, which is the exact derivative of the gradient, or that without its negative part. A new model gets a place in
 * cst_membrane_models or cst_bending_models, and with it in every test and in every table of validate/. */
#ifndef CST_CLOTH_ELEMENT_H
#define CST_CLOTH_ELEMENT_H

#include "cloth/sheet_mesh.h"

enum { CST_ELEMENT_NODES = 6, CST_ELEMENT_DOFS = 3 * CST_ELEMENT_NODES };

typedef struct cst_element_set cst_element_set;

typedef struct cst_element_model {
    const char *name;
    /* elements: count, nodes, rest. False with a message. */
    bool (*make)(const cst_sheet_mesh *mesh, const cst_fabric *fabric, cst_arena *arena, cst_element_set *out,
                 const cst_complaint *to);
    /* x (nodes x 3). gradient (3 nodes), hessian (3 nodes x 3 nodes): NULL, not wanted. */
    double (*evaluate)(const void *rest, const double *x, double *gradient, double *hessian, bool projected);
} cst_element_model;

struct cst_element_set {
    const cst_element_model *model;
    int count, nodes; /* nodes of each */
    int32_t *node;    /* (count x nodes) */
    void *rest;       /* (count) what the model keeps of each */
    size_t rest_size;
};

extern const cst_element_model cst_membrane_kirchhoff, cst_membrane_measured, cst_bending_hinge, cst_bending_quadratic;

/* In the order of cst_membrane and cst_bending. */
extern const cst_element_model *const cst_membrane_models[CST_MEMBRANE_COUNT];
extern const cst_element_model *const cst_bending_models[CST_BENDING_COUNT];

static inline const void *cst_element_rest(const cst_element_set *set, int element)
{
    return (const char *)set->rest + (size_t)element * set->rest_size;
}

/* Places of the nodes of an element, of x (all nodes x 3). */
static inline void cst_element_gather(const cst_element_set *set, int element, const double *x, double *out)
{
    const int32_t *node = set->node + (size_t)element * (size_t)set->nodes;
    for (int a = 0; a < set->nodes; ++a)
        for (int k = 0; k < 3; ++k)
            out[3 * a + k] = x[3 * (size_t)node[a] + (size_t)k];
}

/* Room for `count` elements of `nodes` nodes each. False: out of memory. */
bool cst_element_take(cst_arena *arena, const cst_element_model *model, int count, int nodes, size_t rest_size,
                      cst_element_set *out);

#endif
