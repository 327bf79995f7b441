/* Changes the stiffness and the strain of the two joints at the ends of an edge of a nodal rod while a clamp or a guide
 * prescribes the rotation of this edge. With the change, the rod bends as if its flexible part began exactly at the held point of
 * the edge.
 *
 * A joint represents the part of the rod from the middle of one edge to the middle of the next. Because an edge does not bend, a
 * constraint that fixes the frame of an edge at any point acts as if it fixed the frame in the middle of the edge. Let a
 * constraint fix the frame of an edge of length l at the fraction p of this length. The flexible part of the rod is then |1/2-p|
 * l too short on one side of the fixed point, and |1/2-p| l too long on the other side. Without a correction of the neighbouring
 * joints, the deflection of the rod would have an error of first order in the edge length.
 *
 * The correction multiplies the length of rod that each of the two joints at the ends of the fixed edge represents by 1 + m. The
 * relative change m has opposite signs for the joint before and the joint after the fixed edge. The stiffness c and the strain of
 * both joints change with m:
 *     `m = 1/2-p` after the edge.
 *     `m = p-1/2` before the edge.
 *     `c -> c/(1 + m)`.
 *     `strain -> strain + m strain_first`.
 *
 * Symbols:
 *     `p`: position of the fixed point on its edge, from 0 (start of the edge) to 1 (end).
 *     `m`: relative change of the rod length that a joint represents.
 *     `c`: stiffness of the joint.
 *     `strain_first`: strain of the joint when a constraint first fixed one of its two edges.
 *
 * Because the stiffness and the strain of a joint change together, the moment in the joint does not jump when a constraint first
 * fixes the frame of one of its two edges. With the correction of the joints, the deflections of nodal rods that are clamped at
 * one or both ends have errors of second order in the edge length (tests/test_nodal_clamp.c). */
#include "rod/nodal_rod.h"

static void change_joint(cst_nodal_rod *rod, int joint, double more)
{
    const int rows = rod->model->joint.rows;
    double *c = rod->joint_stiffness + joint * rows, *natural = rod->joint_natural + joint * rows;
    double *first = rod->joint_first + joint * rows, before = rod->joint_more[joint], strain[CST_NODAL_ROWS];
    bool known = before != 0.0;
    for (int r = 0; r < rows; ++r)
        known = known || first[r] != 0.0;
    if (!known) {
        rod->model->joint.find(rod, &rod->now, joint, strain, NULL);
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
