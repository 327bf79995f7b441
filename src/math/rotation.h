/* Rotations in 3D as matrices (3 x 3, row-major). Rotation vectors are those of rotation_vector.h. */
#ifndef CST_MATH_ROTATION_H
#define CST_MATH_ROTATION_H

/* Computes the shortest rotation vector w with exp(hat(w)) = R, |w| <= pi. The rotation vector is computed from the quaternion
 * of the rotation, which is accurate for rotation angles near 0 and near pi. */
void cst_rotation_log(const double R[9], double w[3]);

/* R <- exp(hat(w)) R */
void cst_rotation_turn(const double w[3], double R[9]);

/* Replaces the matrix R by the nearest rotation, to second order in the error of R, by R <- R (3 I - R^T R) / 2. */
void cst_rotation_mend(double R[9]);

#endif
