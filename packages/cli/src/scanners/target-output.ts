import type { DeviceOptions } from '../options/command.js';
import { jsonText, print, printable, remark } from '../output/output.js';
import { ProgressLine } from '../transfers/progress.js';

/** Output options of a command. */
type OutputOptions = Pick<DeviceOptions, 'json' | 'quiet'> & { readonly progress?: boolean };

/**
 * Prints the output of one scanner. If several scanners were named, each line of text has the label of the scanner in
 * front, and each JSON value is the member `result` of an object with the member `scanner`.
 */
export class TargetOutput {
  readonly #options: OutputOptions;
  /** The label in front of each line, padded; empty if one scanner was named. */
  readonly #column: string;
  readonly #label: string | undefined;
  #buffered: string[] | undefined;

  /**
   * @param labelled the label of the scanner and the width of its column; undefined if one scanner was named
   * @param buffers true if output is buffered until `release`, so that scanners are printed in their order
   */
  constructor(options: OutputOptions, labelled?: { label: string; width: number }, buffers = false) {
    this.#options = options;
    this.#label = labelled?.label;
    this.#column = labelled === undefined ? '' : `${printable(labelled.label).padEnd(labelled.width)}  `;
    this.#buffered = buffers ? [] : undefined;
  }

  /**
   * Prints a value: as a line of JSON with `--json`, otherwise as lines of text. Waits for a slow reader.
   * @param signal ends the waiting
   */
  async print(json: unknown, lines: () => readonly string[], signal?: AbortSignal): Promise<void> {
    const text = this.#options.json === true ? this.#jsonLine(json) : this.#textLines(lines());
    if (text === '') return;
    if (this.#buffered === undefined) await print(text, signal);
    else this.#buffered.push(text);
  }

  /** Prints the buffered output, and from now on everything at once. */
  async release(): Promise<void> {
    const buffered = this.#buffered ?? [];
    this.#buffered = undefined;
    for (const text of buffered) await print(text);
  }

  /** Prints a remark for the person at the terminal, on stderr. */
  remark(text: string): void {
    const whose = this.#label === undefined ? '' : `${this.#label}: `;
    remark(`${whose}${text}`);
  }

  /** Prints a table before a question to the user, on stderr. */
  table(text: string): void {
    const lines = text.split('\n').filter((line) => line !== '');
    process.stderr.write(this.#textLines(lines));
  }

  /** Reports a change by a command, on stderr: only at a terminal, and not with `--quiet`. */
  done(text: string): void {
    if (process.stderr.isTTY !== true || this.#options.quiet === true) return;
    const whose = this.#label === undefined ? '' : `${this.#label}: `;
    process.stderr.write(`${printable(`${whose}${text}`)}\n`);
  }

  /** Returns the output for the progress of a transfer. With several scanners, each has lines of its own. */
  progress(): ProgressLine {
    const requested = this.#options.progress === true;
    if (this.#label === undefined) return new ProgressLine(process.stderr, requested);
    const column = this.#column;
    const screen = { write: (text: string) => process.stderr.write(`${column}${text}`) };
    return new ProgressLine(screen, requested || process.stderr.isTTY === true);
  }

  #jsonLine(json: unknown): string {
    return `${jsonText(this.#label === undefined ? json : { scanner: this.#label, result: json })}\n`;
  }

  #textLines(lines: readonly string[]): string {
    return lines.map((line) => `${`${this.#column}${printable(line)}`.trimEnd()}\n`).join('');
  }
}
