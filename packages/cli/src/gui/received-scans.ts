import { pause } from '@azimuth/async';
import { Scanner } from '@azimuth/client';
import type { LoginLevel } from '@azimuth/model';
import { encodeCompactScan } from '@azimuth/telegrams';
import type { WebSocket } from 'ws';
import { note } from '../output/output.js';
import { NothingArrives, type Sources, withSources } from '../scan-data/sources.js';
import type { Target } from '../scanners/target.js';

/** What a page learns about the way of the scan data. */
export type DataState =
  /** The data arrives here. `aimed`: the scanner was told so, and its settings will be restored. */
  | { readonly state: 'receiving'; readonly aimed: boolean; readonly at: string }
  /** Nobody watches, so nothing is received. */
  | { readonly state: 'idle' }
  /** Nothing can arrive here; the reason names the remedy. */
  | { readonly state: 'elsewhere'; readonly reason: string };

/** Bytes that may wait for a page; then telegrams are dropped. */
const mostWaiting = 1024 * 1024;

/** ms after which a failed attempt is repeated while a page waits. */
const tryAgainAfter = 3000;

/** Which destination the scanner has for the time of this. */
interface Aim {
  readonly user: LoginLevel;
  readonly password: string;
}

/**
 * The scan data of a scanner without live scans of its own, as it arrives at this computer. It is received while pages watch.
 * The destination of the scanner is only changed by `aim`, and is restored by `restore` and `close`.
 */
export class ReceivedScans {
  readonly #url: string;
  readonly #watchers = new Set<WebSocket>();
  #state: DataState = { state: 'idle' };
  #running: { readonly stop: AbortController; readonly over: Promise<void> } | undefined;
  #aim: Aim | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  get state(): DataState {
    return this.#state;
  }

  /** Sends every telegram as Compact to a page, from now on. */
  add(socket: WebSocket): void {
    this.#watchers.add(socket);
    socket.on('close', () => {
      this.#watchers.delete(socket);
      if (this.#watchers.size === 0 && this.#aim === undefined) void this.#end();
    });
    if (this.#running === undefined) this.#begin();
  }

  /** Can data arrive here with the present settings of the scanner? Asks the scanner. */
  async look(): Promise<DataState> {
    if (this.#running !== undefined && this.#state.state === 'receiving') return this.#state;
    const stop = new AbortController();
    try {
      await withSources({ target: this.#target(undefined) }, ['scan'], stop.signal, () => Promise.resolve());
      this.#state = { state: 'idle' };
    } catch (error) {
      this.#state = { state: 'elsewhere', reason: messageOf(error) };
    }
    return this.#state;
  }

  /**
   * Makes the scanner send its scan data here.
   * @throws ClientError, CommandFailure
   */
  async aim(aim: Aim): Promise<void> {
    const scanner = new Scanner({ url: this.#url, ...aim });
    await scanner.call('checkCredentials');
    await this.#end();
    this.#aim = aim;
    this.#begin();
  }

  /** Restores the destination. */
  async restore(): Promise<void> {
    this.#aim = undefined;
    await this.#end();
    if (this.#watchers.size > 0) this.#begin();
  }

  /** Ends everything. The settings of the scanner are restored when it resolves. */
  async close(): Promise<void> {
    this.#aim = undefined;
    for (const socket of this.#watchers) socket.close(1001);
    await this.#end();
  }

  #begin(): void {
    const stop = new AbortController();
    this.#running = { stop, over: this.#follow(stop.signal) };
  }

  async #end(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    running?.stop.abort();
    await running?.over;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#receive(signal);
      } catch (error) {
        if (signal.aborted) break;
        this.#state = { state: 'elsewhere', reason: messageOf(error) };
      }
      await pause(tryAgainAfter, signal);
    }
    if (this.#state.state === 'receiving') this.#state = { state: 'idle' };
  }

  #receive(signal: AbortSignal): Promise<void> {
    const aim = this.#aim;
    const source = { target: this.#target(aim), aim: aim !== undefined, onOther: note };
    return withSources(source, ['scan'], signal, (sources) => this.#pass(sources, aim !== undefined));
  }

  #target(aim: Aim | undefined): Target {
    const password = aim?.password;
    return {
      label: this.#url,
      url: this.#url,
      user: aim?.user ?? 'Service',
      passwordOf: () => Promise.resolve(password ?? ''),
      knownPasswordOf: () => Promise.resolve(password),
    };
  }

  async #pass({ sources: [{ receiver, label }] }: Sources, aimed: boolean): Promise<void> {
    this.#state = { state: 'receiving', aimed, at: label };
    for await (const { telegram, bytes } of receiver) {
      if (telegram.kind !== 'scan') continue;
      const compact = telegram.format === 'Compact' ? bytes : encodeCompactScan(telegram.telegram);
      for (const socket of this.#watchers) {
        if (socket.bufferedAmount < mostWaiting) socket.send(compact, { compress: false });
      }
    }
  }
}

function messageOf(error: unknown): string {
  if (error instanceof NothingArrives) return error.why;
  return error instanceof Error ? error.message : String(error);
}
