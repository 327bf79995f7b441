/** Triangle meshes, shaded on both sides, with or without their edges. Their triangles may be others in every frame. */
import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, Group, LineSegments, Mesh, ShaderMaterial } from "three";
import type { TopologyData } from "../data/block_job";
import { LIGHT_GLSL, POINTS_GLSL, type Shared } from "./shared";

const VERTEX = /* glsl */ `
${POINTS_GLSL}
in float place;
in vec3 normal3;
out vec3 vColour;
out vec3 vNormal;
void main() {
  vColour = colourAt(place);
  vNormal = (viewMatrix * vec4(normal3, 0.0)).xyz;
  gl_Position = projectionMatrix * viewMatrix * vec4(pointAt(place).xyz, 1.0);
}
`;

const FRAGMENT = /* glsl */ `
in vec3 vColour;
in vec3 vNormal;
${LIGHT_GLSL}
void main() {
  vec3 n = vNormal.z < 0.0 ? -vNormal : vNormal;
  float back = gl_FrontFacing ? 1.0 : 0.86;
  gl_FragColor = vec4(back * lit(vColour, n + vec3(0.0, 0.0, 1e-9)), 1.0);
}
`;

const EDGE_VERTEX = /* glsl */ `
${POINTS_GLSL}
in float place;
out vec3 vInk;
void main() {
  vInk = mix(colourAt(place), ink, 0.6);
  gl_Position = projectionMatrix * viewMatrix * vec4(pointAt(place).xyz, 1.0);
}
`;

const EDGE_FRAGMENT = /* glsl */ `
in vec3 vInk;
void main() { gl_FragColor = vec4(vInk, 1.0); }
`;

export class Cloth {
  readonly group = new Group();
  readonly any: () => boolean;
  private readonly surface: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly edges: LineSegments<BufferGeometry, ShaderMaterial>;
  private triangles = 0;
  private room = 0;

  constructor(shared: Shared) {
    const surface = new ShaderMaterial({
      uniforms: shared,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      side: DoubleSide,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    });
    const edge = new ShaderMaterial({ uniforms: shared, vertexShader: EDGE_VERTEX, fragmentShader: EDGE_FRAGMENT });
    this.surface = new Mesh(new BufferGeometry(), surface);
    this.edges = new LineSegments(new BufferGeometry(), edge);
    this.edges.visible = false;
    for (const part of [this.surface, this.edges]) {
      part.frustumCulled = false;
      part.renderOrder = 15;
      this.group.add(part);
    }
    this.any = () => this.triangles > 0;
  }

  set wireframe(on: boolean) {
    this.edges.visible = on;
  }

  /** Buffers grow and are kept: new triangles are an upload, not a new mesh. */
  rebuild(topology: TopologyData): void {
    const { traced, triangles, edges } = topology;
    this.triangles = triangles.length / 3;
    this.group.visible = this.triangles > 0;
    if (this.triangles === 0) return;
    if (traced > this.room) {
      this.room = Math.ceil(1.3 * traced);
      const place = new BufferAttribute(Float32Array.from({ length: this.room }, (_, i) => i), 1);
      const normals = new BufferAttribute(new Float32Array(3 * this.room), 3).setUsage(DynamicDrawUsage);
      this.renew(this.surface).setAttribute("place", place).setAttribute("normal3", normals);
      this.renew(this.edges).setAttribute("place", place);
    }
    refillIndex(this.surface.geometry, triangles);
    refillIndex(this.edges.geometry, edges);
  }

  private renew(part: { geometry: BufferGeometry }): BufferGeometry {
    part.geometry.dispose();
    return (part.geometry = new BufferGeometry());
  }

  show(normals: Float32Array): void {
    if (this.triangles === 0) return;
    const attribute = this.surface.geometry.getAttribute("normal3") as BufferAttribute;
    (attribute.array as Float32Array).set(normals);
    attribute.needsUpdate = true;
  }
}

function refillIndex(geometry: BufferGeometry, index: Uint32Array): void {
  let attribute = geometry.index;
  if (!attribute || attribute.array.length < index.length) {
    // A longer index is a new buffer; the old one goes with the geometry's.
    attribute = new BufferAttribute(new Uint32Array(Math.ceil(1.3 * index.length)), 1).setUsage(DynamicDrawUsage);
    geometry.dispose();
    geometry.setIndex(attribute);
  }
  (attribute.array as Uint32Array).set(index);
  attribute.clearUpdateRanges();
  attribute.addUpdateRange(0, index.length);
  attribute.needsUpdate = true;
  geometry.setDrawRange(0, index.length);
}
