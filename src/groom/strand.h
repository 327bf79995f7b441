/* One hair as a super-helix: a root with its frame, and curvatures constant along each of its equal elements.
 *
 * Hair that is laid has no twist: an element is an arc, from one tangent to the next by the smallest rotation between them. A strand is moved
 * through its tangents: joints that shall go by d_i turn the tangent between them by (d_(i+1) - d_(i-1)) / 2 l, which is what a smooth curve
 * would do, and keeps arcs from bending to and fro in turn.
 *
 * Curled hair winds around the same tangents: element i is a helix about the direction c_i between its two tangents, at the angle a to it,
 * tan a = 2 pi radius / |pitch|. With constant curvatures a helix has a straight axis, so its axis turns at the joints alone: the tangent there is at the
 * angle a to the axes on both sides,
 *
 *     T(phi) = cos a c_i + sin a (cos phi p + sin phi c_i x p),    T . c_(i+1) = cos a,
 *
 * which has two solutions phi; the one nearest to as many turns as the length of the element has is taken. So curls are not quite alike. The hair
 * begins sideways, such that its first turn is outward. */
#ifndef CST_GROOM_STRAND_H
#define CST_GROOM_STRAND_H

typedef struct cst_strand {
    double position[3]; /* m: of the root */
    double frame[9];    /* (3 x 3) row-major; columns t, d1, d2 at the root */
    double length;      /* m */
    double *curvature;  /* (elements x 3): twist, k1, k2, 1/m */
    double radius;      /* m; 0: as all of them */
} cst_strand;

/* Of what a hair winds around. */
typedef struct cst_strand_curl {
    double radius, pitch; /* m; pitch < 0: left-handed; radius 0: no curl */
    double outward[3];    /* unit: at the root */
} cst_strand_curl;

/* Cosine of the angle a: a curled hair reaches so much of its length. */
double cst_strand_curl_reach(const cst_strand_curl *curl);

/* Frame and curvatures from the tangents at the joints: ((elements + 1) x 3) unit vectors. Position, length and the array are given. */
void cst_strand_from_tangents(cst_strand *strand, int elements, const double *tangent, const cst_strand_curl *curl);

/* Turns tangents such that the joints go about as `move` ((elements + 1) x 3, m) says; l: length of an element. */
void cst_strand_move_joints(double *tangent, int elements, double l, const double *move);

/* The strand without curl, of the length it has, whose joints are nearest to these ((elements + 1) x 3; the first is its root): from these tangents, which
 * are turned until the joints are there, four times. work: ((elements + 1) x 6). */
void cst_strand_fit(cst_strand *strand, int elements, const double *joint, double *tangent, double *work);

/* Points of the centreline, `pieces` for each element and one more: ((elements pieces + 1) x 3). */
void cst_strand_points(const cst_strand *strand, int elements, int pieces, double *point);

#endif
