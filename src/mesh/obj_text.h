/* Lines, vertices and corners of Wavefront OBJ files, for the readers of meshes and of strands. */
#ifndef CST_MESH_OBJ_TEXT_H
#define CST_MESH_OBJ_TEXT_H

#include "files/text_tokens.h"

/* Finds the next line that has words, and sets `line` to its words without the comment. Returns false at the end of the file. A
 * line that is continued by a backslash is an error: the function records it and returns false. */
bool cst_obj_next_line(cst_tokens *text, cst_tokens *line);

/* Reads "v x y z"; further columns are ignored. */
bool cst_obj_vertex(cst_tokens *line, double x[3]);

/* Reads the vertex index (from 0) of a corner "v", "v/vt", "v//vn" or "v/vt/vn".
 *     `before`: number of vertices in the file above the line of the corner.
 *     `all`: number of vertices in the file, or -1 if they are not counted yet. */
bool cst_obj_corner(cst_tokens *line, int before, int all, int32_t *out);

#endif
