/** What is not in the data but follows from a frame: where contacts press on curves, and the look of meshes. */
import { Case, Kind, padded, type Contacts, type Frame, type Item } from "./frame";
import { meshNormals, type Corners } from "./mesh";

export interface Derived {
  /** Per traced point, padded: 255 * sqrt(force / largest) of the strongest contact there, 0 if none. */
  force: Uint8Array;
  /** Per traced point, padded: 1 + Case of the contact there, 0 if none. */
  touch: Uint8Array;
  /** Per corner of meshes (data/mesh.ts) x, y, z; empty without meshes. */
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

export function derive(frame: Frame, largestForce: number, corners: Corners): Derived {
  const size = padded(frame.topology.points);
  const out: Derived = {
    force: new Uint8Array(size),
    touch: new Uint8Array(size),
    normals: meshNormals(frame.points, frame.topology.triangles, corners),
  };
  if (frame.contacts.count > 0) markContacts(frame, largestForce > 0 ? largestForce : 1, out);
  return out;
}
