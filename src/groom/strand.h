/* One hair as a super-helix: a root with its frame, and constant curvatures along each of its equal elements.
 *
 * Laid hair has no twist: an element is an arc from one tangent to the next, by the smallest rotation between them. A strand is
 * moved by changing its tangents: to move its joints by d_i, the tangent at joint i is turned by (d_(i+1) - d_(i-1)) / 2 l.
 * This is how the tangents of a smooth curve change when the curve is moved by d_i, so the arcs do not bend alternately left
 * and right.
 *
 * Curled hair winds around the same tangents: element i is a helix about the direction c_i between its two tangents, at the angle
 * a to it, tan a = 2 pi radius / |pitch|. With constant curvatures a helix has a straight axis, so the axis changes direction
 * only at the joints. At a joint, the tangent is at the angle a to the axes on both sides,
 *
 *     T(phi) = cos a c_i + sin a (cos phi p + sin phi c_i x p),    T . c_(i+1) = cos a,
 *
 * where p is a unit vector perpendicular to c_i. The equation for T has two solutions phi. The solution nearest to the nominal
 * number of turns of the element is taken, so that curls differ slightly. At the root, the tangent leans from the axis c_0 in a
 * direction perpendicular to the outward direction of the scalp, so that the first turn of the helix bends away from the
 * scalp. */
#ifndef CST_GROOM_STRAND_H
#define CST_GROOM_STRAND_H

typedef struct cst_strand {
    double position[3]; /* m: position of the root */
    double frame[9];    /* frame at the root, (3 x 3) row-major; columns t, d1, d2 */
    double length;      /* m */
    double *curvature;  /* (elements x 3) twist, k1 and k2 of each element, 1/m */
    double radius;      /* radius, m; 0: the radius common to all hairs */
} cst_strand;

/* The helix that a curled hair winds along. */
typedef struct cst_strand_curl {
    double radius, pitch; /* m: radius and pitch of the helix; pitch < 0: left-handed; radius 0: no curl */
    double outward[3];    /* unit outward direction at the root */
} cst_strand_curl;

/* Returns the cosine of the angle a: the extent of a curled hair along its axis, as a share of its length. */
double cst_strand_curl_reach(const cst_strand_curl *curl);

/* Computes frame and curvatures from the tangents at the joints, which are ((elements + 1) x 3) unit vectors. The position, the
 * length and the array of curvatures of the strand are already set. */
void cst_strand_from_tangents(cst_strand *strand, int elements, const double *tangent, const cst_strand_curl *curl);

/* Turns the tangents so that the joints move approximately by `move` ((elements + 1) x 3, m); l: length of an element. */
void cst_strand_move_joints(double *tangent, int elements, double l, const double *move);

/* Fits a strand without curl, of its given length, to `joint` ((elements + 1) x 3; the first is its root). The fit starts with
 * the given tangents and corrects them four times. `work`: memory for ((elements + 1) x 6) numbers. */
void cst_strand_fit(cst_strand *strand, int elements, const double *joint, double *tangent, double *work);

/* Computes points of the centreline, `pieces` for each element and one more: ((elements pieces + 1) x 3). */
void cst_strand_points(const cst_strand *strand, int elements, int pieces, double *point);

#endif
