/** Rigid bodies and obstacles: disks, hollow disks, half-planes and filled outlines.
 *
 * Matter that does not move by itself is hatched, as in a drawing. In the plane each shape but an outline is a square whose shader
 * decides per pixel; in space disks are balls, with octants in two colours so that one sees them roll and spin, and half-planes are
 * grounds (view/ground.ts). */
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
  ShapeUtils,
  Vector2,
} from "three";
import { Kind, type Item, type Topology } from "../data/frame";
import { Ground } from "./ground";
import { LIGHT_GLSL, POINTS_GLSL, SHADOW_GLSL, type Shared } from "./shared";

/** How far from its edge the inside of a half-plane or the outside of a hollow disk is hatched, in CSS pixels. */
const HATCH_DEPTH = 42;

const PLANE_VERTEX = /* glsl */ `
${POINTS_GLSL}
in vec2 square;      /* -1 to 1 */
in vec4 shape;       /* point, second point, kind, obstacle */
uniform vec4 seen;   /* centre and half the size of what is seen: half-planes have no end */
flat out vec4 vShape;
flat out vec3 vColour;
flat out vec2 vTurn;
flat out float vPixel;
out vec2 vLocal;     /* metres; from the centre, or along and below the edge */
flat out float vRadius;
void main() {
  vec4 centre = pointAt(shape.x), second = pointAt(shape.y);
  vec2 place;
  vShape = shape;
  vPixel = pixel;
  vRadius = centre.w;
  vColour = shape.w > 0.5 ? matter : mix(rigid, colourAt(shape.x), tinted);
  vTurn = shape.y == shape.x ? vec2(0.0) : normalize(second.xy - centre.xy + vec2(1e-30, 0.0));
  if (shape.z < 3.5 && shape.z > 2.5) {
    vec2 normal = normalize(second.xy - centre.xy), along = vec2(normal.y, -normal.x);
    float reach = length(seen.zw) + length(seen.xy - centre.xy);
    vLocal = vec2(square.x * reach, (0.5 * square.y - 0.5) * 2.0 * reach + pixel);
    place = centre.xy + along * vLocal.x + normal * vLocal.y;
  } else {
    float reach = centre.w + (shape.z > 3.5 ? ${HATCH_DEPTH.toFixed(1)} : 1.5) * pixel;
    vLocal = square * reach;
    place = centre.xy + vLocal;
  }
  gl_Position = projectionMatrix * viewMatrix * vec4(place, 0.0, 1.0);
}
`;

const PLANE_FRAGMENT = /* glsl */ `
flat in vec4 vShape;
flat in vec3 vColour;
flat in vec2 vTurn;
flat in float vPixel;
flat in float vRadius;
in vec2 vLocal;
uniform vec3 ink, paper, matter;
uniform float density;
float hatch() {
  float across = (gl_FragCoord.x + gl_FragCoord.y) / (density * 7.0);
  float off = abs(fract(across) - 0.5) * 7.0 * 0.7071;
  return 1.0 - smoothstep(0.35, 1.0, off);
}
void main() {
  /* depth: pixels below the surface, positive in matter */
  float depth, fade = 1.0;
  bool endless = vShape.z > 2.5;
  if (vShape.z > 3.5) depth = (length(vLocal) - vRadius) / vPixel;
  else if (endless) depth = -vLocal.y / vPixel;
  else depth = (vRadius - length(vLocal)) / vPixel;
  float cover = smoothstep(-0.6, 0.6, depth);
  if (endless) fade = 1.0 - smoothstep(0.0, ${HATCH_DEPTH.toFixed(1)}, depth);
  float edge = 1.0 - smoothstep(0.9, 1.9, depth);
  vec3 colour = vColour;
  float alpha = 1.0;
  if (vShape.w > 0.5) {
    float lines = hatch() * fade;
    colour = mix(matter, mix(matter, ink, 0.55), lines);
    alpha = endless ? max(max(lines * 0.9, edge), 0.55 * fade) : 1.0;
  } else {
    float along = dot(vLocal, vTurn), side = abs(dot(vLocal, vec2(-vTurn.y, vTurn.x))) / vPixel;
    float spoke = along > 0.0 ? 1.0 - smoothstep(0.5, 1.3, side) : 0.0;
    colour = mix(colour, ink, spoke * 0.7);
  }
  colour = mix(colour, ink, edge);
  gl_FragColor = vec4(colour, cover * alpha);
}
`;

const BALL_VERTEX = /* glsl */ `
${POINTS_GLSL}
in vec4 shape;
in float third;      /* the point that shows the turning about the second */
out vec3 vColour;
out vec3 vOther;
out vec3 vNormal;
out vec3 vPlace;
out vec3 vOwn;       /* outward, in the axes of the ball */
void main() {
  vec4 centre = pointAt(shape.x);
  vColour = shape.w > 0.5 ? mix(matter, ink, 0.1) : mix(rigid, colourAt(shape.x), tinted);
  vOther = shape.w > 0.5 ? mix(vColour, ink, 0.12) : mix(vColour, paper, 0.5);
  vec3 a = pointAt(shape.y).xyz - centre.xyz, b = pointAt(third).xyz - centre.xyz, c = cross(a, b);
  bool turns = length(c) > 1e-6 * dot(a, a) && third != shape.y;
  vOwn = turns ? vec3(dot(normalize(a), position), dot(normalize(b), position), dot(normalize(c), position)) : vec3(1.0);
  if (!turns) vOther = vColour;
  vNormal = (viewMatrix * vec4(position, 0.0)).xyz;
  vPlace = centre.xyz + centre.w * position;
  gl_Position = projectionMatrix * viewMatrix * vec4(vPlace, 1.0);
}
`;

const BALL_FRAGMENT = /* glsl */ `
in vec3 vColour;
in vec3 vOther;
in vec3 vNormal;
in vec3 vPlace;
in vec3 vOwn;
${LIGHT_GLSL}
${SHADOW_GLSL}
void main() {
  vec3 n = normalize(vNormal), soft = max(fwidth(vOwn), vec3(1e-4));
  vec3 sides = clamp(vOwn / soft, -1.0, 1.0);
  vec3 colour = mix(vColour, vOther, 0.5 + 0.5 * sides.x * sides.y * sides.z);
  gl_FragColor = vec4(shadowed(lit(colour, n), vPlace, n), 1.0);
}
`;

const FILL_VERTEX = /* glsl */ `
${POINTS_GLSL}
in vec2 place; /* point, obstacle */
out vec3 vColour;
out vec3 vNormal;
flat out float vHatched;
void main() {
  vHatched = place.y;
  vColour = place.y > 0.5 ? matter : mix(rigid, colourAt(place.x), tinted);
  vNormal = vec3(0.0, 0.0, 1.0);
  gl_Position = projectionMatrix * viewMatrix * vec4(pointAt(place.x).xyz, 1.0);
}
`;

const FILL_FRAGMENT = /* glsl */ `
in vec3 vColour;
flat in float vHatched;
uniform vec3 ink;
uniform float density;
void main() {
  float across = (gl_FragCoord.x + gl_FragCoord.y) / (density * 7.0);
  float line = 1.0 - smoothstep(0.35, 1.0, abs(fract(across) - 0.5) * 7.0 * 0.7071);
  gl_FragColor = vec4(mix(vColour, mix(vColour, ink, 0.55), vHatched * line), 1.0);
}
`;

const SQUARE = new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]);

export class Solids {
  readonly group = new Group();
  private readonly planeMaterial: ShaderMaterial;
  private readonly ballMaterial: ShaderMaterial;
  /** In space. */
  readonly ground: Ground;
  private readonly fillMaterial: ShaderMaterial;

  constructor(
    shared: Shared,
    private readonly dim: number,
  ) {
    const flat = { uniforms: shared, transparent: true, depthTest: false, depthWrite: false, side: DoubleSide };
    this.planeMaterial = new ShaderMaterial({ ...flat, vertexShader: PLANE_VERTEX, fragmentShader: PLANE_FRAGMENT });
    this.fillMaterial = new ShaderMaterial({ ...flat, vertexShader: FILL_VERTEX, fragmentShader: FILL_FRAGMENT });
    this.ballMaterial = new ShaderMaterial({ uniforms: shared, vertexShader: BALL_VERTEX, fragmentShader: BALL_FRAGMENT });
    this.ground = new Ground(shared);
  }

  rebuild(topology: Topology, points: Float32Array): void {
    for (const child of [...this.group.children]) {
      this.group.remove(child);
      (child as Mesh).geometry.dispose();
    }
    const items = topology.items.filter((item) => item.count > 0);
    // Obstacles first: bodies lie on them.
    items.sort((a, b) => Number(b.obstacle) - Number(a.obstacle));
    this.addOutlines(items, points);
    const of = (...kinds: Kind[]) => items.filter((item) => kinds.includes(item.kind));
    if (this.dim === 2) this.addSquares(of(Kind.Disk, Kind.HollowDisk, Kind.HalfPlane), this.planeMaterial);
    else {
      this.addBalls(of(Kind.Disk));
      this.ground.rebuild(of(Kind.HalfPlane));
    }
  }

  private addSquares(items: Item[], material: ShaderMaterial): void {
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("square", new BufferAttribute(SQUARE, 2));
    geometry.setIndex([0, 1, 2, 2, 1, 3]);
    this.add(geometry, items, material);
  }

  private addBalls(items: Item[]): void {
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("position", new IcosahedronGeometry(1, items.length < 100 ? 12 : 3).getAttribute("position"));
    const third = items.map((item) => item.first + Math.min(2, item.count - 1));
    geometry.setAttribute("third", new InstancedBufferAttribute(new Float32Array(third), 1));
    this.add(geometry, items, this.ballMaterial);
  }

  private add(geometry: InstancedBufferGeometry, items: Item[], material: ShaderMaterial): void {
    if (items.length === 0) return;
    const shape = items.flatMap((item) => [item.first, item.first + Math.min(1, item.count - 1), item.kind, Number(item.obstacle)]);
    geometry.setAttribute("shape", new InstancedBufferAttribute(new Float32Array(shape), 4));
    geometry.instanceCount = items.length;
    this.place(new Mesh(geometry, material), 10);
  }

  /** Triangles of an outline stay good while it moves as a rigid body does. */
  private addOutlines(items: Item[], points: Float32Array): void {
    const place: number[] = [];
    for (const item of items) {
      if (item.kind !== Kind.Outline || item.count < 3) continue;
      const corner = Array.from({ length: item.count }, (_, k) => {
        const at = 4 * (item.first + k);
        return new Vector2(points[at], points[at + 1]);
      });
      for (const triangle of ShapeUtils.triangulateShape(corner, []))
        for (const k of triangle) place.push(item.first + k, Number(item.obstacle));
    }
    if (place.length === 0) return;
    const geometry = new BufferGeometry();
    geometry.setAttribute("place", new BufferAttribute(new Float32Array(place), 2));
    geometry.setIndex([...Array(place.length / 2).keys()]);
    this.place(new Mesh(geometry, this.fillMaterial), 9);
  }

  private place(mesh: Mesh, order: number): void {
    mesh.frustumCulled = false;
    mesh.renderOrder = order;
    this.group.add(mesh);
  }
}
