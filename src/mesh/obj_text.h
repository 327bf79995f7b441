/* Lines, vertices and corners of Wavefront OBJ, for those who read faces and those who read polylines. */
#ifndef CST_MESH_OBJ_TEXT_H
#define CST_MESH_OBJ_TEXT_H

#include "files/text_tokens.h"

/* The next line with words, without its comment; `number` counts its words. False at the end of the file, and with a fault at a line that
 * is continued by a backslash. */
bool cst_obj_next_line(cst_tokens *text, cst_tokens *line);

/* "v x y z"; columns after the third are ignored. */
bool cst_obj_vertex(cst_tokens *line, double x[3]);

/* The vertex of a corner "v", "v/vt", "v//vn" or "v/vt/vn", from 0. before: vertices above this line; all: of the file, -1: not counted yet. */
bool cst_obj_corner(cst_tokens *line, int before, int all, int32_t *out);

#endif
