/** One run as a picture: its layers, the frame they show and its colours. */
import { Color, Scene, Vector4, type IUniform, type WebGLRenderer } from "three";
import type { ColourMode } from "../colour/modes";
import type { Theme } from "../colour/palettes";
import type { ShownFrame } from "../data/frame_store";
import type { RunHead } from "../data/header";
import { boxToShow, type CameraControl } from "./cameras";
import { Cloth } from "./cloth";
import { ContactMarks } from "./contact_marks";
import { Grid, roundLength } from "./grid";
import { Hair } from "./hair";
import { Shadow } from "./shadow";
import { newShared, refill, refillDirectors, type Shared } from "./shared";
import { Solids } from "./solids";
import { Tubes } from "./tubes";

export interface ThemeColours {
  paper: string;
  ink: string;
  matter: string;
  rigid: string;
}

export class RunView {
  readonly scene = new Scene();
  readonly marks: ContactMarks;
  readonly cloth: Cloth;
  shown: ShownFrame | null = null;
  private readonly shared: Shared;
  private readonly seen: IUniform<Vector4> = { value: new Vector4() };
  private readonly tubes: Tubes;
  readonly hair: Hair;
  private readonly solids: Solids;
  private readonly grid: Grid;
  private readonly shadow: Shadow | null;
  private readonly stripe: IUniform<Color> = { value: new Color() };
  private readonly directors: number;
  private mode: ColourMode;
  private theme: Theme = "light";
  private serial = -1;
  private mixed = new Float32Array(0);
  private way = 0;
  private towards = -1;

  constructor(
    readonly head: RunHead,
    readonly modes: ColourMode[],
  ) {
    this.shared = { ...newShared(), seen: this.seen, stripe: this.stripe };
    this.directors = head.channels.findIndex((channel) => channel.name === "director_x");
    this.shadow = head.dim === 3 ? new Shadow(this.shared, boxToShow([head])) : null;
    this.mode = modes[0]!;
    this.tubes = new Tubes(this.shared, head.dim);
    this.hair = new Hair(this.shared, head.dim);
    this.solids = new Solids(this.shared, head.dim);
    this.cloth = new Cloth(this.shared);
    this.grid = new Grid(this.shared, head.dim);
    this.marks = new ContactMarks(this.shared, head.dim);
    this.scene.add(this.grid.mesh, this.solids.ground.group, this.solids.group, this.cloth.group, this.tubes.group, this.hair.group, this.marks.group);
  }

  show(frame: ShownFrame): void {
    this.shown = frame;
    if (frame.topology.serial !== this.serial) {
      this.serial = frame.topology.serial;
      this.tubes.rebuild(frame.topology);
      this.hair.rebuild(frame.topology);
      this.solids.rebuild(frame.topology, frame.data.points);
      this.cloth.rebuild(frame.topology);
      if (this.head.dim === 3) this.grid.mesh.visible = !this.solids.ground.any;
    }
    refill(this.shared.points, frame.data.points);
    this.way = 0;
    this.showDirectors(frame);
    if (this.shadow) this.shadow.stale = true;
    this.cloth.show(frame.data.normals);
    this.marks.show(frame.data.contacts);
    this.colour();
  }

  /** The frame that is shown, moved towards a neighbour by a share of the way; null: as it is. Colours and contacts stay its own. False: nothing has changed. */
  between(other: ShownFrame | null, share: number): boolean {
    if (!this.shown) return false;
    const own = this.shown.data.points;
    const way = other && other.topology.serial === this.shown.topology.serial ? share : 0;
    if (way === this.way && (way === 0 || other!.index === this.towards)) return false;
    this.way = way;
    this.towards = way > 0 ? other!.index : -1;
    if (way === 0) refill(this.shared.points, own);
    else {
      const to = other!.data.points;
      if (this.mixed.length !== own.length) this.mixed = new Float32Array(own.length);
      for (let i = 0; i < own.length; i++) this.mixed[i] = own[i]! + way * (to[i]! - own[i]!);
      refill(this.shared.points, this.mixed);
    }
    if (this.shadow) this.shadow.stale = true;
    return true;
  }

  private showDirectors(frame: ShownFrame): void {
    const codes = frame.data.codes.slice(this.directors, this.directors + 3);
    this.shared.striped.value = this.directors >= 0 && codes.length === 3 ? 1 : 0;
    if (this.shared.striped.value === 0) return;
    // Their largest is a power of two not above 1 apart: each is brought to the scale of 1.
    const bytes = new Uint8Array(4 * codes[0]!.length);
    codes.forEach((code, axis) => {
      const scale = Math.sqrt(frame.data.largest[this.directors + axis]!);
      for (let i = 0; i < code.length; i++) bytes[4 * i + axis] = 128 + Math.min(Math.max(Math.round(scale * code[i]!), -127), 127);
    });
    refillDirectors(this.shared.directors, bytes);
  }

  setMode(id: string): void {
    this.mode = this.modes.find((mode) => mode.id === id) ?? this.mode;
    this.colour();
  }

  setTheme(theme: Theme, colours: ThemeColours): void {
    this.theme = theme;
    for (const name of ["paper", "ink", "matter", "rigid"] as const)
      // Shaders give colours as they are, without conversion.
      (this.shared[name].value as Color).setStyle(colours[name], "srgb-linear");
    this.stripe.value.copy(theme === "dark" ? this.shared.ink.value : this.shared.paper.value);
    this.colour();
  }

  private colour(): void {
    if (!this.shown) return;
    const { data, topology } = this.shown;
    refill(this.shared.shade, this.mode.shades(data, topology));
    this.mode.fillTable(data, this.theme, this.shared.table.value.image.data as Uint8Array);
    this.shared.table.value.needsUpdate = true;
    this.shared.tinted.value = this.mode.tintsRigid ? 1 : 0;
    this.hair.glossy.value = this.mode.id === "hair" ? 1 : 0.2;
  }

  /** Before it is drawn into a pane of so many pixels of the screen. */
  prepare(control: CameraControl, width: number, height: number, density: number): void {
    this.shared.pixel.value = control.pixelFactor();
    this.shared.perspective.value = control.dim === 3 ? 1 : 0;
    this.shared.viewport.value.set(width, height);
    this.shared.density.value = density;
    control.seen(this.seen.value);
    const box = boxToShow([this.head]);
    const middle = [0, 1, 2].map((k) => 0.5 * (box.low[k]! + box.high[k]!)) as [number, number, number];
    const reach = Math.max(1.6 * Math.hypot(...box.high.map((high, k) => high - box.low[k]!)), 1e-9);
    const metres = 100 * control.metresPerPixel();
    this.grid.update(metres, [middle[0], middle[1], box.low[2]], reach);
    this.solids.ground.update(middle, reach, roundLength(metres) / 5);
  }

  /** What of it does not depend on the camera. */
  drawShadow(renderer: WebGLRenderer): void {
    this.shadow?.draw(renderer, this.scene, [this.grid.mesh, this.solids.ground.group, this.marks.group, this.tubes.rims]);
  }
}
