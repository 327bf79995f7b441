/* Rotations in space as matrices (3 x 3, row-major); rotation vectors are those of rotation_vector.h. */
#ifndef CST_MATH_ROTATION_H
#define CST_MATH_ROTATION_H

/* The shortest w with exp(hat(w)) = R, |w| <= pi; by way of the quaternion, safe near 0 and pi. */
void cst_rotation_log(const double R[9], double w[3]);

/* R <- exp(hat(w)) R */
void cst_rotation_turn(const double w[3], double R[9]);

/* The nearest rotation, to second order in how far R is from being one: R <- R (3 I - R^T R) / 2. */
void cst_rotation_mend(double R[9]);

#endif
