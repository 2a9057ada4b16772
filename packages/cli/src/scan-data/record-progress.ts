import type { ReceiverLosses } from '@azimuth/client/receive';
import type { Screen } from '../transfers/progress.js';
import { lossesInWords } from './status-line.js';

/** What has been recorded. */
export interface Recorded {
  readonly telegrams: number;
  readonly bytes: number;
  readonly losses: ReceiverLosses;
}

/** ms between two looks: a terminal has one line that changes, anything else gets a line each. */
const pace = { terminal: 200, other: 5000 };

/** Tells how far a recording is, where somebody watches or `--progress` asks for it. */
export class RecordProgress {
  readonly #screen: Screen;
  readonly #wanted: boolean;
  readonly #now: () => number;
  #told: number;
  #shown = '';

  /** @param now ms */
  constructor(screen: Screen, asked: boolean, now: () => number) {
    this.#screen = screen;
    this.#wanted = asked || screen.isTTY === true;
    this.#now = now;
    this.#told = now();
  }

  tell(recorded: () => Recorded): void {
    if (!this.#wanted) return;
    const now = this.#now();
    if (now - this.#told < (this.#screen.isTTY === true ? pace.terminal : pace.other)) return;
    this.#told = now;
    this.#show(recorded());
  }

  /** Tells the end; the next line of anybody else begins at the left. */
  end(recorded: Recorded): void {
    if (!this.#wanted) return;
    this.#show(recorded);
    if (this.#screen.isTTY === true) this.#screen.write('\n');
  }

  #show({ telegrams, bytes, losses }: Recorded): void {
    const text = `${telegrams} telegrams  ${(bytes / 1_000_000).toFixed(1)} MB  lost ${lossesInWords(losses)}`;
    if (this.#screen.isTTY === true) this.#screen.write(`\r${text.padEnd(this.#shown.length)}`);
    else this.#screen.write(`${text}\n`);
    this.#shown = text;
  }
}
