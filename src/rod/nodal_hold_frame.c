/* A frame that a constraint holds at a point of a nodal rod (a clamp at its end, a weld). Edges do not bend, and a joint
 * represents the rod from the middle of one edge to the middle of the next, so a held frame of an edge acts as if the rod were
 * held in the middle of the edge. If a constraint holds the frame at a point that is not the middle of the edge, a part of the
 * rod is missing on one side of this point and counted twice on the other side. The length of rod that is missing or counted
 * twice because of a held frame is (1/2 - p) l, where l is the edge length and p the position of the held point along the edge,
 * from 0 to 1; the error is of first order in l.
 *
 * To remove the error of first order, the length of rod that each of the two joints next to the held edge represents is changed
 * from the edge length l to l (1 + m), with a relative change m. The relative change m of a joint's length is 1/2 - p for the
 * joint after the held edge, and p - 1/2 for the joint before it, where p is the position of the held point along the edge. The
 * changed length of a joint next to the held edge also changes its stiffness c and its strain:
 *     `c -> c/(1 + m)`.
 *     `strain -> strain + m strain_first`.
 *
 * With the changed joint lengths, the moment of a joint does not jump when a constraint begins to hold the frame, and the error
 * of the rod model is of second order in the edge length. The deflections of nodal rods that are clamped at one end or at both
 * ends show that the error is of second order (tests/test_nodal_clamp.c). If the frame is held at an end of the rod, the only
 * neighbouring joint represents the length of one and a half edges. */
#include "rod/nodal_rod.h"

static void change_joint(cst_nodal_rod *rod, int joint, double more)
{
    const int rows = rod->model->joint_rows;
    double *c = rod->joint_stiffness + joint * rows, *natural = rod->joint_natural + joint * rows;
    double *first = rod->joint_first + joint * rows, before = rod->joint_more[joint], strain[CST_NODAL_ROWS];
    bool known = before != 0.0;
    for (int r = 0; r < rows; ++r)
        known = known || first[r] != 0.0;
    if (!known) {
        rod->model->joint(rod, &rod->now, joint, strain, NULL);
        for (int r = 0; r < rows; ++r)
            first[r] = strain[r];
    }
    rod->joint_more[joint] = before + more;
    for (int r = 0; r < rows; ++r) {
        c[r] *= (1.0 + before) / (1.0 + rod->joint_more[joint]);
        natural[r] -= more * first[r];
    }
}

void cst_nodal_hold_frame(void *self, const cst_material_point *at, bool held)
{
    cst_nodal_rod *rod = self;
    const double more = (held ? 1.0 : -1.0) * (0.5 - cst_nodal_share(rod, at->feature, at->s));
    const int after = at->feature, before = after > 0 ? after - 1 : rod->closed ? rod->joints - 1 : -1;
    if (rod->joints == 0 || more == 0.0)
        return;
    if (after < rod->joints)
        change_joint(rod, after, more);
    if (before >= 0)
        change_joint(rod, before, -more);
}
