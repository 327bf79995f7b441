/** What is not in the data but follows from a frame: where contacts press on curves, and the look of meshes. */
import { Case, Kind, padded, type Contacts, type Frame, type Item, type Topology } from "./frame";

export interface Derived {
  /** Per traced point, padded: 255 * sqrt(force / largest) of the strongest contact there, 0 if none. */
  force: Uint8Array;
  /** Per traced point, padded: 1 + Case of the contact there, 0 if none. */
  touch: Uint8Array;
  /** Per traced point of meshes x, y, z; empty without meshes. */
  normals: Float32Array;
}

/** Arc length from the start of a curve to each of its points. */
function arcLengths(points: Float32Array, item: Item): Float32Array {
  const s = new Float32Array(item.count);
  for (let k = 1; k < item.count; k++) {
    const a = 4 * (item.first + k - 1);
    const b = a + 4;
    s[k] = s[k - 1]! + Math.hypot(points[b]! - points[a]!, points[b + 1]! - points[a + 1]!, points[b + 2]! - points[a + 2]!);
  }
  return s;
}

/** Index of the value next to x in an increasing list. */
export function nearest(list: ArrayLike<number>, x: number): number {
  let low = 0;
  let high = list.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (list[middle]! <= x) low = middle;
    else high = middle;
  }
  return high >= 0 && x - list[low]! > list[Math.max(high, 0)]! - x ? high : low;
}

function markContacts(frame: Frame, largest: number, out: Derived): void {
  const { contacts, topology, points } = frame;
  const curve = new Map<number, Item>();
  for (const item of topology.items) if (!item.obstacle && item.kind === Kind.Curve && item.count > 0) curve.set(item.id, item);
  const lengths = new Map<number, Float32Array>();
  const mark = (body: number, s: number, force: number, kind: number): void => {
    const item = curve.get(body);
    if (!item) return;
    let along = lengths.get(body);
    if (!along) lengths.set(body, (along = arcLengths(points, item)));
    const middle = nearest(along, s);
    // One point to either side, or a contact between two far points would hardly show.
    for (let k = Math.max(0, middle - 1); k <= Math.min(item.count - 1, middle + 1); k++) {
      const at = item.first + k;
      out.force[at] = Math.max(out.force[at]!, Math.round(255 * Math.sqrt(Math.min(1, force / largest))));
      out.touch[at] = Math.max(out.touch[at]!, 1 + kind);
    }
  };
  for (let i = 0; i < contacts.count; i++) {
    const force = forceOf(contacts, i);
    const kind = contacts.kind[i]!;
    if (kind === Case.TakesOff && force === 0) continue;
    mark(contacts.bodyA[i]!, contacts.sA[i]!, force, kind);
    if (contacts.bodyB[i] !== 0) mark(contacts.bodyB[i]!, contacts.sB[i]!, force, kind);
  }
}

export function forceOf(contacts: Contacts, i: number): number {
  return Math.hypot(contacts.force[3 * i]!, contacts.force[3 * i + 1]!, contacts.force[3 * i + 2]!);
}

/** Sums of triangle normals weighted by area, not yet of length one: the shader does that. */
function meshNormals(points: Float32Array, triangles: Uint32Array, traced: number): Float32Array {
  if (triangles.length === 0) return new Float32Array(0);
  const out = new Float32Array(3 * traced);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [4 * triangles[t]!, 4 * triangles[t + 1]!, 4 * triangles[t + 2]!];
    const ux = points[b]! - points[a]!;
    const uy = points[b + 1]! - points[a + 1]!;
    const uz = points[b + 2]! - points[a + 2]!;
    const vx = points[c]! - points[a]!;
    const vy = points[c + 1]! - points[a + 1]!;
    const vz = points[c + 2]! - points[a + 2]!;
    const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    for (let corner = 0; corner < 3; corner++)
      for (let axis = 0; axis < 3; axis++) out[3 * triangles[t + corner]! + axis]! += n[axis]!;
  }
  return out;
}

export function derive(frame: Frame, largestForce: number): Derived {
  const size = padded(frame.topology.points);
  const out: Derived = {
    force: new Uint8Array(size),
    touch: new Uint8Array(size),
    normals: meshNormals(frame.points, frame.topology.triangles, frame.topology.traced),
  };
  if (frame.contacts.count > 0) markContacts(frame, largestForce > 0 ? largestForce : 1, out);
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
