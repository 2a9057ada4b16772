import type { Progress } from '@azimuth/client';

/** Output of progress: a terminal gets one line that changes, other outputs a line for each tenth. */
export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows the progress of a transfer on a terminal, or if `--progress` is given. */
export class ProgressLine {
  readonly #screen: Screen;
  readonly #isEnabled: boolean;
  #lastLine = '';
  #tenth = -1;

  constructor(screen: Screen, requested: boolean) {
    this.#screen = screen;
    this.#isEnabled = requested || screen.isTTY === true;
  }

  /** Returns a callback that shows the progress in bytes. */
  of(what: string): Progress {
    return (bytes, total) => this.#update(what, bytes, total);
  }

  /** Returns a callback that shows the progress in percent. */
  percentOf(what: string): (percent: number) => void {
    return (percent) => this.#show(`${what} ${Math.floor(percent)} %`, Math.floor(percent / 10));
  }

  /** Shows a stage without bytes. */
  stage(what: string): void {
    if (!this.#isEnabled) return;
    this.end();
    this.#screen.write(`${what} …\n`);
  }

  /** Ends the progress line, so that the next output begins on a new one. */
  end(): void {
    if (this.#lastLine !== '') this.#screen.write('\n');
    this.#lastLine = '';
    this.#tenth = -1;
  }

  /** Shows the number of finished items, and the next one. */
  step(what: string, done: number, total: number): void {
    this.#show(`${what} (${done + 1} of ${total})`, total === 0 ? 0 : Math.floor((done / total) * 10));
  }

  #update(what: string, bytes: number, total: number | undefined): void {
    const tenth = total === undefined || total === 0 ? 0 : Math.floor((bytes / total) * 10);
    this.#show(`${what} ${amountText(bytes, total)}`, tenth);
  }

  #show(text: string, tenth: number): void {
    if (!this.#isEnabled) return;
    if (this.#screen.isTTY === true) {
      if (text === this.#lastLine) return;
      this.#screen.write(`\r${text.padEnd(this.#lastLine.length)}`);
      this.#lastLine = text;
      return;
    }
    if (tenth === this.#tenth) return;
    this.#tenth = tenth;
    this.#screen.write(`${text}\n`);
  }
}

function amountText(bytes: number, total: number | undefined): string {
  if (total === undefined || total === 0) return megabytes(bytes);
  return `${Math.floor((bytes / total) * 100)} % (${megabytes(bytes)} of ${megabytes(total)})`;
}

function megabytes(bytes: number): string {
  return bytes < 100_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
