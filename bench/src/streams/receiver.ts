import { isObject } from '../json.js';
import { ChildProgram, program } from '../processes/child-program.js';
import { cores } from '../processes/children.js';
import { type ArrivalResult, isArrivalResult } from './arrivals.js';

/** The process that receives telegrams, on the core of the load. */
export class Receiver {
  readonly ports: readonly number[];
  readonly #child: ChildProgram;

  private constructor(child: ChildProgram, ports: readonly number[]) {
    this.#child = child;
    this.ports = ports;
  }

  static async start(streams: number): Promise<Receiver> {
    const child = await ChildProgram.start({
      core: cores.load,
      command: program('receiver', String(streams)),
    });
    if (!Array.isArray(child.firstMessage)) throw new Error('the receiver has not sent its ports');
    return new Receiver(child, child.firstMessage.map(Number));
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Resets the counts. */
  async clear(): Promise<void> {
    await this.#child.ask('clear');
  }

  /** The counts since the last `clear`. */
  async result(): Promise<ArrivalResult> {
    const result = await this.#child.ask('result');
    if (!isObject(result) || !isArrivalResult(result))
      throw new Error('the receiver sent an unexpected result');
    return result;
  }

  async end(): Promise<void> {
    await this.#child.end();
  }
}
