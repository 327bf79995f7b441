/** The look of triangle meshes: where they are smooth and where they have creases, their normals and their edges. */
import type { Topology } from "./frame";

/** Cosine of the angle from which on triangles around a point do not belong to one smooth surface. */
const SHARP = 0.7;

/** Points of a mesh as many times as there are smooth surfaces that meet there. */
export interface Corners {
  /** Three per triangle: numbers of these. */
  corner: Uint32Array;
  /** Which point each is. */
  place: Uint32Array;
}

/** Normals of the triangles, as long as twice their area. */
function triangleNormals(points: Float32Array, triangles: Uint32Array): Float32Array {
  const out = new Float32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [4 * triangles[t]!, 4 * triangles[t + 1]!, 4 * triangles[t + 2]!];
    const ux = points[b]! - points[a]!;
    const uy = points[b + 1]! - points[a + 1]!;
    const uz = points[b + 2]! - points[a + 2]!;
    const vx = points[c]! - points[a]!;
    const vy = points[c + 1]! - points[a + 1]!;
    const vz = points[c + 2]! - points[a + 2]!;
    out[t] = uy * vz - uz * vy;
    out[t + 1] = uz * vx - ux * vz;
    out[t + 2] = ux * vy - uy * vx;
  }
  return out;
}

/** Points of meshes with a border: sheets, which are smooth whatever their folds. Every edge of a closed mesh is passed once in each direction
 * (src/render/space_items.c). */
function sheetPoints({ items, triangles, traced }: Topology): Uint8Array {
  const owner = new Int32Array(traced).fill(-1);
  items.forEach((item, k) => owner.fill(k, item.first, item.first + item.count));
  const sum = new Float64Array(items.length);
  for (let k = 0; k < triangles.length; k++) {
    const a = triangles[k]!;
    const b = triangles[k % 3 === 2 ? k - 2 : k + 1]!;
    let mix = Math.imul(Math.min(a, b) + 1, 0x9e3779b1) ^ Math.imul(Math.max(a, b) + 1, 0x85ebca6b);
    mix = Math.imul(mix ^ (mix >>> 16), 0xc2b2ae35);
    mix = (mix ^ (mix >>> 13)) >>> 0;
    const item = owner[a]!;
    if (item >= 0) sum[item]! += a < b ? mix : -mix;
  }
  const out = new Uint8Array(traced);
  items.forEach((item, k) => {
    if (sum[k] !== 0) out.fill(1, item.first, item.first + item.count);
  });
  return out;
}

/** Each triangle joins, at each of its points, the first surface there whose first triangle it does not meet at a crease. */
export function splitAtCreases(points: Float32Array, topology: Topology): Corners {
  const { triangles, traced } = topology;
  const normal = triangleNormals(points, triangles);
  for (let t = 0; t < normal.length; t += 3) {
    const size = Math.hypot(normal[t]!, normal[t + 1]!, normal[t + 2]!) || 1;
    for (let axis = 0; axis < 3; axis++) normal[t + axis]! /= size;
  }
  const corner = new Uint32Array(triangles.length);
  const place: number[] = [];
  const founder: number[] = []; // triangle
  const next: number[] = []; // surface at the same point
  const first = new Int32Array(traced).fill(-1);
  const sheet = sheetPoints(topology);
  for (let k = 0; k < triangles.length; k++) {
    const t = k - (k % 3);
    const point = triangles[k]!;
    const meets = (other: number) =>
      normal[t]! * normal[other]! + normal[t + 1]! * normal[other + 1]! + normal[t + 2]! * normal[other + 2]! > SHARP;
    let found = first[point]!;
    while (found >= 0 && sheet[point] === 0 && !meets(founder[found]!)) found = next[found]!;
    if (found < 0) {
      found = place.length;
      place.push(point);
      founder.push(t);
      next.push(first[point]!);
      first[point] = found;
    }
    corner[k] = found;
  }
  return { corner, place: Uint32Array.from(place) };
}

/** Sums of triangle normals weighted by area, per corner, not yet of length one: the shader does that. */
export function meshNormals(points: Float32Array, triangles: Uint32Array, corners: Corners): Float32Array {
  const own = triangleNormals(points, triangles);
  const out = new Float32Array(3 * corners.place.length);
  for (let k = 0; k < triangles.length; k++) {
    const t = k - (k % 3);
    const to = 3 * corners.corner[k]!;
    for (let axis = 0; axis < 3; axis++) out[to + axis]! += own[t + axis]!;
  }
  return out;
}

/** Every edge of the triangles once, as pairs of points. */
export function meshEdges(topology: Topology): Uint32Array {
  const { triangles, traced } = topology;
  const keys = new Float64Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3)
    for (let k = 0; k < 3; k++) {
      const a = triangles[t + k]!;
      const b = triangles[t + ((k + 1) % 3)]!;
      keys[t + k] = Math.min(a, b) * traced + Math.max(a, b);
    }
  keys.sort();
  const edges: number[] = [];
  for (let i = 0; i < keys.length; i++) {
    if (i > 0 && keys[i] === keys[i - 1]) continue;
    edges.push(Math.floor(keys[i]! / traced), keys[i]! % traced);
  }
  return Uint32Array.from(edges);
}
