/* Writes one object as text of an OBJ file. */
#ifndef CST_EXPORT_EXPORT_OBJ_H
#define CST_EXPORT_EXPORT_OBJ_H

#include <stdio.h>

#include "export/export_shapes.h"

/* `from`: number of the object's first point in the file, counted from 1. */
void cst_export_obj_object(FILE *to, const cst_export_shapes *shapes, const cst_export_object *object, int from);

#endif
