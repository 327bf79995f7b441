/** Play, scrub, speed, loop. */
import { SPEEDS, type Player } from "../player";
import { el, icon, iconButton } from "./elements";
import { number, timeDigits } from "./format";

export class Transport {
  readonly element: HTMLElement;
  private readonly playButton: HTMLButtonElement;
  private readonly loopButton: HTMLButtonElement;
  private readonly slider: HTMLInputElement;
  private readonly clock = el("div", { class: "clock" });
  private readonly digits: number;
  private shownPlaying: boolean | null = null;
  private shownText = "";

  constructor(
    private readonly player: Player,
    changed: () => void,
  ) {
    const act = (what: () => void) => () => {
      what();
      changed();
    };
    const frames = player.times.length;
    this.digits = timeDigits(frames > 1 ? (player.last - player.first) / (frames - 1) : 0.01);
    this.playButton = iconButton("play", "Play (space)", act(() => player.toggle()));
    this.playButton.classList.add("play");
    this.playButton.id = "play";
    this.loopButton = iconButton("loop", "Loop (l)", act(() => (player.loop = !player.loop)));
    this.slider = el("input", { type: "range", min: "0", max: String(frames - 1), step: "1", value: "0", "aria-label": "Time", id: "time" });
    this.slider.addEventListener(
      "input",
      act(() => {
        player.playing = false;
        player.seek(player.times[Number(this.slider.value)]!);
      }),
    );
    const speed = el("select", { "aria-label": "Speed", id: "speed", title: "Speed against real time" });
    for (const each of SPEEDS) speed.append(el("option", { value: String(each), selected: each === player.speed }, `${number(each)}×`));
    speed.addEventListener("change", act(() => (player.speed = Number(speed.value))));
    const step = (by: number) => act(() => player.step(by));
    this.element = el(
      "footer",
      { class: "transport" },
      this.playButton,
      el("div", { class: "step" }, iconButton("back", "One frame back (←)", step(-1)), iconButton("forth", "One frame on (→)", step(1))),
      this.slider,
      this.clock,
      speed,
      this.loopButton,
    );
  }

  show(): void {
    const { player } = this;
    if (player.playing !== this.shownPlaying) {
      this.shownPlaying = player.playing;
      this.playButton.replaceChildren(icon(player.playing ? "pause" : "play"));
      const label = player.playing ? "Pause (space)" : "Play (space)";
      this.playButton.title = label;
      this.playButton.setAttribute("aria-label", label);
    }
    this.loopButton.setAttribute("aria-pressed", String(player.loop));
    const text = player.shown.toFixed(this.digits);
    if (text === this.shownText) return;
    this.shownText = text;
    this.slider.value = String(player.index);
    this.slider.style.setProperty("--done", `${(100 * player.index) / Math.max(1, player.times.length - 1)}%`);
    this.slider.setAttribute("aria-valuetext", `${text} seconds`);
    this.clock.replaceChildren(el("b", {}, text), el("span", {}, ` / ${player.last.toFixed(this.digits)} s`));
  }
}
