/* The format of a run in the page of `capstan view` (docs/viewing.md). All numbers are little-endian.
 *
 * The page is one HTML file: the viewer first, then the data, so that the viewer of a truncated file can still report that the
 * file is truncated. The data are in script elements. The HTML elements run0-frames0, run0-frames1, ... have the type
 * application/octet-stream and contain blocks of frames, as base64 of a zlib stream. The HTML elements run0-table0, run0-table1,
 * ... have the type and encoding of the elements with frames, and contain tables of values over time. The last data element of
 * the page, capstan-header, has the type application/json and describes the data.
 *
 * A table of values over time consists of its columns one after the other, as 8-byte reals. A block consists of its frames one
 * after the other. A frame consists of nine parts in the following order; items, radii and shapes are missing if their flag is
 * not set:
 *
 *     (1) Flags (u8).
 *     (2) Origin of positions (f64[3]).
 *     (3) Quantum of positions (f64).
 *     (4) Items, if CST_PAGE_HAS_ITEMS.
 *     (5) Positions of traced vertices.
 *     (6) Radii, if CST_PAGE_HAS_RADII.
 *     (7) Channels of the header.
 *     (8) Shapes, if CST_PAGE_HAS_SHAPES.
 *     (9) Contacts.
 *
 * Traced vertices are the vertices of curves and meshes, in the order of the bodies and obstacles. Shapes are disks, outlines and
 * half-planes; their vertices are stored after the vertices of curves and meshes, without rounding. An array in byte planes has
 * the lowest bytes of all its numbers first, then all second bytes and so on, because this order compresses well. Of a float in k
 * byte planes, only the k highest bytes are stored.
 *
 * The data of the items (bodies and obstacles) begin with the number of items (u32) and the arrays u8 kind[], u8 bits[], u32
 * id[], u32 vertices[] and u32 triangles[]. The data of the items end with the corners of the triangles of all meshes (u32, in 4
 * byte planes). Each corner of a triangle is stored as its difference from the previous corner, in zigzag code: the differences
 * 0, -1, 1, -2, ... become 0, 1, 2, 3, ... If the flag CST_PAGE_HAS_ITEMS is not set, a frame has the same bodies and obstacles
 * as the previous frame.
 *
 * The positions of the vertices of curves and meshes (traced vertices) are integers in `position_bytes` byte planes: x of all
 * vertices, then y, then z. The radii of the vertices of curves and meshes are f32 in 4 byte planes. For each channel (such as
 * the curvature), a frame has an upper bound of the absolute values of the channel (f32) and one number (i8) per vertex of a
 * curve or mesh. The number of a vertex in a channel is the code of its value (an integer from -127 to 127) minus the predicted
 * code. The positions and radii of the vertices of shapes are f32 in 4 byte planes: x of all vertices, then y, z and radius.
 *
 * The data of the contacts begin with the number of contacts (u32). Then follow the positions of the contacts, in
 * `position_bytes` byte planes. The stored position of a contact is the vector from the origin of positions (part (2) of the
 * frame) to the contact, divided by the quantum of positions and rounded to integers. The positions of the contacts are followed
 * by 14 arrays of f32, in byte planes; of each f32, only the `contact_bytes` highest bytes are stored. The first nine arrays of
 * contact data are the components x, y and z of the contact normals, of the forces and of the relative velocities. The last five
 * arrays of contact data are the friction coefficients, the contributions to the friction residual, the gaps, and the arc lengths
 * of the contacts along their two bodies. The 14 arrays of contact data are followed by the array u8 case[]: the case of the
 * Coulomb law (separating, sticking, sliding or bilateral) of each contact. The data of the contacts end with the arrays body_a,
 * body_b and obstacle_b, as u32 in 4 byte planes.
 *
 * A position is predicted from data that the viewer has already decoded. If the flag CST_PAGE_MOVED is set, the prediction for
 * vertex i is its position in the previous frame plus the displacement of vertex i - 1 since that frame. If the flag
 * CST_PAGE_MOVED is set, the prediction for the first vertex of a body or an obstacle is its position in the previous frame. If
 * the flag CST_PAGE_MOVED is not set, the prediction for vertex i is the position of vertex i - 1 in the same frame. The
 * prediction for the first vertex of a frame without CST_PAGE_MOVED is the origin of positions, part (2) of the frame. For each
 * coordinate, the stored integer is the coordinate minus its prediction, divided by the quantum of positions (rounding unit) and
 * rounded. The quantum of positions is the longest side of the bounding box of all traced vertices and contacts, divided by 32766
 * (integers of 2 bytes) or 8388606 (integers of 3 bytes). A side shorter than 1e-6 of the largest coordinate counts as this
 * length. Predictions use the rounded positions that the viewer decodes, so that the error of a position is at most half a
 * quantum and does not grow from frame to frame.
 *
 * A channel is a number at each vertex, such as the curvature. In each frame, a channel has a bound v for the magnitudes of its
 * values. The bound v is a power of two, or 0 if all magnitudes are below 1e-30. An integer code c from -127 to 127 stands for
 * the value v c|c| / 127^2, so that small values have a smaller rounding error. If the previous frame has the same bodies, the
 * same obstacles and the same bound v of the channel, the predicted code of a vertex is the code of the vertex in the previous
 * frame. If the bodies, the obstacles or the bound v differ from those of the previous frame, and in the first frame of a block,
 * the predicted code of vertex i is the code of vertex i - 1 in the same frame. In such a frame, the predicted code of the first
 * vertex is 0. */
#ifndef CST_PAGE_PAGE_FORMAT_H
#define CST_PAGE_PAGE_FORMAT_H

enum {
    CST_PAGE_FORMAT_VERSION = 1,

    CST_PAGE_HAS_ITEMS = 1,
    CST_PAGE_MOVED = 2,
    CST_PAGE_HAS_RADII = 4,
    CST_PAGE_HAS_SHAPES = 8,

    CST_PAGE_ITEM_CLOSED = 1,
    CST_PAGE_ITEM_OBSTACLE = 2,

    CST_PAGE_MESH = 16, /* value of kind[] for a triangle mesh; the other values are those of the enum cst_drawn_as */

    /* A block of frames is complete when it has at least CST_PAGE_BLOCK_BYTES bytes, or CST_PAGE_BLOCK_FRAMES frames; to jump to
     * a frame, the viewer decompresses a whole block. */
    CST_PAGE_BLOCK_BYTES = 4 << 20,
    CST_PAGE_BLOCK_FRAMES = 32,
    /* `position_bytes` is 3 if the number of frames of the run on the page times the number of vertices in the last of these
     * frames is at most CST_PAGE_FINE_VERTICES, otherwise 2 */
    CST_PAGE_FINE_VERTICES = 3000000,
    /* `contact_bytes` is 4 if the number of frames of the run on the page times the mean number of contacts per saved frame is at
     * most CST_PAGE_FINE_CONTACTS, otherwise 2 */
    CST_PAGE_FINE_CONTACTS = 300000
};

#endif
