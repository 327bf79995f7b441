/* The format of a run in the page of `capstan view` (docs/viewing.md).
 *
 * The page is one HTML file: the viewer first, then the data, so that a truncated file still has a viewer that can report it. The
 * data are
 *
 *     <script type="application/octet-stream" id="run0-frames0">base64 of a zlib stream</script>    blocks of frames
 *     <script type="application/octet-stream" id="run0-table0">...</script>                         series over time <script
 *     type="application/json" id="capstan-header">...</script>                              last: a description of the data.
 *
 * A table consists of its columns one after the other, as 8-byte reals. A block consists of its frames one after the other, each
 *
 *     u8   flags (below)
 *     f64  origin[3], quantum      of positions in this frame
 *     items, if CST_PAGE_HAS_ITEMS (else those of the frame before):
 *          u32 count; u8 kind[], u8 bits[], u32 id[], u32 vertices[], u32 triangles[]
 *          u32 corner[3 * triangles], of all meshes: each minus the one before, zigzag; in 4 planes
 *     positions of traced vertices: x, y, z one after the other, integers in `position_bytes` planes
 *     radii of traced vertices, if CST_PAGE_HAS_RADII: f32 in 4 planes
 *     per channel of the header: f32 largest; i8 code per traced vertex, minus its prediction
 *     shapes, if CST_PAGE_HAS_SHAPES: f32 in 4 planes: x, y, z, radius one after the other
 *     u32 contacts; positions as above (from the origin, not predicted); f32 in `contact_bytes` planes:
 *          normal x y z, force x y z, u x y z, mu, error, gap, s_a, s_b; u8 case[]; u32 in 4 planes: body_a, body_b, obstacle_b.
 *
 * Traced vertices are the vertices of curves and meshes, in the order of the items. The vertices of disks, outlines and
 * half-planes (shapes) follow behind the traced vertices and are exact. An array in planes has all lowest bytes first, then all
 * second bytes and so on, because this order compresses well; of a float, only the k highest bytes are stored.
 *
 * A position is predicted from data that the viewer has already decoded. If CST_PAGE_MOVED is set, the prediction for vertex i is
 * its position in the previous frame plus the displacement of vertex i - 1 since then; otherwise it is vertex i - 1 of this frame
 * (for the first vertex, the origin). The stored integer is the difference between a position and its prediction, in quanta. The
 * quantum is 2^-15 of the size of the frame's box for positions of 2 bytes, and 2^-23 for positions of 3 bytes. The prediction
 * starts from the rounded values, so that an error is at most half a quantum and does not grow from frame to frame.
 *
 * The value of a channel is largest * c|c| / 127^2 for the code c in [-127, 127], so that small values keep digits. Codes are
 * predicted from the previous frame if it had the same items and largest value, otherwise from vertex i - 1. Everything is
 * little-endian. */
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

    CST_PAGE_MESH = 16, /* item kind of a mesh, in addition to the kinds of cst_drawn_as */

    /* Largest length of a block, because jumping to a frame requires decompressing a whole block. */
    CST_PAGE_BLOCK_BYTES = 4 << 20,
    CST_PAGE_BLOCK_FRAMES = 32,
    CST_PAGE_FINE_VERTICES = 3000000, /* largest number of vertices in all frames together for which positions have 3 bytes */
    /* largest number of contacts in all frames together for which the numbers of a contact have 4 bytes */
    CST_PAGE_FINE_CONTACTS = 300000
};

#endif
