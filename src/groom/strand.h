/* One hair as a super-helix: a root with its frame, and constant curvatures along each of its equal elements.
 *
 * A hair without curl has no twist: each element is an arc along which the tangent makes the smallest rotation from its
 * direction at the start to its direction at the end. To move the joints of a strand by small vectors d_i, the tangent at joint
 * i is changed by (d_(i+1) - d_(i-1)) / (2 l), where l is the length of an element. The formula approximates, by a central
 * difference, how the tangents of a smooth curve change when its points are moved. With this central difference, the arcs of a
 * moved strand do not bend alternately left and right.
 *
 * A curled hair is a helix that winds around the curve of the hair without curl. The axis c_i of element i has the mean direction
 * of the two tangents at the ends of the element without curl. With constant curvatures a helix has a straight axis, so the axis
 * changes direction only at the joints. The angle a between the tangent of the helix and its axis is given by tan(a) = 2 pi
 * radius / |pitch|. At the joint between the elements i and i + 1 of a curled hair, the tangent T has the angle a to the axes of
 * both elements. The angle phi of the tangent T about the axis c_i follows from the equations below, in which P and Q are unit
 * vectors perpendicular to c_i and to each other:
 *
 *     T = cos(a)*c_i + sin(a)*V.      V = cos(phi)*P + sin(phi)*Q.      T.c_(i+1) = cos(a).
 *
 * In general, two angles phi of the tangent T about the axis c_i are possible. The chosen angle is the one nearest to the
 * rotation of the nominal helix (given radius and pitch) along one element, so the number of turns differs slightly between
 * elements. At the root, the tangent of a curled hair is tilted from the first element's axis in a direction perpendicular to the
 * normal of the scalp, so that the first turn of the helix bends away from the scalp.
 *
 * The natural curvatures of a curled hair are its initial curvatures. With the natural curvatures of the nominal helix (given
 * radius and pitch), the initial shape would be deformed, because each element of the initial shape is bent in another direction
 * and has up to half a turn more or less than the nominal helix. Natural curvatures of the nominal helix would give 200 hairs of
 * scenes/hair/curly.json an elastic energy of 0.09 J at the start, and speeds of 12 m/s within the first millisecond. */
#ifndef CST_GROOM_STRAND_H
#define CST_GROOM_STRAND_H

#include <stdbool.h>

typedef struct cst_strand {
    double position[3]; /* position of the root (m) */
    double frame[9];    /* root frame; columns t, d1, d2 */
    double length;      /* m */
    double *curvature;  /* three numbers for each element (1/m), the twist and two curvatures */
    double radius;      /* m; 0: same as all hairs */
    bool curled;        /* true: the hair is curled, and its curvatures are also its natural curvatures */
} cst_strand;

/* The helix that a curled hair winds along. */
typedef struct cst_strand_curl {
    double radius, pitch; /* radius and pitch of the helix (m); pitch < 0: left-handed; radius 0: no curl */
    double outward[3];    /* unit outward direction at the root */
} cst_strand_curl;

/* Returns the ratio of a curled hair's length along its axis to its arc length: the pitch of the helix divided by the arc
 * length of one turn. */
double cst_strand_curl_reach(const cst_strand_curl *curl);

/* Computes the root frame and the curvatures of a strand from the unit tangents at its (elements + 1) joints. For a curled hair,
 * the array `tangent` has the tangents of the same hair without curl. Before a call of cst_strand_from_tangents, the caller sets
 * the position, the length and the array of curvatures of the strand. */
void cst_strand_from_tangents(cst_strand *strand, int elements, const double *tangent, const cst_strand_curl *curl);

/* Turns the tangents of a strand so that its (elements + 1) joints move approximately by the vectors `move` (m). The parameter
 * `l` is the length of an element. */
void cst_strand_move_joints(double *tangent, int elements, double l, const double *move);

/* Fits a strand without curl to given positions of its joints. The caller sets strand->length. The array `joint` has three
 * coordinates for each of the (elements + 1) joints and begins with the root. The fit starts with the tangents in the array
 * `tangent` and corrects these tangents four times. `work`: memory for ((elements + 1) x 6) numbers. */
void cst_strand_fit(cst_strand *strand, int elements, const double *joint, double *tangent, double *work);

/* Divides each element of the centreline into `pieces` equal parts, and writes the coordinates of the (elements * pieces + 1) end
 * points of all parts to `point`. */
void cst_strand_points(const cst_strand *strand, int elements, int pieces, double *point);

#endif
