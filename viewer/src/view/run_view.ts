/** One run as a picture: its layers, the frame they show and its colours. */
import { Color, Scene, Vector4, type IUniform } from "three";
import type { ColourMode } from "../colour/modes";
import type { Theme } from "../colour/palettes";
import type { ShownFrame } from "../data/frame_store";
import type { RunHead } from "../data/header";
import type { CameraControl } from "./cameras";
import { Cloth } from "./cloth";
import { ContactMarks } from "./contact_marks";
import { Grid } from "./grid";
import { newShared, refill, type Shared } from "./shared";
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
  private readonly solids: Solids;
  private readonly grid: Grid;
  private mode: ColourMode;
  private theme: Theme = "light";
  private serial = -1;

  constructor(
    readonly head: RunHead,
    readonly modes: ColourMode[],
  ) {
    this.shared = { ...newShared(), seen: this.seen };
    this.mode = modes[0]!;
    this.tubes = new Tubes(this.shared, head.dim);
    this.solids = new Solids(this.shared, head.dim);
    this.cloth = new Cloth(this.shared);
    this.grid = new Grid(this.shared, head.dim);
    this.marks = new ContactMarks(this.shared, head.dim);
    this.scene.add(this.grid.mesh, this.solids.group, this.cloth.group, this.tubes.group, this.marks.group);
  }

  show(frame: ShownFrame): void {
    this.shown = frame;
    if (frame.topology.serial !== this.serial) {
      this.serial = frame.topology.serial;
      this.tubes.rebuild(frame.topology);
      this.solids.rebuild(frame.topology, frame.data.points);
      this.cloth.rebuild(frame.topology);
    }
    refill(this.shared.points, frame.data.points);
    this.cloth.show(frame.data.normals);
    this.marks.show(frame.data.contacts);
    this.colour();
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
    this.colour();
  }

  private colour(): void {
    if (!this.shown) return;
    const { data, topology } = this.shown;
    refill(this.shared.shade, this.mode.shades(data, topology));
    this.mode.fillTable(data, this.theme, this.shared.table.value.image.data as Uint8Array);
    this.shared.table.value.needsUpdate = true;
    this.shared.tinted.value = this.mode.tintsRigid ? 1 : 0;
  }

  /** Before it is drawn into a pane of so many pixels of the screen. */
  prepare(control: CameraControl, width: number, height: number, density: number): void {
    this.shared.pixel.value = control.pixelFactor();
    this.shared.perspective.value = control.dim === 3 ? 1 : 0;
    this.shared.viewport.value.set(width, height);
    this.shared.density.value = density;
    control.seen(this.seen.value);
    const box = this.head.box ?? this.head.surroundings;
    const ground: [number, number, number] = box
      ? [0.5 * (box.low[0] + box.high[0]), 0.5 * (box.low[1] + box.high[1]), box.low[2]]
      : [0, 0, 0];
    this.grid.update(100 * control.metresPerPixel(), ground);
  }
}
