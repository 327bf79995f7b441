/* Groups of coupled dofs of a global problem, and the contacts that touch them. Both conversions of a global problem use these
 * groups: to bodies, and to the condensed form. */
#ifndef CST_EXCHANGE_GLOBAL_GRAPH_H
#define CST_EXCHANGE_GLOBAL_GRAPH_H

#include "exchange/problem_file.h"

/* Dofs sorted into groups that M does not couple: with `position` as the new numbering, M is block-diagonal. */
typedef struct cst_dof_groups {
    int32_t groups;
    const int32_t *start;    /* (groups + 1) index of the first place of each group */
    const int32_t *group;    /* (dofs) group of each dof */
    const int32_t *position; /* (dofs) place of each dof */
    const int32_t *dof;      /* (dofs) dof at each place */
    const int32_t *band;     /* (groups) half bandwidth of M in the order of the places */
    cst_csr mass;            /* M in places */
    cst_csr touch;           /* H^T with columns numbered by places: row dim c + a is component a of contact c */
} cst_dof_groups;

typedef enum cst_grouping {
    CST_GROUP_COMPONENTS, /* as many groups as M allows */
    CST_GROUP_BODIES      /* groups are joined until no contact touches more than two groups */
} cst_grouping;

/* Returns false if memory ran out. Results are allocated in `arena`. */
bool cst_dof_groups_find(cst_arena *arena, cst_arena *scratch, const cst_global_problem *global, cst_grouping grouping,
                         cst_dof_groups *out);

#endif
