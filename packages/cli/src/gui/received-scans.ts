import { pause } from '@azimuth/async';
import { Scanner } from '@azimuth/client';
import type { LoginLevel } from '@azimuth/model';
import { encodeCompactScan } from '@azimuth/telegrams';
import type { WebSocket } from 'ws';
import { remark } from '../output/output.js';
import { NothingArrives, type Sources, withSources } from '../scan-data/sources.js';
import type { Target } from '../scanners/target.js';

/** State of the scan data for a page. */
export type DataState =
  /** The data arrives here. `aimed`: the settings of the scanner were changed for this, and will be restored. */
  | { readonly state: 'receiving'; readonly aimed: boolean; readonly at: string }
  /** No page watches, so nothing is received. */
  | { readonly state: 'idle' }
  /** Nothing can arrive here; the reason contains the remedy. */
  | { readonly state: 'elsewhere'; readonly reason: string };

/** Limit for bytes that wait for a page; above it, telegrams are dropped. */
const maxWaitingBytes = 1024 * 1024;

/** Delay in ms before a failed attempt is repeated while a page waits. */
const tryAgainAfter = 3000;

/** The temporary destination of the scanner. */
interface Aim {
  readonly user: LoginLevel;
  readonly password: string;
}

/**
 * The scan data of a scanner without live scans of its own, as it arrives at this computer. It is received while pages
 * watch. Only `aim` changes the destination of the scanner; `restore` and `close` restore it.
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

  /** Checks with the scanner if data can arrive here with its present settings. */
  async checkRoute(): Promise<DataState> {
    if (this.#running !== undefined && this.#state.state === 'receiving') return this.#state;
    const stop = new AbortController();
    try {
      await withSources({ target: this.#target(undefined) }, ['scan'], stop.signal, () => Promise.resolve());
      this.#state = { state: 'idle' };
    } catch (error) {
      this.#state = { state: 'elsewhere', reason: errorMessage(error) };
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
        this.#state = { state: 'elsewhere', reason: errorMessage(error) };
      }
      await pause(tryAgainAfter, signal);
    }
    if (this.#state.state === 'receiving') this.#state = { state: 'idle' };
  }

  #receive(signal: AbortSignal): Promise<void> {
    const aim = this.#aim;
    const source = { target: this.#target(aim), aim: aim !== undefined, onOther: remark };
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
        if (socket.bufferedAmount < maxWaitingBytes) socket.send(compact, { compress: false });
      }
    }
  }
}

function errorMessage(error: unknown): string {
  if (error instanceof NothingArrives) return error.why;
  return error instanceof Error ? error.message : String(error);
}
