#include "sparse/rcm.h"

/* Neighbours of every node, sorted by degree. An edge that is in both the matrix and its transpose is listed twice; removing
 * the duplicates would cost more than visiting them. */
typedef struct graph {
    int32_t nodes;
    const int64_t *start; /* array (nodes + 1) */
    const int32_t *neighbour;
} graph;

static bool build_graph(cst_arena *scratch, const cst_csr *matrix, const cst_csr *transpose, graph *out)
{
    int32_t n = matrix->rows;
    const cst_csr *half[2] = {matrix, transpose};
    int64_t *start = CST_TAKE(scratch, int64_t, (int64_t)n + 1);
    int64_t *place = CST_TAKE(scratch, int64_t, (int64_t)n + 1);
    int32_t *by_degree = CST_TAKE(scratch, int32_t, n);
    int32_t *neighbour = CST_TAKE(scratch, int32_t, matrix->row_start[n] + transpose->row_start[n]);
    if (scratch->failed)
        return false;
    int64_t largest = 0;
    for (int32_t i = 0; i < n; i++) {
        int64_t degree = 0;
        for (int h = 0; h < 2; h++)
            for (int64_t k = half[h]->row_start[i]; k < half[h]->row_start[i + 1]; k++)
                degree += half[h]->column[k] != i;
        start[i + 1] = start[i] + degree;
        largest = degree > largest ? degree : largest;
    }
    int64_t *bucket = CST_TAKE(scratch, int64_t, largest + 2);
    if (!bucket)
        return false;
    for (int32_t i = 0; i < n; i++)
        bucket[start[i + 1] - start[i] + 1]++;
    for (int64_t d = 0; d <= largest; d++)
        bucket[d + 1] += bucket[d];
    for (int32_t i = 0; i < n; i++) {
        by_degree[bucket[start[i + 1] - start[i]]++] = i;
        place[i] = start[i];
    }
    /* each node, in the order of increasing degree, is appended to the lists of its neighbours, so that every list is sorted by
     * degree */
    for (int32_t k = 0; k < n; k++) {
        int32_t u = by_degree[k];
        for (int h = 0; h < 2; h++)
            for (int64_t e = half[h]->row_start[u]; e < half[h]->row_start[u + 1]; e++) {
                int32_t v = half[h]->column[e];
                if (v != u)
                    neighbour[place[v]++] = u;
            }
    }
    *out = (graph){n, start, neighbour};
    return true;
}

/* Breadth-first search from `root`: marks the visited nodes with `stamp`, lists them in `queue` and returns their number. */
static int32_t breadth_first(const graph *g, int32_t root, int32_t stamp, int32_t *stamps, int32_t *queue)
{
    int32_t head = 0, tail = 0;
    queue[tail++] = root;
    stamps[root] = stamp;
    while (head < tail) {
        int32_t u = queue[head++];
        for (int64_t k = g->start[u]; k < g->start[u + 1]; k++) {
            int32_t v = g->neighbour[k];
            if (stamps[v] != stamp) {
                stamps[v] = stamp;
                queue[tail++] = v;
            }
        }
    }
    return tail;
}

int32_t cst_rcm_order(cst_arena *scratch, const cst_csr *matrix, const cst_csr *transpose, int32_t *order, int32_t *component)
{
    cst_arena_mark mark = cst_arena_mark_now(scratch);
    int32_t n = matrix->rows, components = 0, done = 0;
    graph g;
    int32_t *stamps = CST_TAKE(scratch, int32_t, n);
    if (!build_graph(scratch, matrix, transpose, &g) || !stamps) {
        cst_arena_release(scratch, mark);
        return -1;
    }
    /* three searches of each component stamp its nodes with 1, 2 and 3; a node with stamp 3 is numbered */
    for (int32_t i = 0; i < n; i++) {
        if (stamps[i] == 3)
            continue;
        int32_t *queue = order + done;
        /* each search starts at the last node of the previous search, which is a cheap way to find a pseudo-peripheral start node
         * for the third search */
        int32_t size = breadth_first(&g, i, 1, stamps, queue);
        size = breadth_first(&g, queue[size - 1], 2, stamps, queue);
        size = breadth_first(&g, queue[size - 1], 3, stamps, queue);
        for (int32_t a = 0, b = size - 1; a < b; a++, b--) {
            int32_t swap = queue[a];
            queue[a] = queue[b];
            queue[b] = swap;
        }
        for (int32_t k = 0; k < size; k++)
            component[queue[k]] = components;
        components++;
        done += size;
    }
    cst_arena_release(scratch, mark);
    return components;
}
