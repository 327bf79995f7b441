/* What a sweep costs in each dual form, before either is made: the choice of CST_FORM_AUTO. */
#ifndef CST_FRICTION_FORM_COST_H
#define CST_FRICTION_FORM_COST_H

#include "base/arena.h"
#include "capstan/friction.h"

typedef struct cst_form_cost {
    double explicit_bytes; /* blocks of W with their columns. Contacts that share two bodies are counted twice */
    double product_bytes;  /* half solves */
} cst_form_cost;

/* False: out of memory. */
bool cst_form_cost_estimate(const cst_body_problem *problem, cst_arena *arena, cst_form_cost *out);

#endif
