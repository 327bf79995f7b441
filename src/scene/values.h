/* Reads the values of the keys of an object in a scene file. For a key that the file does not give, the functions cst_get_real,
 * cst_get_integer, cst_get_bool, cst_get_choice and cst_get_vector return the default value from the table of keys (schema.h).
 *
 * Call these functions only after check.h has checked the keys of the file: the check stores in the field `role` of each object
 * which section of the schema lists the keys of this object. The argument `key` must be one of the keys that the schema lists for
 * the object. A faulty value counts as not given, because its error has been reported already. The calling thread must be in the
 * "C" locale (c_locale.h). */
#ifndef CST_SCENE_VALUES_H
#define CST_SCENE_VALUES_H

#include "scene/json.h"
#include "scene/schema.h"

cst_json *cst_given(const cst_json *object, const char *key); /* or NULL */

/* returns a number or an angle (rad); 0 if the key is not given and has no default */
double cst_get_real(const cst_json *object, const char *key);
double cst_get_real_or(const cst_json *object, const char *key, double otherwise);
int64_t cst_get_integer(const cst_json *object, const char *key);
bool cst_get_bool(const cst_json *object, const char *key);
/* returns the index of the given word among the allowed words; -1 if the value is faulty, or if the key is not given and has no
 * default */
int cst_get_choice(const cst_json *object, const char *key);
const char *cst_get_text(const cst_json *object, const char *key); /* or NULL */
void cst_get_vector(const cst_json *object, const char *key, double out[3]);

/* Returns the dimension of a scene: 3 if the scene has "dim": 3, otherwise 2. */
int cst_scene_dim(const cst_json *root);
const cst_section *cst_root_section(const cst_json *root); /* table of keys of this dimension */

/* The functions cst_get_reals and cst_get_points copy a valid array of numbers or of points to `out`. */
void cst_get_reals(const cst_json *array, double *out); /* `out`: count numbers */
/* `out`: two numbers per point in 2D, three numbers per point in 3D */
void cst_get_points(const cst_json *array, double *out);

/* Reads an angle with its unit, such as "30deg" or "0.5rad", and converts it to rad. Returns false if the text is not an
 * angle. */
bool cst_angle_read(const char *text, double *out);

#endif
