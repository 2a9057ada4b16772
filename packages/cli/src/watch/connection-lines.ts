import type { TargetOutput } from '../scanners/target-output.js';

/** Prints changes of the connection to a scanner as lines of the stream: it was lost, and it is back. */
export class ConnectionLines {
  readonly #output: TargetOutput;
  readonly #url: string;
  #isLost = false;

  constructor(output: TargetOutput, url: string) {
    this.#output = output;
    this.#url = url;
  }

  /** Printed once until the scanner is back, for any number of attempts. */
  lost(reason: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#print('lost', reason);
  }

  connected(): void {
    if (this.#isLost) this.#print('back');
    else this.#output.remark(`connected to ${this.#url}`);
    this.#isLost = false;
  }

  #print(connection: 'lost' | 'back', reason?: string): void {
    const at = new Date();
    const json = { at: at.toISOString(), connection, reason };
    const words = reason === undefined ? 'connected again' : `${reason}; trying again, Ctrl-C ends`;
    const line = `${timeOfDay(at)}  ${connection}  ${words}`;
    void this.#output.print(json, () => [line]);
  }
}

/** Returns `12:03:04.123`, in local time. */
export function timeOfDay(date: Date): string {
  const [hours, minutes, seconds] = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) =>
    `${part}`.padStart(2, '0'),
  );
  return `${hours}:${minutes}:${seconds}.${`${date.getMilliseconds()}`.padStart(3, '0')}`;
}
