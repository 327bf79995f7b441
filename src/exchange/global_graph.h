/* Groups of dofs that the mass matrix of a global problem couples, with the mass matrix and the contact matrix in the order of
 * these groups. Both conversions of a global problem use the groups of dofs: the conversion to bodies, and the condensation to a
 * local problem. */
#ifndef CST_EXCHANGE_GLOBAL_GRAPH_H
#define CST_EXCHANGE_GLOBAL_GRAPH_H

#include "exchange/problem_file.h"

/* The list of dofs, sorted into groups so that the mass matrix does not couple dofs of different groups. If the dofs are numbered
 * group by group, the mass matrix is block-diagonal. */
typedef struct cst_dof_groups {
    int32_t groups;
    const int32_t *start;    /* array (groups + 1): position of the first dof of each group in the list of dofs sorted by group */
    const int32_t *group;    /* array (dofs): group of each dof */
    const int32_t *position; /* array (dofs): position of each dof */
    const int32_t *dof;      /* array (dofs): dof at each position */
    const int32_t *band;     /* array (groups): half bandwidth of the mass matrix of each group, with the dofs in sorted order */
    cst_csr mass;            /* M in sorted order */
    cst_csr touch;           /* H^T, columns in sorted order */
} cst_dof_groups;

typedef enum cst_grouping {
    CST_GROUP_COMPONENTS, /* each connected component of the graph of the mass matrix is a group of dofs */
    CST_GROUP_BODIES      /* groups of dofs are joined until no contact acts on more than two groups */
} cst_grouping;

/* Returns false if memory ran out. Results are allocated in `arena`. */
bool cst_dof_groups_find(cst_arena *arena, cst_arena *scratch, const cst_global_problem *global, cst_grouping grouping,
                         cst_dof_groups *out);

#endif
