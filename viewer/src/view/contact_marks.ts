/** Contacts as dots and their forces as arrows, both of a size in pixels whatever the zoom; and the friction cone of one. */
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
  type IUniform,
} from "three";
import { Case, type Contacts } from "../data/frame";
import { forceOf } from "../data/derived";
import { CASE_COLOURS } from "../colour/palettes";
import { POINTS_GLSL, type Shared } from "./shared";

/** Marks are a few pixels nearer than what they mark, which would cover them. */
const LIFT_GLSL = /* glsl */ `
vec3 lifted(vec3 place) {
  return perspective > 0.5 ? place + normalize(cameraPosition - place) * 6.0 * pixelAt(place) : place;
}
`;

const caseGlsl = (): string => {
  const vec = (kind: Case) => `vec3(${CASE_COLOURS[kind].map((c) => (c / 255).toFixed(4)).join(", ")})`;
  return `vec3 caseColour(float kind) {
    if (kind < 0.5) return ${vec(Case.TakesOff)};
    if (kind < 1.5) return ${vec(Case.Sticks)};
    return kind < 2.5 ? ${vec(Case.Slides)} : ${vec(Case.Held)};
  }`;
};

const DOT_VERTEX = /* glsl */ `
${POINTS_GLSL}
${LIFT_GLSL}
${caseGlsl()}
in vec2 square;
in vec3 centre;
in float kind;
in float index;
uniform float chosen;
out vec2 vSquare;
flat out vec3 vColour;
flat out float vSize;
void main() {
  vSize = abs(index - chosen) < 0.5 ? 7.5 : kind < 0.5 ? 3.0 : 4.5;
  vSquare = square * (vSize + 1.0);
  vColour = caseColour(kind);
  vec4 clip = projectionMatrix * viewMatrix * vec4(lifted(centre), 1.0);
  clip.xy += vSquare * density * 2.0 / viewport * clip.w;
  gl_Position = clip;
}
`;

const DOT_FRAGMENT = /* glsl */ `
in vec2 vSquare;
flat in vec3 vColour;
flat in float vSize;
uniform vec3 paper;
void main() {
  float from = length(vSquare);
  float cover = 1.0 - smoothstep(vSize - 0.5, vSize + 0.5, from);
  if (cover <= 0.0) discard;
  gl_FragColor = vec4(mix(vColour, paper, smoothstep(vSize - 2.0, vSize - 1.0, from)), cover);
}
`;

/** Shaft and head in one: x along (0 start, 1 neck, 2 tip), y across. */
const ARROW_VERTEX = /* glsl */ `
${POINTS_GLSL}
${LIFT_GLSL}
${caseGlsl()}
in vec2 arrow;
in vec3 centre;
in vec3 force;
in float kind;
uniform float scale;
uniform float longest;
out vec3 vColour;
void main() {
  vColour = caseColour(kind);
  vec3 shaft = scale * force;
  shaft *= min(1.0, longest / max(length(shaft), 1e-30));
  vec4 a = projectionMatrix * viewMatrix * vec4(lifted(centre), 1.0);
  vec4 b = projectionMatrix * viewMatrix * vec4(lifted(centre + shaft), 1.0);
  vec2 from = a.xy / a.w, to = b.xy / b.w;
  vec2 along = (to - from) * viewport / (2.0 * density);
  float length_ = length(along);
  if (length_ < 1.5 || a.w <= 0.0 || b.w <= 0.0) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  vec2 d = along / length_, n = vec2(-d.y, d.x);
  float head = min(9.0, 0.6 * length_);
  float x = arrow.x < 0.5 ? 0.0 : arrow.x < 1.5 ? length_ - head : length_;
  vec2 place = d * x + n * arrow.y * min(1.0, length_ / 14.0);
  vec2 ndc = from + place * density * 2.0 / viewport;
  float depth = mix(a.z / a.w, b.z / b.w, x / length_);
  gl_Position = vec4(ndc, depth, 1.0);
}
`;

const ARROW_FRAGMENT = /* glsl */ `
in vec3 vColour;
void main() { gl_FragColor = vec4(vColour, 1.0); }
`;

const CONE_VERTEX = /* glsl */ `
void main() { gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0); }
`;

const CONE_FRAGMENT = /* glsl */ `
uniform vec3 tint;
uniform float strength;
void main() { gl_FragColor = vec4(tint, strength); }
`;

function dotShape(): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("square", new BufferAttribute(new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), 2));
  geometry.setIndex([0, 1, 2, 2, 1, 3]);
  return geometry;
}

function arrowShape(): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry();
  const width = 1.1;
  const wing = 4.2;
  const corner = [0, -width, 0, width, 1, -width, 1, width, 1, -wing, 1, wing, 2, 0];
  geometry.setAttribute("arrow", new BufferAttribute(new Float32Array(corner), 2));
  geometry.setIndex([0, 2, 1, 1, 2, 3, 4, 6, 5]);
  return geometry;
}

const FIELDS = { centre: 3, force: 3, kind: 1, index: 1 } as const;
type Field = keyof typeof FIELDS;

/** Numbers of the contacts that press or are held. Open ones, near and without force, would only hide them. */
export function touchingOnly(contacts: Contacts): number[] {
  const out: number[] = [];
  for (let i = 0; i < contacts.count; i++) if (contacts.kind[i] !== Case.TakesOff || forceOf(contacts, i) > 0) out.push(i);
  return out;
}

export class ContactMarks {
  readonly group = new Group();
  private readonly dots: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private readonly arrows: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private readonly cone: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly chosen: IUniform<number> = { value: -1 };
  private readonly scale: IUniform<number> = { value: 1 };
  private readonly longest: IUniform<number> = { value: 1 };
  private room = 0;

  constructor(
    shared: Shared,
    private readonly dim: number,
  ) {
    const own = { chosen: this.chosen, scale: this.scale, longest: this.longest };
    const flat = { transparent: true, depthWrite: false, depthTest: dim === 3, side: DoubleSide };
    const material = (vertexShader: string, fragmentShader: string) =>
      new ShaderMaterial({ ...flat, uniforms: { ...shared, ...own }, vertexShader, fragmentShader });
    this.dots = new Mesh(dotShape(), material(DOT_VERTEX, DOT_FRAGMENT));
    this.arrows = new Mesh(arrowShape(), material(ARROW_VERTEX, ARROW_FRAGMENT));
    this.cone = new Mesh(
      new BufferGeometry(),
      new ShaderMaterial({
        ...flat,
        uniforms: { tint: shared.ink, strength: { value: dim === 2 ? 0.22 : 0.14 } },
        vertexShader: CONE_VERTEX,
        fragmentShader: CONE_FRAGMENT,
      }),
    );
    this.cone.visible = false;
    [this.cone, this.arrows, this.dots].forEach((mesh, k) => {
      mesh.frustumCulled = false;
      mesh.renderOrder = 30 + k;
      this.group.add(mesh);
    });
  }

  /** Metres per newton; no arrow is longer than `longest` metres: an impact would hide the picture. */
  setArrowScale(scale: number, longest: number): void {
    this.scale.value = scale;
    this.longest.value = longest;
  }

  get anyShown(): boolean {
    return this.dots.visible || this.arrows.visible;
  }

  set dotsShown(on: boolean) {
    this.dots.visible = on;
  }

  /** Metres per newton. */
  get arrowScale(): number {
    return this.scale.value;
  }

  set arrowsShown(on: boolean) {
    this.arrows.visible = on;
  }

  show(contacts: Contacts): void {
    const touching = touchingOnly(contacts);
    const n = touching.length;
    if (n > this.room || this.room === 0) this.makeRoom(Math.max(64, Math.ceil(1.5 * n)));
    const triples = (from: Float32Array) => {
      const out = new Float32Array(3 * n);
      touching.forEach((i, k) => out.set(from.subarray(3 * i, 3 * i + 3), 3 * k));
      return out;
    };
    this.fill("centre", triples(contacts.position));
    this.fill("force", triples(contacts.force));
    this.fill("kind", Uint8Array.from(touching, (i) => contacts.kind[i]!));
    this.fill("index", Float32Array.from(touching));
    this.dots.geometry.instanceCount = this.arrows.geometry.instanceCount = n;
    this.choose(null, -1);
  }

  private makeRoom(room: number): void {
    this.room = room;
    // The old buffers are let go with their geometry; the shapes themselves are small.
    for (const [mesh, shape] of [
      [this.dots, dotShape()],
      [this.arrows, arrowShape()],
    ] as const) {
      mesh.geometry.dispose();
      mesh.geometry = shape;
    }
    for (const field of Object.keys(FIELDS) as Field[]) {
      const attribute = new InstancedBufferAttribute(new Float32Array(room * FIELDS[field]), FIELDS[field]);
      attribute.setUsage(DynamicDrawUsage);
      this.dots.geometry.setAttribute(field, attribute);
      this.arrows.geometry.setAttribute(field, attribute);
    }
  }

  private fill(field: Field, from: Float32Array | Uint8Array): void {
    const attribute = this.dots.geometry.getAttribute(field) as InstancedBufferAttribute;
    (attribute.array as Float32Array).set(from);
    attribute.clearUpdateRanges();
    attribute.addUpdateRange(0, from.length);
    attribute.needsUpdate = true;
  }

  /** Shows the friction cone of a contact, at least `least` metres high; -1: none. How far it reaches to the side, in metres. */
  choose(contacts: Contacts | null, index: number, least = 0): number {
    this.chosen.value = index;
    this.cone.visible = contacts !== null && index >= 0;
    if (!contacts || index < 0) return 0;
    const height = Math.max(least, 1.25 * Math.min(this.longest.value, this.scale.value * forceOf(contacts, index)));
    const at = (array: Float32Array) => [array[3 * index]!, array[3 * index + 1]!, array[3 * index + 2]!] as const;
    this.cone.geometry.dispose();
    this.cone.geometry = coneShape(at(contacts.position), at(contacts.normal), height, contacts.mu[index]!, this.dim);
    return contacts.mu[index]! * height;
  }
}

type Triple = readonly [number, number, number];

/** { x : |x_T| <= mu x_N } up to a height: a wedge in the plane, a cone in space. */
function coneShape(apex: Triple, normal: Triple, height: number, mu: number, dim: number): BufferGeometry {
  const [nx, ny, nz] = normal;
  const u: Triple =
    dim === 2 ? [-ny, nx, 0] : Math.abs(nx) < 0.9 ? unit([0, nz, -ny]) : unit([-nz, 0, nx]);
  const v: Triple = [ny * u[2] - nz * u[1], nz * u[0] - nx * u[2], nx * u[1] - ny * u[0]];
  const rim = (angle: number): number[] =>
    [0, 1, 2].map((k) => apex[k]! + height * (normal[k]! + mu * (Math.cos(angle) * u[k]! + Math.sin(angle) * v[k]!)));
  const sides = dim === 2 ? 1 : 48;
  const position: number[] = [...apex];
  for (let k = 0; k <= sides; k++) position.push(...rim(dim === 2 ? Math.PI * k : (2 * Math.PI * k) / sides));
  const index: number[] = [];
  for (let k = 1; k <= sides; k++) index.push(0, k, k + 1);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
  geometry.setIndex(index);
  return geometry;
}

function unit(v: Triple): Triple {
  const length = Math.hypot(...v) || 1;
  return [v[0] / length, v[1] / length, v[2] / length];
}
