/** Triangle meshes, shaded on both sides, with or without their edges. Their triangles may be others in every frame. Smooth where
 * triangles meet at slight angles, sharp where they do not. */
import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, Group, LineSegments, Mesh, ShaderMaterial } from "three";
import type { TopologyData } from "../data/block_job";
import { Kind } from "../data/frame";
import { LIGHT_GLSL, POINTS_GLSL, SHADOW_GLSL, type Shared } from "./shared";

const VERTEX = /* glsl */ `
${POINTS_GLSL}
in float place;
in vec3 normal3;
in float still;      /* 1: of an obstacle */
out vec3 vColour;
out vec3 vNormal;
out vec3 vPlace;
void main() {
  vColour = still > 0.5 ? mix(matter, ink, 0.1) : colourAt(place);
  vNormal = (viewMatrix * vec4(normal3, 0.0)).xyz;
  vPlace = pointAt(place).xyz;
  gl_Position = projectionMatrix * viewMatrix * vec4(vPlace, 1.0);
}
`;

const FRAGMENT = /* glsl */ `
in vec3 vColour;
in vec3 vNormal;
in vec3 vPlace;
${LIGHT_GLSL}
${SHADOW_GLSL}
void main() {
  vec3 n = normalize(vNormal + vec3(0.0, 0.0, 1e-30));
  float back = gl_FrontFacing ? 1.0 : 0.86;
  if (n.z < 0.0) n = -n;
  gl_FragColor = vec4(back * shadowed(lit(vColour, n + vec3(0.0, 0.0, 1e-9)), vPlace, n), 1.0);
}
`;

const EDGE_VERTEX = /* glsl */ `
${POINTS_GLSL}
in float place;
out vec3 vInk;
void main() {
  vInk = mix(colourAt(place), ink, 0.6);
  /* Nearer to the eye on its own ray, or triangles would leave dots of it. Triangles pushed back instead would be behind a ball that they lie on. */
  vec3 seen = (viewMatrix * vec4(pointAt(place).xyz, 1.0)).xyz;
  gl_Position = projectionMatrix * vec4(perspective > 0.5 ? 0.996 * seen : seen, 1.0);
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
  private edgeRoom = 0;

  constructor(shared: Shared) {
    const surface = new ShaderMaterial({
      uniforms: shared,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      side: DoubleSide,
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
    const { traced, triangles, edges, corners } = topology;
    this.triangles = triangles.length / 3;
    this.group.visible = this.triangles > 0;
    if (this.triangles === 0) return;
    if (corners.place.length > this.room) {
      this.room = Math.ceil(1.3 * corners.place.length);
      const surface = this.renew(this.surface);
      surface.setAttribute("place", new BufferAttribute(new Float32Array(this.room), 1).setUsage(DynamicDrawUsage));
      surface.setAttribute("still", new BufferAttribute(new Float32Array(this.room), 1).setUsage(DynamicDrawUsage));
      surface.setAttribute("normal3", new BufferAttribute(new Float32Array(3 * this.room), 3).setUsage(DynamicDrawUsage));
    }
    if (traced > this.edgeRoom) {
      this.edgeRoom = Math.ceil(1.3 * traced);
      const every = Float32Array.from({ length: this.edgeRoom }, (_, i) => i);
      this.renew(this.edges).setAttribute("place", new BufferAttribute(every, 1));
    }
    this.place(topology);
    refillIndex(this.surface.geometry, corners.corner);
    refillIndex(this.edges.geometry, edges);
  }

  private place({ corners, items, traced }: TopologyData): void {
    const obstacle = new Uint8Array(traced);
    for (const item of items) if (item.obstacle && item.kind === Kind.Mesh) obstacle.fill(1, item.first, item.first + item.count);
    const place = this.surface.geometry.getAttribute("place") as BufferAttribute;
    const still = this.surface.geometry.getAttribute("still") as BufferAttribute;
    corners.place.forEach((point, k) => {
      place.array[k] = point;
      still.array[k] = obstacle[point]!;
    });
    place.needsUpdate = still.needsUpdate = true;
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
