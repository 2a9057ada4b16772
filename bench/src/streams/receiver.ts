import { isObject } from '../json.js';
import { cores } from '../processes/children.js';
import { Peer } from '../processes/peer.js';
import { program } from '../processes/programs.js';
import { type ArrivalResult, isArrivalResult } from './arrivals.js';

/** The process that telegrams go to, on the core of the load. */
export class Receiver {
  readonly ports: readonly number[];
  readonly #peer: Peer;

  private constructor(peer: Peer, ports: readonly number[]) {
    this.#peer = peer;
    this.ports = ports;
  }

  static async start(streams: number): Promise<Receiver> {
    const peer = await Peer.start({ core: cores.load, command: program('receiver', String(streams)) });
    if (!Array.isArray(peer.hello)) throw new Error('the receiver has not told its ports');
    return new Receiver(peer, peer.hello.map(Number));
  }

  get pid(): number {
    return this.#peer.pid;
  }

  /** What comes counts from here on. */
  async clear(): Promise<void> {
    await this.#peer.ask('clear');
  }

  /** What has come since the last `clear`. */
  async result(): Promise<ArrivalResult> {
    const result = await this.#peer.ask('result');
    if (!isObject(result) || !isArrivalResult(result)) throw new Error('the receiver told something else');
    return result;
  }

  async end(): Promise<void> {
    await this.#peer.end();
  }
}
