/* Union-find: sets of numbers, each identified by its smallest member (Tarjan, Efficiency of a good but not linear set union
 * algorithm, 1975). Initially parent[i] = i, so each number is its own set. */
#ifndef CST_BASE_UNION_FIND_H
#define CST_BASE_UNION_FIND_H

#include <stdint.h>

/* Returns the smallest member of the set that contains `member`, which is the root of the set's tree. Also halves the path from
 * `member` to the root, so that the next search is shorter. */
static inline int32_t cst_set_of(int32_t *parent, int32_t member)
{
    while (parent[member] != member) {
        parent[member] = parent[parent[member]];
        member = parent[member];
    }
    return member;
}

static inline void cst_set_join(int32_t *parent, int32_t a, int32_t b)
{
    const int32_t of_a = cst_set_of(parent, a), of_b = cst_set_of(parent, b);
    parent[of_a > of_b ? of_a : of_b] = of_a < of_b ? of_a : of_b;
}

#endif
