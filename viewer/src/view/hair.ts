/** Fibers of a head: each stands for many hairs and is drawn as several, ribbons that face the eye, with light along the strand
 * (src/render/hair.c and raster_hair.c do the same). A hundred fibers and more in space are hair. */
import { BufferAttribute, DoubleSide, Group, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, ShaderMaterial, type IUniform } from "three";
import { HAIR_FIBERS, Kind, type Item, type Topology } from "../data/frame";
import { POINTS_GLSL, SHADOW_GLSL, type Shared } from "./shared";

/** Hairs in all, and of one fiber at most: what a graphics card draws while the camera moves. */
const HAIRS = 12_000;
const HAIRS_MOST = 32;

const isFiber = (item: Item): boolean => item.kind === Kind.Curve && !item.obstacle && !item.closed && item.count > 2;

/** The items of a picture that are hair; none if they are few. */
export function hairItems(topology: Topology, dim: number): Item[] {
  const fibers = dim === 3 ? topology.items.filter(isFiber) : [];
  return fibers.length >= HAIR_FIBERS ? fibers : [];
}

const VERTEX = /* glsl */ `
${POINTS_GLSL}
in vec3 corner;      /* side (-1, 1), which end, number of the hair */
in vec4 aside;       /* of the hair, in the unit ball, and a phase */
in vec4 segment;     /* points: before, start, end, after */
in vec4 strand;      /* share of the length at start and end, two numbers of the fiber's own */
uniform float hairs, glossy;
out vec3 vColour;
out vec3 vTangent;
out vec3 vToEye;
out vec3 vPlace;
out float vKept;
vec3 directionOr(vec3 d, vec3 otherwise) {
  float l = length(d);
  return l > 1e-12 ? d / l : otherwise;
}
void main() {
  bool start = corner.y < 0.5;
  vec4 a = pointAt(segment.y), b = pointAt(segment.z), centre = start ? a : b;
  vec3 along = directionOr(b.xyz - a.xyz, vec3(0.0, 0.0, 1.0));
  vec3 other = start ? directionOr(a.xyz - pointAt(segment.x).xyz, along) : directionOr(pointAt(segment.w).xyz - b.xyz, along);
  vec3 tangent = directionOr(along + other, along);
  float share = start ? strand.x : strand.y;
  /* every fiber turns the places of its hairs another way */
  vec3 o = aside.xyz;
  float c = cos(6.2832 * strand.z), s = sin(6.2832 * strand.z), e = cos(6.2832 * strand.w), f = sin(6.2832 * strand.w);
  o = vec3(c * o.x - s * o.y, s * o.x + c * o.y, o.z);
  o = vec3(o.x, e * o.y - f * o.z, f * o.y + e * o.z);
  o += 0.35 * sin(6.2832 * (1.3 * share + aside.w + strand.z)) * o.yzx;
  float own = centre.w;
  vec3 place = centre.xyz;
  float kept = 1.0;
  vColour = colourAt(start ? segment.y : segment.z);
  if (hairs > 1.5) {
    place += centre.w * mix(2.0, 0.8, share) * (o - tangent * dot(o, tangent));
    own *= 0.6 / sqrt(hairs);
    kept = share > 0.82 + 0.18 * fract(7.13 * aside.w + strand.w) ? 0.0 : 1.0;
    vColour *= 1.0 + glossy * 0.22 * (2.0 * fract(13.7 * aside.w + 3.1 * strand.w) - 1.0);
  }
  own *= 1.0 - 0.6 * share * share * share;
  /* Not thinner than that: the samples of a pixel then show a share of it. */
  float least = LEAST * pixelAt(place) / max(density, 1.0);
  vKept = kept;
  vec3 eye = perspective > 0.5 ? normalize(cameraPosition - place) : vec3(viewMatrix[0].z, viewMatrix[1].z, viewMatrix[2].z);
  vec3 across = cross(eye, tangent);
  place += corner.x * max(own, least) * normalize(length(across) > 1e-4 ? across : vec3(1.0, 0.0, 0.0));
  vPlace = place;
  vTangent = (viewMatrix * vec4(tangent, 0.0)).xyz;
  vToEye = (viewMatrix * vec4(eye, 0.0)).xyz;
  gl_Position = projectionMatrix * viewMatrix * vec4(place, 1.0);
}
`;

const FRAGMENT = /* glsl */ `
in vec3 vColour;
in vec3 vTangent;
in vec3 vToEye;
in vec3 vPlace;
in float vKept;
uniform float glossy;
${SHADOW_GLSL}
/* What light has passed since the first strand it met dims it: by half in a fiftieth of what the light sees. */
float openAt(vec3 place) {
  if (shadowOn < 0.5) return 1.0;
  vec4 at = shadowMatrix * vec4(place, 1.0);
  vec2 texel = 1.0 / vec2(textureSize(shadowDepth, 0));
  if (any(lessThan(at.xy, vec2(0.0))) || any(greaterThan(at.xy, vec2(1.0)))) return 1.0;
  float sum = 0.0;
  float turn = 6.2832 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  for (int k = 0; k < 6; k++) {
    float angle = turn + 2.399963 * float(k), far = 1.8 * sqrt((float(k) + 0.5) / 6.0);
    float passed = at.z - texture(shadowDepth, at.xy + far * texel * vec2(cos(angle), sin(angle))).r;
    sum += 1.0 / (1.0 + 100.0 * max(passed, 0.0));
  }
  return sum / 6.0;
}
float sineTo(vec3 t, vec3 d) {
  float c = dot(t, d);
  return sqrt(max(0.0, 1.0 - c * c));
}
void main() {
  if (vKept < 0.5) discard;
  vec3 t = normalize(vTangent), eye = normalize(vToEye), lamp = normalize(vec3(-0.45, 0.65, 0.75));
  vec3 halfWay = normalize(lamp + eye), outward = normalize(eye - t * dot(t, eye) + vec3(0.0, 0.0, 1e-6));
  float open = openAt(vPlace), diffuse = sineTo(t, lamp), dull = 1.0 - glossy, shine = 0.35 + 0.65 * open;
  float surface = pow(sineTo(normalize(t - 0.10 * outward), halfWay), 64.0);
  float inside = pow(sineTo(normalize(t + 0.16 * outward), halfWay), 16.0);
  float light = (0.36 + 0.80 * diffuse - dull * (0.25 * diffuse - 0.08)) * (0.40 + 0.25 * dull + (0.60 - 0.25 * dull) * open);
  vec3 shown = vColour * (light + 0.85 * glossy * inside * shine) + 0.17 * glossy * surface * shine;
  gl_FragColor = vec4(shown, 1.0);
}
`;

/** The same numbers for the same seed. */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Two triangles for each hair of a segment. */
function ribbons(hairs: number): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry();
  const corner: number[] = [];
  const aside: number[] = [];
  const index: number[] = [];
  const next = numbers(1);
  for (let hair = 0; hair < hairs; hair++) {
    let place = [0, 0, 0];
    do place = [2 * next() - 1, 2 * next() - 1, 2 * next() - 1];
    while (Math.hypot(...place) > 1);
    const phase = next();
    for (const [side, end] of [[-1, 0], [1, 0], [-1, 1], [1, 1]] as const) {
      corner.push(side, end, hair);
      aside.push(...place, phase);
    }
    const at = 4 * hair;
    index.push(at, at + 1, at + 2, at + 2, at + 1, at + 3);
  }
  geometry.setAttribute("corner", new BufferAttribute(new Float32Array(corner), 3));
  geometry.setAttribute("aside", new BufferAttribute(new Float32Array(aside), 4));
  geometry.setIndex(index);
  return geometry;
}

export class Hair {
  readonly group = new Group();
  /** Of the colour: 1 for natural ones, less where they are values. */
  readonly glossy: IUniform<number> = { value: 1 };
  private readonly hairs: IUniform<number> = { value: 1 };
  private readonly material: ShaderMaterial;
  private most = HAIRS_MOST;
  private mesh: Mesh<InstancedBufferGeometry, ShaderMaterial> | null = null;

  constructor(
    shared: Shared,
    private readonly dim: number,
  ) {
    this.material = new ShaderMaterial({
      uniforms: { ...shared, hairs: this.hairs, glossy: this.glossy },
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      side: DoubleSide,
      defines: { LEAST: "0.35" },
    });
  }

  /** Half the hairs of each fiber, each wider: for a machine that is too slow for all. False: there is one each already. */
  halve(): boolean {
    const { value } = this.hairs;
    this.most = Math.max(1, Math.floor(value / 2));
    if (!this.mesh || this.most === value) return false;
    this.limit(this.most);
    return true;
  }

  private limit(hairs: number): void {
    this.hairs.value = hairs;
    this.mesh?.geometry.setDrawRange(0, 6 * hairs);
  }

  rebuild(topology: Topology): void {
    if (this.mesh) {
      this.group.remove(this.mesh);
      this.mesh.geometry.dispose();
      this.mesh = null;
    }
    const items = hairItems(topology, this.dim);
    if (items.length === 0) return;
    const hairs = Math.min(Math.max(Math.floor(HAIRS / items.length), 1), this.most);
    const total = items.reduce((sum, item) => sum + item.count - 1, 0);
    const segment = new Float32Array(4 * total);
    const strand = new Float32Array(4 * total);
    let at = 0;
    for (const { first, count, id } of items) {
      const next = numbers(id);
      const own = [next(), next()] as const;
      const place = (k: number) => first + Math.min(Math.max(k, 0), count - 1);
      for (let k = 0; k < count - 1; k++, at++) {
        segment.set([place(k - 1), place(k), place(k + 1), place(k + 2)], 4 * at);
        strand.set([k / (count - 1), (k + 1) / (count - 1), ...own], 4 * at);
      }
    }
    const shape = ribbons(hairs);
    shape.setAttribute("segment", new InstancedBufferAttribute(segment, 4));
    shape.setAttribute("strand", new InstancedBufferAttribute(strand, 4));
    shape.instanceCount = total;
    this.mesh = new Mesh(shape, this.material);
    this.limit(hairs);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 20;
    this.group.add(this.mesh);
  }
}
