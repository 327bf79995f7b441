/** Planes in space: a round patch of each around what is to be seen, ruled in squares, that fades away and on which shadows fall. */
import {
  BufferAttribute,
  DoubleSide,
  Group,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
  Vector3,
  type IUniform,
} from "three";
import type { Item } from "../data/frame";
import { RULED_GLSL } from "./grid";
import { POINTS_GLSL, SHADOW_GLSL, type Shared } from "./shared";

const VERTEX = /* glsl */ `
${POINTS_GLSL}
in vec2 square;
in vec2 shape;       /* a point of the plane, and point + normal */
uniform vec3 middle;
uniform float reach;
out vec3 vPlace;
out vec2 vRuled;
out vec2 vFrom;
flat out vec3 vUp;
void main() {
  vec3 point = pointAt(shape.x).xyz, normal = normalize(pointAt(shape.y).xyz - point);
  vec3 axis = abs(normal.x) < 0.9 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
  vec3 u = normalize(axis - normal * dot(axis, normal)), v = cross(normal, u);
  vec3 centre = middle - normal * dot(normal, middle - point);
  vPlace = centre + reach * (square.x * u + square.y * v);
  vRuled = vec2(dot(vPlace, u), dot(vPlace, v));
  vFrom = square;
  vUp = normal;
  gl_Position = projectionMatrix * viewMatrix * vec4(vPlace, 1.0);
}
`;

const FRAGMENT = /* glsl */ `
in vec3 vPlace;
in vec2 vRuled;
in vec2 vFrom;
flat in vec3 vUp;
uniform vec3 paper, ink, matter;
uniform float spacing;
${RULED_GLSL}
${SHADOW_GLSL}
void main() {
  vec3 n = (viewMatrix * vec4(vUp, 0.0)).xyz;
  bool front = dot(cameraPosition - vPlace, vUp) > 0.0;
  float cover = (1.0 - smoothstep(0.45, 1.0, length(vFrom))) * (front ? 1.0 : 0.12);
  if (cover < 0.004) discard;
  float drawn = min(1.0, 1.2 * max(0.11 * ruled(vRuled / (5.0 * spacing), 0.7), 0.05 * ruled(vRuled / spacing, 0.5)));
  vec3 colour = mix(mix(paper, matter, 0.6), ink, drawn);
  gl_FragColor = vec4(front ? shadowed(colour, vPlace, n) : colour, cover);
}
`;

export class Ground {
  readonly group = new Group();
  private readonly material: ShaderMaterial;
  private readonly middle: IUniform<Vector3> = { value: new Vector3() };
  private readonly reach: IUniform<number> = { value: 1 };
  private readonly spacing: IUniform<number> = { value: 1 };

  constructor(shared: Shared) {
    this.material = new ShaderMaterial({
      uniforms: { ...shared, middle: this.middle, reach: this.reach, spacing: this.spacing },
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    });
  }

  get any(): boolean {
    return this.group.children.length > 0;
  }

  rebuild(items: Item[]): void {
    for (const child of [...this.group.children]) {
      this.group.remove(child);
      (child as Mesh).geometry.dispose();
    }
    if (items.length === 0) return;
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("square", new BufferAttribute(new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), 2));
    geometry.setIndex([0, 1, 2, 2, 1, 3]);
    const shape = items.flatMap((item) => [item.first, item.first + Math.min(1, item.count - 1)]);
    geometry.setAttribute("shape", new InstancedBufferAttribute(new Float32Array(shape), 2));
    geometry.instanceCount = items.length;
    const mesh = new Mesh(geometry, this.material);
    mesh.frustumCulled = false;
    mesh.renderOrder = 5;
    this.group.add(mesh);
  }

  update(middle: readonly [number, number, number], reach: number, spacing: number): void {
    this.middle.value.set(...middle);
    this.reach.value = reach;
    this.spacing.value = spacing;
  }
}
