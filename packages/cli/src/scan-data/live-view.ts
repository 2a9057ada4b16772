import type { Frame } from '@azimuth/client';
import type { ReceiverLosses } from '@azimuth/client/receive';
import { printable } from '../output/output.js';
import { pictureRange } from '../picture/echoes.js';
import { type Ink, terminalPicture } from '../picture/terminal-picture.js';
import { statusLine } from './frame-text.js';

/** A terminal to draw on. */
export interface Terminal {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

const control = '\u001b[';
const enter = `${control}?1049h${control}?25l${control}2J`;
const leave = `${control}?25h${control}?1049l`;
/** Interval of pictures in ms. */
const drawInterval = 100;
/** Number of frames for the rate. */
const memory = 20;

const inks: Readonly<Record<Ink, string>> = {
  ring: '38;5;239',
  label: '38;5;245',
  echo: '38;5;81',
  reflector: '1;38;5;205',
  scanner: '1;97',
};

/** The live picture of a scanner, in a terminal, on a separate screen that disappears at the end. */
export class LiveView {
  readonly #terminal: Terminal;
  readonly #title: string;
  readonly #now: () => number;
  readonly #colour: boolean;
  readonly #fixedRange: number | undefined;
  #range = 0;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #size = '';
  readonly #arrivals: number[] = [];

  /** @param facts.range mm; follows the frames by default @param facts.now ms */
  constructor(
    terminal: Terminal,
    facts: {
      readonly title: string;
      readonly range?: number | undefined;
      readonly colour: boolean;
      readonly now: () => number;
    },
  ) {
    this.#terminal = terminal;
    this.#title = printable(facts.title);
    this.#fixedRange = facts.range;
    this.#colour = facts.colour;
    this.#now = facts.now;
  }

  begin(): void {
    this.#terminal.write(enter);
    this.#terminal.write(`${this.#title}: waiting for data; Ctrl-C ends`);
  }

  /** Restores the terminal. */
  end(): void {
    this.#terminal.write(leave);
  }

  /** Draws a frame, unless the last picture is too recent. */
  show(frame: Frame, losses: ReceiverLosses): void {
    const now = this.#now();
    this.#arrivals.push(now);
    if (this.#arrivals.length > memory) this.#arrivals.shift();
    if (now - this.#drawnAt < drawInterval) return;
    this.#drawnAt = now;
    const { columns = 80, rows = 24 } = this.#terminal;
    const size = `${columns} ${rows}`;
    const clear = size === this.#size ? '' : `${control}2J`;
    this.#size = size;
    const range = this.#rangeFor(frame);
    const picture = terminalPicture(frame, {
      columns,
      rows: Math.max(1, rows - 2),
      range,
      paint: this.#colour ? paint : undefined,
    });
    const rate = this.#rate();
    const status = statusLine(frame, { losses, range, rate });
    const lines = [...picture, status.slice(0, columns), `${this.#title}  (Ctrl-C ends)`.slice(0, columns)];
    this.#terminal.write(`${clear}${control}H${lines.map((line) => `${line}${control}K`).join('\r\n')}`);
  }

  /** Reports if no data is received any more. Call it regularly. */
  tick(): void {
    const last = this.#arrivals.at(-1);
    const seconds = last === undefined ? 0 : Math.floor((this.#now() - last) / 1000);
    if (seconds < 2) return;
    const { columns = 80, rows = 24 } = this.#terminal;
    const text = `no data for ${seconds} s  (Ctrl-C ends)`.slice(0, columns);
    this.#terminal.write(`${control}${rows};1H${text}${control}K`);
  }

  /** Grows at once, and shrinks only by a large step, so that the picture does not jump. */
  #rangeFor(frame: Frame): number {
    if (this.#fixedRange !== undefined) return this.#fixedRange;
    const range = pictureRange(frame);
    if (range > this.#range || range < this.#range * 0.6) this.#range = range;
    return this.#range;
  }

  #rate(): number | undefined {
    const [first] = this.#arrivals;
    const last = this.#arrivals.at(-1);
    if (first === undefined || last === undefined || last <= first) return undefined;
    return ((this.#arrivals.length - 1) * 1000) / (last - first);
  }
}

function paint(text: string, ink: Ink): string {
  return `${control}${inks[ink]}m${text}${control}0m`;
}
