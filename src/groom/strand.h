/* One hair as a super-helix: a root with its frame, and elements of equal length with constant curvatures.
 *
 * A hair without curl has no twist: along each element, the tangent turns in a circular arc from its direction at the start to
 * its direction at the end. The joints of a strand are moved by changing the tangents. Symbols:
 *     `l`: length of an element.
 *     `d_i`: small vector by which joint i of the strand is moved.
 *
 * To displace each joint i by the small vector d_i, the tangent at joint i changes by the central difference (d_(i+1) - d_(i-1))
 * / (2 l), with the element length l. The central difference of the vectors d_i avoids a zigzag, in which successive arcs of a
 * strand bend alternately left and right.
 *
 * A curled hair is a helix that winds around the curve of the same hair without curl. A helix with constant curvatures has a
 * straight axis, so the axis of a curled hair changes direction only at the joints. Symbols:
 *     `c_i`: unit axis of the helix in element i: the mean direction of the two end tangents that the element would have without
 *     curl.
 *     `a`: angle between the tangent and the axis, tan(a) = 2 pi radius / |pitch|.
 *     `T`: unit tangent at the joint between the elements i and i + 1.
 *     `P`, `Q`: unit vectors perpendicular to the axis c_i of element i and to each other.
 *     `phi`: angle about the axis c_i from P to the component of the tangent T perpendicular to c_i.
 *
 * At the joint between two elements of a curled hair, the tangent T has the angle a to the axes of both elements:
 *     `T = cos(a)*c_i + sin(a)*V`.
 *     `V = cos(phi)*P + sin(phi)*Q`.
 *     `T.c_(i+1) = cos(a)`.
 *
 * In general, two angles phi give the tangent T the angle a to the axis of the next element. The code chooses the angle phi that
 * is nearest to the rotation of the nominal helix along one element; the nominal helix has the given radius and pitch. The number
 * of helix turns differs slightly between the elements of a curled hair. At the root, the tangent of a curled hair is tilted away
 * from the axis of the first element, perpendicular to the normal of the scalp. The first turn of the helix therefore bends away
 * from the scalp.
 *
 * The natural curvatures of a curled hair are its initial curvatures, and not those of the nominal helix. In each element, the
 * direction of the curvature vector differs from that of the nominal helix. Along an element, the tangent rotates about the axis
 * by up to half a turn more or less than along the nominal helix. With the natural curvatures of the nominal helix, 200 hairs of
 * scenes/hair/curly.json would start with an elastic energy of 0.09 J, and reach speeds of 12 m/s within the first
 * millisecond. */
#ifndef CST_GROOM_STRAND_H
#define CST_GROOM_STRAND_H

#include <stdbool.h>

typedef struct cst_strand {
    double position[3]; /* position of the root (m) */
    double frame[9];    /* root frame: tangent t and the two directions d1 and d2 of the cross-section as columns */
    double length;      /* length of the hair (m) */
    double *curvature;  /* array (elements x 3): twist and two curvatures of each element (1/m) */
    double radius;      /* radius of this hair (m); 0: not given, the hair has the common radius of all hairs */
    bool curled;        /* true: the hair is curled, and its natural curvatures are those in `curvature` */
} cst_strand;

/* The helix of a curled hair. */
typedef struct cst_strand_curl {
    double radius, pitch; /* radius and pitch of the helix (m); pitch < 0: left-handed; radius 0: no curl */
    double outward[3];    /* unit outward direction at the root */
} cst_strand_curl;

/* Returns the length of a curled hair along its axis, divided by its arc length: the pitch of the helix divided by the arc length
 * of one turn. */
double cst_strand_curl_reach(const cst_strand_curl *curl);

/* Computes the root frame and the curvatures of a strand from the array `tangent` of the unit tangents at its elements + 1
 * joints. For a curled hair, `tangent` has the tangents of the same hair without curl. The caller sets position, length and the
 * array of curvatures of the strand before the call. */
void cst_strand_from_tangents(cst_strand *strand, int elements, const double *tangent, const cst_strand_curl *curl);

/* Changes the tangents of a strand so that its elements + 1 joints move approximately by the vectors `move` (m). `l`: length of
 * an element (m). */
void cst_strand_move_joints(double *tangent, int elements, double l, const double *move);

/* Fits a strand without curl to given positions of its joints. The fit starts from the given tangents and corrects them four
 * times. The caller sets strand->length.
 *     `joint`: array ((elements + 1) x 3), positions of the joints, from the root on.
 *     `tangent`: array ((elements + 1) x 3), unit tangents at the joints; changed by the fit.
 *     `work`: memory for (elements + 1) x 6 numbers. */
void cst_strand_fit(cst_strand *strand, int elements, const double *joint, double *tangent, double *work);

/* Divides each element of a strand into `pieces` equal parts. Writes the positions of the ends of all parts, elements * pieces
 * + 1 points, to `point`. */
void cst_strand_points(const cst_strand *strand, int elements, int pieces, double *point);

#endif
