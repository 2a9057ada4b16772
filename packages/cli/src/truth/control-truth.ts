import { CommandFailure } from '../command-failure.js';
import type { ControlPort } from '../sim/control-port.js';
import type { TruthSource } from './matching.js';
import { parseTruth, type TrueScan, TruthFormatError } from './true-scan.js';

/** Most scans that are remembered. */
const mostScans = 400;

/** The truth of a scanner, at its control port. Each scan is asked for once. */
export class ControlTruth implements TruthSource {
  readonly #port: ControlPort;
  readonly #known = new Map<number, Promise<TrueScan | undefined>>();

  constructor(port: ControlPort) {
    this.#port = port;
  }

  newest(): Promise<TrueScan | undefined> {
    return this.#read('truth', '');
  }

  scan(number: number): Promise<TrueScan | undefined> {
    if (!Number.isSafeInteger(number) || number < 0) return Promise.resolve(undefined);
    const known = this.#known.get(number) ?? this.#read('truth', `?scan=${number}`);
    if (this.#known.size >= mostScans) this.#known.clear();
    this.#known.set(number, known);
    return known;
  }

  async #read(name: string, query: string): Promise<TrueScan | undefined> {
    try {
      return parseTruth(await this.#port.read(`${name}${query}`));
    } catch (error) {
      // A scan that is not known is a request that is not allowed.
      if (error instanceof CommandFailure && error.exitCode === 'usage') return undefined;
      if (error instanceof TruthFormatError)
        throw new CommandFailure(`the truth of the scanner cannot be read: ${error.message}`, 'unreachable');
      throw error;
    }
  }
}
