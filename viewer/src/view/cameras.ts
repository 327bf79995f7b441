/** Where one looks from: panning and zooming in the plane, orbiting in space. */
import { OrthographicCamera, PerspectiveCamera, Vector2, Vector3, type Camera, type Vector4 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Box, RunHead, Vector } from "../data/header";

export interface CameraControl {
  readonly camera: Camera;
  readonly dim: 2 | 3;
  /** CSS pixels of one pane. */
  resize(width: number, height: number): void;
  fit(): void;
  /** Metres per CSS pixel where one looks at; the factor for `Shared.pixel`. */
  metresPerPixel(): number;
  pixelFactor(): number;
  /** Centre of what is seen and half its size. */
  seen(into: Vector4): void;
  /** Numbers that say where one looks from, and back: of the plane centre and height; in space the place looked at, azimuth and elevation in degrees, and the
   * distance. What is not as many numbers, or makes no sense, changes nothing. */
  state(): number[];
  restore(state: number[]): void;
}

/** What should be in the picture at first: the scene's own camera, or all that moves, with what is around it if that is not too far. */
export interface Target {
  center: Vector;
  /** Of all that should be seen. */
  size: Vector;
  /** As the scene has it. */
  height: number | null;
  /** To the left and right of the centre, what there is to be seen: across the direction of view. */
  width: number;
  /** Of the eye as seen from the centre, in space; radians. */
  azimuth: number;
  elevation: number;
}

/** Where the eye is at first: in the direction (0.55, -1, 0.42). */
const AZIMUTH = Math.atan2(-1, 0.55);
const ELEVATION = Math.atan2(0.42, Math.hypot(0.55, 1));

/** All that moves in the runs, with what is around it unless that is too far away. */
export function boxToShow(heads: RunHead[]): Box {
  const boxes = heads.flatMap((head) => (head.box ? [head.box] : []));
  if (boxes.length === 0) boxes.push(...heads.flatMap((head) => (head.surroundings ? [head.surroundings] : [])));
  let box: Box = boxes.reduce(join, boxes[0] ?? { low: [-1, -1, -1], high: [1, 1, 1] });
  const size = (b: Box) => Math.max(...b.high.map((high, k) => high - b.low[k]!));
  for (const head of heads) {
    if (!head.surroundings) continue;
    const both = join(box, head.surroundings);
    if (size(both) < 3 * size(box)) box = both;
  }
  return box;
}

export function frameBox(heads: RunHead[]): Target {
  const given = heads.find((head) => head.camera)?.camera;
  const box = boxToShow(heads);
  const extent = box.high.map((high, k) => Math.max(high - box.low[k]!, 0)) as Vector;
  const center = box.high.map((high, k) => 0.5 * (high + box.low[k]!)) as Vector;
  const degree = Math.PI / 180;
  const angles = {
    azimuth: given && given.azimuth !== null ? given.azimuth * degree : AZIMUTH,
    elevation: given && given.elevation !== null ? given.elevation * degree : ELEVATION,
  };
  if (!given || !(given.height > 0)) return { center, size: extent, height: null, width: extent[0], ...angles };
  const across = heads[0]!.dim === 2 ? [1, 0] : [-Math.sin(angles.azimuth), Math.cos(angles.azimuth)];
  let left = 0;
  let right = 0;
  across.forEach((share, k) => {
    const ends = [share * (box.low[k]! - given.center[k]!), share * (box.high[k]! - given.center[k]!)];
    left -= Math.min(...ends);
    right += Math.max(...ends);
  });
  return { center: given.center, size: extent, height: given.height, width: 2.1 * Math.max(left, right), ...angles };
}

function join(a: Box, b: Box): Box {
  return {
    low: a.low.map((low, k) => Math.min(low, b.low[k]!)) as Vector,
    high: a.high.map((high, k) => Math.max(high, b.high[k]!)) as Vector,
  };
}

/** A scene's camera says how high the picture is and was meant for a wide screen: on a narrower one, more height is shown rather
 * than that something is cut off. */
function authorHeight(target: Target, height: number, aspect: number): number {
  const width = Math.min((16 / 9) * height, target.width);
  return Math.max(height, width / Math.max(aspect, 0.1));
}

export class PlaneCamera implements CameraControl {
  readonly dim = 2;
  readonly camera = new OrthographicCamera();
  private readonly center = new Vector2();
  private height = 1;
  private width = 1;
  private pixels = new Vector2(1, 1);
  private readonly touches = new Map<number, Vector2>();
  /** Nobody has moved the picture since it was fitted: when its size changes, it is fitted again. */
  private fitted = false;

  constructor(
    private readonly element: HTMLElement,
    private readonly paneAt: (x: number, y: number) => { x: number; y: number },
    private readonly target: Target,
    private readonly changed: () => void,
  ) {
    this.camera.position.z = 1;
    this.camera.near = -1e6;
    this.camera.far = 1e6;
    element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    element.addEventListener("pointerdown", (event) => this.down(event));
    element.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"] as const) element.addEventListener(end, (event) => this.up(event));
    element.addEventListener("dblclick", () => this.fit());
  }

  resize(width: number, height: number): void {
    this.pixels.set(Math.max(width, 1), Math.max(height, 1));
    if (this.fitted) this.fit();
    else this.update();
  }

  fit(): void {
    const [w, h] = this.target.size;
    const aspect = this.pixels.x / this.pixels.y;
    const margin = 1.16;
    const own = margin * Math.max(h, w / aspect, 1e-9);
    this.height = this.target.height !== null ? authorHeight(this.target, this.target.height, aspect) : own;
    this.center.set(this.target.center[0], this.target.center[1]);
    this.fitted = true;
    this.update();
  }

  metresPerPixel(): number {
    return this.height / this.pixels.y;
  }
  pixelFactor(): number {
    return this.metresPerPixel();
  }
  seen(into: Vector4): void {
    into.set(this.center.x, this.center.y, 0.5 * this.width, 0.5 * this.height);
  }

  state(): number[] {
    return [this.center.x, this.center.y, this.height];
  }
  restore(state: number[]): void {
    const [x, y, height] = state;
    if (state.length !== 3 || !(height! > 0)) return;
    this.center.set(x!, y!);
    this.height = height!;
    this.fitted = false;
    this.update();
  }

  private update(): void {
    this.width = (this.height * this.pixels.x) / this.pixels.y;
    this.camera.left = -0.5 * this.width;
    this.camera.right = 0.5 * this.width;
    this.camera.top = 0.5 * this.height;
    this.camera.bottom = -0.5 * this.height;
    this.camera.position.x = this.center.x;
    this.camera.position.y = this.center.y;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    this.changed();
  }

  /** Keeps the place under the pointer where it is. */
  zoom(factor: number, clientX: number, clientY: number): void {
    const at = this.paneAt(clientX, clientY);
    const x = (at.x - 0.5 * this.pixels.x) * this.metresPerPixel();
    const y = (0.5 * this.pixels.y - at.y) * this.metresPerPixel();
    const height = Math.min(Math.max(this.height * factor, 1e-7), 1e7);
    const real = height / this.height;
    this.fitted = false;
    this.center.x += x * (1 - real);
    this.center.y += y * (1 - real);
    this.height = height;
    this.update();
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    this.zoom(Math.exp(Math.min(Math.max(event.deltaY * lines, -300), 300) * 0.0018), event.clientX, event.clientY);
  }

  private down(event: PointerEvent): void {
    this.element.setPointerCapture(event.pointerId);
    this.touches.set(event.pointerId, new Vector2(event.clientX, event.clientY));
  }

  private move(event: PointerEvent): void {
    const before = this.touches.get(event.pointerId);
    if (!before) return;
    const now = new Vector2(event.clientX, event.clientY);
    if (this.touches.size === 1) this.pan(now.x - before.x, now.y - before.y);
    else {
      const other = [...this.touches].find(([id]) => id !== event.pointerId)![1];
      const spread = other.distanceTo(before) / Math.max(other.distanceTo(now), 1);
      this.pan(0.5 * (now.x - before.x), 0.5 * (now.y - before.y));
      this.zoom(spread, 0.5 * (now.x + other.x), 0.5 * (now.y + other.y));
    }
    this.touches.set(event.pointerId, now);
  }

  private up(event: PointerEvent): void {
    this.touches.delete(event.pointerId);
  }

  private pan(dx: number, dy: number): void {
    this.fitted = false;
    this.center.x -= dx * this.metresPerPixel();
    this.center.y += dy * this.metresPerPixel();
    this.update();
  }
}

export class SpaceCamera implements CameraControl {
  readonly dim = 3;
  readonly camera = new PerspectiveCamera(32, 1, 1e-3, 1e3);
  private readonly orbit: OrbitControls;
  private readonly pixels = new Vector2(1, 1);
  private readonly reach: number;
  private fitted = false; // as in the plane

  constructor(
    element: HTMLElement,
    private readonly target: Target,
    changed: () => void,
  ) {
    this.camera.up.set(0, 0, 1);
    this.reach = 0.5 * Math.max(Math.hypot(...target.size), 1e-9);
    this.orbit = new OrbitControls(this.camera, element);
    this.orbit.zoomToCursor = true;
    this.orbit.addEventListener("change", () => {
      this.updateRange();
      changed();
    });
    this.orbit.addEventListener("start", () => (this.fitted = false));
    element.addEventListener("dblclick", () => this.fit());
  }

  resize(width: number, height: number): void {
    this.pixels.set(Math.max(width, 1), Math.max(height, 1));
    this.camera.aspect = this.pixels.x / this.pixels.y;
    this.camera.updateProjectionMatrix();
    if (this.fitted) this.fit();
  }

  fit(): void {
    const { height, azimuth, elevation } = this.target;
    const aspect = Math.max(this.camera.aspect, 0.1);
    this.lookFrom(azimuth, elevation, height !== null ? authorHeight(this.target, height, aspect) / (2 * this.halfTangent()) : null);
    this.fitted = true;
  }

  /** From a direction, at a distance; null: so that all is to be seen. */
  lookFrom(azimuth: number, elevation: number, distance: number | null, center = new Vector3(...this.target.center)): void {
    this.fitted = false;
    // Straight from above one would not know which way is up.
    const steep = Math.min(Math.max(elevation, -0.4999 * Math.PI), 0.4999 * Math.PI);
    const back = new Vector3(Math.cos(steep) * Math.cos(azimuth), Math.cos(steep) * Math.sin(azimuth), Math.sin(steep));
    this.camera.position.copy(center).addScaledVector(back, distance ?? Math.max(1.08 * this.distanceFor(azimuth, back), 1e-9));
    this.orbit.target.copy(center);
    this.updateRange();
    this.orbit.update();
  }

  state(): number[] {
    const back = this.camera.position.clone().sub(this.orbit.target);
    const degree = 180 / Math.PI;
    const level = Math.hypot(back.x, back.y);
    return [...this.orbit.target.toArray(), Math.atan2(back.y, back.x) * degree, Math.atan2(back.z, level) * degree, back.length()];
  }
  restore(state: number[]): void {
    const [x, y, z, azimuth, elevation, distance] = state;
    if (state.length !== 6 || !(distance! > 0)) return;
    this.lookFrom((azimuth! * Math.PI) / 180, (elevation! * Math.PI) / 180, distance!, new Vector3(x, y, z));
  }

  private halfTangent(): number {
    return Math.tan(0.5 * ((this.camera.fov * Math.PI) / 180));
  }

  /** The least from which every corner of the box is in the picture (src/render/view.c). */
  private distanceFor(azimuth: number, back: Vector3): number {
    const right = new Vector3(-Math.sin(azimuth), Math.cos(azimuth), 0);
    const up = new Vector3().crossVectors(back, right);
    const [w, d, h] = this.target.size;
    let distance = 0;
    for (let corner = 0; corner < 8; corner++) {
      const at = new Vector3(corner & 1 ? w : -w, corner & 2 ? d : -d, corner & 4 ? h : -h).multiplyScalar(0.5);
      const aside = Math.max(Math.abs(at.dot(up)), Math.abs(at.dot(right)) / Math.max(this.camera.aspect, 0.1));
      distance = Math.max(distance, at.dot(back) + aside / this.halfTangent());
    }
    return distance;
  }

  private updateRange(): void {
    const distance = this.camera.position.distanceTo(this.orbit.target);
    this.camera.near = Math.max(distance * 1e-3, distance - 20 * this.reach);
    this.camera.far = distance + 20 * this.reach;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  pixelFactor(): number {
    return (2 * Math.tan(0.5 * ((this.camera.fov * Math.PI) / 180))) / this.pixels.y;
  }
  metresPerPixel(): number {
    return this.pixelFactor() * this.camera.position.distanceTo(this.orbit.target);
  }
  seen(into: Vector4): void {
    into.set(this.orbit.target.x, this.orbit.target.y, 2 * this.reach, 2 * this.reach);
  }
}
