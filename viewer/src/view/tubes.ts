/** Curves and outlines with their true radius: one instance per segment between two points, one per rounded end.
 *
 * A ring around a point lies in the plane that halves the angle between its two segments, so that neighbours meet. In the plane a
 * tube is a ribbon. Many tubes in space are ribbons too, turned to the eye and shaded as if they were round: a sixth of the work, and
 * thin fibers look the same. Thin ones are drawn two pixels wide, or nobody would see them.
 *
 * In space a rim, a ribbon through the middle of the tube and a little wider, lies over what passes below and is hidden by what
 * passes above: one sees which strand of a knot is which. Directors draw a stripe along a fiber, which shows how it is twisted. */
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  IcosahedronGeometry,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
} from "three";
import type { Item, Topology } from "../data/frame";
import { Kind } from "../data/frame";
import { hairItems } from "./hair";
import { LIGHT_GLSL, POINTS_GLSL, SHADOW_GLSL, type Shared } from "./shared";

export enum Look {
  /** Colour of its points. */
  Coloured = 0,
  Obstacle = 1,
  /** Edge of a rigid body or of a solid obstacle. */
  Edge = 2,
}

const LOOK_GLSL = /* glsl */ `
vec3 lookOf(float look, float index) {
  if (look < 0.5) return colourAt(index);
  return look < 1.5 ? mix(matter, ink, 0.35) : ink;
}
float drawnRadius(vec4 point, float look) {
  float least = look > 1.5 ? 0.75 : 1.0;
  return max(point.w, least * pixelAt(point.xyz));
}
`;

const SEGMENT_VERTEX = /* glsl */ `
${POINTS_GLSL}
${LOOK_GLSL}
in vec3 corner;      /* around (cosine, sine), and which end */
in vec4 segment;     /* points: before, start, end, after */
in float look;
out vec3 vColour;
out vec3 vNormal;
out vec3 vToEye;
out float vAcross;
out vec3 vPlace;
out vec3 vDirector;
out float vPixel;    /* of the screen, in radii */

vec3 directionOr(vec3 d, vec3 otherwise) {
  float l = length(d);
  return l > 1e-12 ? d / l : otherwise;
}
void main() {
  vec4 a = pointAt(segment.y), b = pointAt(segment.z);
  vec3 along = directionOr(b.xyz - a.xyz, vec3(1.0, 0.0, 0.0));
  bool start = corner.z < 0.5;
  vec3 other = start ? directionOr(a.xyz - pointAt(segment.x).xyz, along) : directionOr(pointAt(segment.w).xyz - b.xyz, along);
  vec3 tangent = directionOr(along + other, along);
#ifdef RIM
  vec4 mine = start ? a : b;
  float wide = RIM_WIDTH * pixelAt(mine.xyz);
  /* What is thin has no rim: it would be all rim. */
  bool rimmed = mine.w >= RIM_LEAST * pixelAt(mine.xyz);
#endif
  vec3 aside = abs(along.z) < 0.95 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0);
#ifdef RIM
  /* Square to the tangent there, which both neighbours share: the ribbon has no gaps. */
  vec3 eye = normalize(cameraPosition - (start ? a : b).xyz);
  vec3 across = cross(eye, tangent);
  vec3 u = normalize(length(across) > 1e-4 ? across : cross(aside, tangent)), v = cross(tangent, u);
#elif defined(FACING)
  vec3 eye = normalize(cameraPosition - a.xyz);
  vec3 across = cross(eye, along);
  vec3 u = normalize(length(across) > 1e-4 ? across : cross(aside, along)), v = cross(along, u);
#else
  vec3 u = normalize(cross(aside, along)), v = cross(along, u);
#endif
  vec3 outward = corner.x * u + corner.y * v;
  vec3 onRing = outward - along * (dot(outward, tangent) / max(dot(along, tangent), 0.35));
  vec4 centre = start ? a : b;
  float index = start ? segment.y : segment.z;
  vColour = lookOf(look, index);
  float radius = drawnRadius(centre, look);
#ifdef RIM
  /* Tubes that are ribbons themselves are to hide the middle of the rim. */
  centre.xyz -= RIM_BEHIND * radius * eye;
  radius = rimmed ? radius + wide : 0.0;
  vColour *= RIM_LIGHT;
  onRing = outward;
#endif
  vPlace = centre.xyz + radius * onRing;
  vDirector = (viewMatrix * vec4(directorAt(index), 0.0)).xyz;
  vPixel = pixelAt(centre.xyz) / max(radius, 1e-30);
  gl_Position = projectionMatrix * viewMatrix * vec4(vPlace, 1.0);
  vNormal = (viewMatrix * vec4(outward, 0.0)).xyz;
  vAcross = corner.x;
#ifdef FACING
  vToEye = (viewMatrix * vec4(eye - along * dot(eye, along), 0.0)).xyz;
#else
  vToEye = vec3(0.0);
#endif
}
`;

const END_VERTEX = /* glsl */ `
${POINTS_GLSL}
${LOOK_GLSL}
in float place;
in float look;
out vec3 vColour;
out vec3 vNormal;
out vec3 vToEye;
out float vAcross;
out vec3 vPlace;
out vec3 vDirector;
out float vPixel;
void main() {
  vec4 centre = pointAt(place);
  vColour = lookOf(look, place);
  vPlace = centre.xyz;
  vDirector = vec3(0.0);
  vPixel = 1.0;
  vAcross = 0.0;
  vToEye = vec3(0.0);
#ifdef FACING
  vec4 seenFrom = viewMatrix * vec4(centre.xyz, 1.0);
  float radius = drawnRadius(centre, look);
#ifdef RIM
  seenFrom.z -= RIM_BEHIND * radius;
  radius = centre.w >= RIM_LEAST * pixelAt(centre.xyz) ? radius + RIM_WIDTH * pixelAt(centre.xyz) : 0.0;
  vColour *= RIM_LIGHT;
#endif
  gl_Position = projectionMatrix * (seenFrom + vec4(radius * position.xy, 0.0, 0.0));
  vNormal = vec3(position.xy, 0.6);
#else
  vPlace = centre.xyz + drawnRadius(centre, look) * position;
  gl_Position = projectionMatrix * viewMatrix * vec4(vPlace, 1.0);
  vNormal = (viewMatrix * vec4(position, 0.0)).xyz;
  vDirector = (viewMatrix * vec4(directorAt(place), 0.0)).xyz;
  vPixel = pixelAt(centre.xyz) / max(centre.w, 1e-30);
#endif
}
`;

const FRAGMENT = /* glsl */ `
in vec3 vColour;
in vec3 vNormal;
in vec3 vToEye;
in float vAcross;
in vec3 vPlace;
in vec3 vDirector;
in float vPixel;
uniform vec3 stripe;
${LIGHT_GLSL}
#ifndef FLAT
${SHADOW_GLSL}
/* The line that the director draws on the surface. */
vec3 striped_(vec3 colour, vec3 n) {
  if (dot(vDirector, vDirector) < 0.05) return colour;
  float aside = acos(clamp(dot(normalize(vDirector), n), -1.0, 1.0));
  float soft = min(0.5 * vPixel, 0.25);
  float cover = (1.0 - smoothstep(0.42 - soft, 0.42 + soft, aside)) * (1.0 - smoothstep(0.3, 0.7, vPixel));
  cover *= smoothstep(0.05, 0.35, n.z); /* at the very side it would be a row of dots */
  return mix(colour, stripe, 0.62 * cover);
}
#endif
void main() {
#ifdef FLAT
  gl_FragColor = vec4(litRibbon(vColour, vNormal.xy), 1.0);
#elif defined(RIM)
  gl_FragColor = vec4(vColour, 1.0);
#else
  vec3 n = normalize(vNormal + vToEye * sqrt(max(0.0, 1.0 - vAcross * vAcross)));
  gl_FragColor = vec4(shadowed(lit(striped_(vColour, n), n), vPlace, n), 1.0);
#endif
}
`;

/** Corners of a segment: a ribbon, or a prism around it. */
function segmentShape(sides: number): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry();
  const corner: number[] = [];
  const index: number[] = [];
  if (sides === 0) {
    corner.push(-1, 0, 0, 1, 0, 0, -1, 0, 1, 1, 0, 1);
    index.push(0, 1, 2, 2, 1, 3);
  } else {
    for (let end = 0; end < 2; end++)
      for (let k = 0; k < sides; k++) {
        const angle = (2 * Math.PI * k) / sides;
        corner.push(Math.cos(angle), Math.sin(angle), end);
      }
    for (let k = 0; k < sides; k++) {
      const next = (k + 1) % sides;
      index.push(k, next, sides + k, sides + k, next, sides + next);
    }
  }
  geometry.setAttribute("corner", new BufferAttribute(new Float32Array(corner), 3));
  geometry.setIndex(index);
  return geometry;
}

/** A disc of so many sides, or a ball. */
function endShape(flat: boolean, sides: number): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry();
  const source: BufferGeometry = flat ? disc(sides) : new IcosahedronGeometry(1, sides > 20 ? 7 : 2);
  geometry.setAttribute("position", source.getAttribute("position"));
  if (source.index) geometry.setIndex(source.index);
  return geometry;
}

function disc(sides: number): BufferGeometry {
  const position = [0, 0, 0];
  const index: number[] = [];
  for (let k = 0; k < sides; k++) {
    const angle = (2 * Math.PI * k) / sides;
    position.push(Math.cos(angle), Math.sin(angle), 0);
    index.push(0, k + 1, ((k + 1) % sides) + 1);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
  geometry.setIndex(index);
  return geometry;
}

/** More segments in space than this are drawn as ribbons. */
const ROUND_SEGMENTS = 6000;
/** Corners around a tube. With few segments more: a capsule of a few centimetres under a cloth shows every side. */
const sidesFor = (segments: number) => (segments <= 600 ? 40 : 14);
/** CSS pixels that a rim is wider than its tube, and the radius from which on there is one; its lightness. */
const RIM_DEFINES = { RIM_WIDTH: "1.2", RIM_LEAST: "2.0", RIM_LIGHT: "0.3" };

function lookFor(item: Item): Look {
  if (item.kind === Kind.Outline) return Look.Edge;
  return item.obstacle ? Look.Obstacle : Look.Coloured;
}

export class Tubes {
  readonly group = new Group();
  /** They throw no shadow. */
  readonly rims = new Group();
  private segments: Mesh<InstancedBufferGeometry, ShaderMaterial> | null = null;
  private ends: Mesh<InstancedBufferGeometry, ShaderMaterial> | null = null;

  private readonly materials = new Map<string, ShaderMaterial>();

  constructor(
    private readonly shared: Shared,
    private readonly dim: number,
  ) {
    this.group.add(this.rims);
  }

  /** Made once each: to let one go is to let its compiled shader go. rim: radii behind the middle of the tube; "": no rim. */
  private material(vertexShader: string, facing: boolean, rim = ""): ShaderMaterial {
    const key = `${facing} ${rim} ${vertexShader}`;
    const known = this.materials.get(key);
    if (known) return known;
    const flat = this.dim === 2;
    const made = new ShaderMaterial({
      uniforms: this.shared,
      vertexShader,
      fragmentShader: FRAGMENT,
      side: DoubleSide,
      // Without depth the order of drawing decides, and all that is see-through is drawn after all that is not.
      transparent: flat,
      depthTest: !flat,
      depthWrite: !flat,
      defines: flat ? { FLAT: 1 } : { ...RIM_DEFINES, ...(facing ? { FACING: 1 } : {}), ...(rim ? { RIM: 1, RIM_BEHIND: rim } : {}) },
    });
    this.materials.set(key, made);
    return made;
  }

  rebuild(topology: Topology): void {
    const hair = new Set(hairItems(topology, this.dim));
    const drawn = topology.items.filter((item) => !hair.has(item) && (item.kind === Kind.Curve || item.kind === Kind.Outline) && item.count > 0);
    const loops = (item: Item) => (item.closed || item.kind === Kind.Outline) && item.count > 2;
    const total = drawn.reduce((sum, item) => sum + (loops(item) ? item.count : item.count - 1), 0);
    const segment = new Float32Array(4 * total);
    const look = new Float32Array(total);
    const ends: number[] = [];
    const endLooks: number[] = [];
    let at = 0;
    for (const item of drawn) {
      const { first, count } = item;
      const loop = loops(item);
      const place = (k: number) => first + (loop ? (k + count) % count : Math.min(Math.max(k, 0), count - 1));
      for (let k = 0; k < (loop ? count : count - 1); k++, at++) {
        segment.set([place(k - 1), place(k), place(k + 1), place(k + 2)], 4 * at);
        look[at] = lookFor(item);
      }
      const rounded = item.kind === Kind.Outline ? [...Array(count).keys()] : loop ? [] : [0, count - 1];
      for (const k of rounded) {
        ends.push(first + k);
        endLooks.push(lookFor(item));
      }
    }
    this.clear();
    if (total === 0 && ends.length === 0) return;
    const facing = this.dim === 3 && total > ROUND_SEGMENTS;
    const shape = segmentShape(this.dim === 2 || facing ? 0 : sidesFor(total));
    shape.setAttribute("segment", new InstancedBufferAttribute(segment, 4));
    shape.setAttribute("look", new InstancedBufferAttribute(look, 1));
    shape.instanceCount = total;
    const endGeometry = endShape(this.dim === 2 || facing, facing ? 8 : this.dim === 2 ? 20 : sidesFor(total));
    endGeometry.setAttribute("place", new InstancedBufferAttribute(new Float32Array(ends), 1));
    endGeometry.setAttribute("look", new InstancedBufferAttribute(new Float32Array(endLooks), 1));
    endGeometry.instanceCount = ends.length;
    this.segments = new Mesh(shape, this.material(SEGMENT_VERTEX, facing));
    this.ends = new Mesh(endGeometry, this.material(END_VERTEX, facing));
    for (const mesh of [this.ends, this.segments]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = mesh === this.ends ? 19 : 20; // of a rounded end only the half beyond the tube is to be seen
      this.group.add(mesh);
    }
    if (this.dim === 3) this.addRims(segment, look, ends, endLooks, facing ? "0.5" : "0.0");
  }

  /** Ribbons turned to the eye, whatever the tubes are. */
  private addRims(segment: Float32Array, look: Float32Array, ends: number[], endLooks: number[], behind: string): void {
    const shape = segmentShape(0);
    shape.setAttribute("segment", new InstancedBufferAttribute(segment, 4));
    shape.setAttribute("look", new InstancedBufferAttribute(look, 1));
    shape.instanceCount = look.length;
    const endGeometry = endShape(true, 40);
    endGeometry.setAttribute("place", new InstancedBufferAttribute(new Float32Array(ends), 1));
    endGeometry.setAttribute("look", new InstancedBufferAttribute(new Float32Array(endLooks), 1));
    endGeometry.instanceCount = ends.length;
    const made: [InstancedBufferGeometry, string][] = [[shape, SEGMENT_VERTEX], [endGeometry, END_VERTEX]];
    for (const [geometry, vertex] of made) {
      const mesh = new Mesh(geometry, this.material(vertex, true, behind));
      mesh.frustumCulled = false;
      mesh.renderOrder = 21;
      this.rims.add(mesh);
    }
  }

  private clear(): void {
    for (const mesh of [this.segments, this.ends]) {
      if (!mesh) continue;
      this.group.remove(mesh);
      mesh.geometry.dispose();
    }
    this.segments = this.ends = null;
    for (const mesh of [...this.rims.children]) {
      this.rims.remove(mesh);
      (mesh as Mesh).geometry.dispose();
    }
  }
}
