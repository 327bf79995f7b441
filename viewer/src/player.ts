/** The time that is shown and how it goes on. Times are those of the run. */
import { nearest } from "./data/derived";

export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

/** A run should be seen in some five seconds, unless it says otherwise. */
export function startingSpeed(duration: number): number {
  if (duration >= 2 && duration <= 30) return 1;
  return SPEEDS.reduce((best, speed) =>
    Math.abs(Math.log(duration / speed / 5)) < Math.abs(Math.log(duration / best / 5)) ? speed : best,
  );
}

export class Player {
  playing = false;
  loop = true;
  speed: number;
  time: number;
  readonly first: number;
  readonly last: number;

  /** times: all instants at which some run has a frame, increasing. */
  constructor(readonly times: number[]) {
    this.first = times[0]!;
    this.last = times[times.length - 1]!;
    this.time = this.first;
    this.speed = startingSpeed(this.last - this.first);
  }

  get index(): number {
    return nearest(this.times, this.time);
  }

  seek(time: number): void {
    this.time = Math.min(Math.max(time, this.first), this.last);
  }

  /** By so many frames. */
  step(by: number): void {
    this.playing = false;
    const to = Math.min(Math.max(this.index + by, 0), this.times.length - 1);
    this.seek(this.times[to]!);
  }

  toggle(): void {
    this.playing = !this.playing;
    if (this.playing && this.time >= this.last) this.time = this.first;
  }

  /** Real seconds have passed. */
  advance(seconds: number): void {
    if (!this.playing) return;
    const next = this.time + seconds * this.speed;
    if (next < this.last) {
      this.time = next;
      return;
    }
    if (!this.loop) {
      this.time = this.last;
      this.playing = false;
      return;
    }
    // The last frame stays for a moment before it all begins again.
    const pause = 0.6 * this.speed;
    this.time = next > this.last + pause ? this.first : next;
  }

  /** The time within the run: while the last frame stays, the clock does too. */
  get shown(): number {
    return Math.min(this.time, this.last);
  }
}

/** Instants of several runs in one list; two closer than a millionth of the whole are one. */
export function joinTimes(lists: number[][]): number[] {
  const all = lists.flat().sort((a, b) => a - b);
  const span = all[all.length - 1]! - all[0]!;
  return all.filter((time, k) => k === 0 || time - all[k - 1]! > 1e-6 * span);
}
