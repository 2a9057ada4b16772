import { BodyTooLong, bodyPieces, plainRefusal, textIn } from '@azimuth/client';
import type { ScannerSummary } from '@azimuth/fleet';
import { isObject } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';

/** Time limit in ms: a fleet of thousands needs a while to switch all of them off. */
const responseTimeout = 120_000;

/** Maximum bytes: the list of 100,000 scanners needs half of it. */
const maxResponseBytes = 64 * 1024 * 1024;

/** Maximum characters of an event. */
const maxEventLength = 1024 * 1024;

/** The accepted encoding of responses: not compressed, because unpacking could be endless. */
const headers = { 'Accept-Encoding': 'identity' };

const states: Readonly<Record<ScannerSummary['state'], true>> = {
  off: true,
  idle: true,
  running: true,
  failed: true,
  online: true,
  unreachable: true,
  'wrong-serial': true,
  'locked-out': true,
  waiting: true,
  silent: true,
};

/** States of scanners of a fleet. */
export const scannerStates: readonly string[] = Object.keys(states);

/** A scanner in the list of the fleet. */
export interface ListedScanner {
  readonly serialNumber: string;
  readonly group: string;
  readonly state: string;
  readonly release: string;
  readonly path: string;
  readonly url: string;
  /** Its ports by protocol; null for a protocol without a port. */
  readonly ports: Readonly<Record<string, unknown>>;
  readonly requests: number;
  readonly telegrams: number;
  readonly unsaved: number;
  readonly faults: number;
  readonly failure?: string;
  /** Of a real scanner: where it is, and what is wrong with it. */
  readonly location?: string;
  readonly trouble?: string;
}

/** A running fleet, by its port. Its failures are {@link CommandFailure}s. */
export class FleetClient {
  readonly url: string;

  /** @param url of the port of the fleet */
  constructor(url: string) {
    const typed = url.includes('://') ? url : `http://${url}`;
    if (!URL.canParse(typed))
      throw new CommandFailure(`--fleet: expected a URL like http://127.0.0.1:8000, got "${url}"`);
    this.url = new URL(typed).origin;
  }

  /** Lists its scanners, all or those of a pattern, in any state or in one, in the order of the fleet or trouble first. */
  async scanners(pattern?: string, state?: string, sort?: 'trouble'): Promise<readonly ListedScanner[]> {
    const query = new URLSearchParams();
    if (pattern !== undefined) query.set('q', pattern);
    if (state !== undefined) query.set('state', state);
    if (sort !== undefined) query.set('sort', sort);
    const listed = await this.#request(query.size === 0 ? '/scanners' : `/scanners?${query}`);
    return (Array.isArray(listed) ? listed : []).filter(isObject).map(listedScanner);
  }

  async overview(): Promise<Readonly<Record<string, unknown>>> {
    const overview = await this.#request('/fleet');
    return isObject(overview) ? overview : {};
  }

  /** Switches scanners on, off, or off and on. */
  async power(scanners: string, power: Power): Promise<Switched> {
    return switchedIn(await this.#request('/fleet/power', JSON.stringify({ scanners, power })));
  }

  /**
   * Yields the events of the fleet from now on: each as JSON.
   * @param pattern of scanners; by default, all
   */
  async *events(
    pattern: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<Readonly<Record<string, unknown>>> {
    const query = pattern === undefined ? '' : `?q=${encodeURIComponent(pattern)}`;
    const response = await fetch(`${this.url}/fleet/events${query}`, {
      headers,
      signal,
      redirect: 'manual',
    }).catch((error: unknown) => this.#unreachable(error));
    const refusal =
      response.status === 503 ? refusalIn(response, await this.#responseText(response)) : undefined;
    if (refusal !== undefined) throw new CommandFailure(refusal, 'refused');
    if (!response.ok || response.body === null)
      throw new CommandFailure(`${this.url} answers, but tells no events of a fleet`, 'unreachable');
    for await (const line of responseLines(response.body, signal)) {
      if (line === undefined) throw this.#failure(`an event of more than ${maxEventLength} characters`);
      if (!line.startsWith('data: ')) continue;
      const event = parsedJson(line.slice('data: '.length));
      if (!isObject(event)) throw this.#failure('an event that is not JSON');
      yield event;
    }
  }

  #unreachable(error: unknown): never {
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new CommandFailure(
      `no fleet answers at ${this.url} (${cause}): start one with azimuth fleet run, or name another one with --fleet`,
      'unreachable',
    );
  }

  async #responseText(response: Response): Promise<string> {
    try {
      return await textIn(bodyPieces(response.body), maxResponseBytes);
    } catch (error) {
      if (error instanceof BodyTooLong) throw this.#failure(error.message);
      return this.#unreachable(error);
    }
  }

  #failure(what: string): CommandFailure {
    return new CommandFailure(`${this.url} answered ${what}`, 'unreachable');
  }

  async #request(path: string, body?: string): Promise<unknown> {
    const request = { headers, signal: AbortSignal.timeout(responseTimeout), redirect: 'manual' } as const;
    const response = await fetch(
      this.url + path,
      body === undefined ? request : { ...request, method: 'POST', body },
    ).catch((error: unknown) => this.#unreachable(error));
    const text = await this.#responseText(response);
    if (response.status === 400) throw new CommandFailure(text.trim());
    const json = response.ok ? parsedJson(text) : undefined;
    if (json !== undefined) return json;
    const refusal = refusalIn(response, text);
    if (refusal !== undefined)
      throw new CommandFailure(`${this.url} answered HTTP ${response.status}: ${refusal}`, 'unreachable');
    throw new CommandFailure(`${this.url} answers, but is not a fleet`, 'unreachable');
  }
}

/** Parses a JSON text; undefined if it is invalid. */
function parsedJson(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    return json;
  } catch {
    return undefined;
  }
}

function refusalIn({ status: httpStatus, headers }: Response, text: string): string | undefined {
  return plainRefusal({ httpStatus, headers, text });
}

/**
 * Yields the lines of a response, until it ends or its connection is lost; undefined for a line that is too long.
 * @throws the reason of the signal
 */
async function* responseLines(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder();
  const pieces = body[Symbol.asyncIterator]();
  try {
    for (let rest = ''; ; ) {
      const piece = await pieces.next().catch(() => undefined);
      signal.throwIfAborted();
      if (piece === undefined || piece.done === true) return;
      const lines = (rest + decoder.decode(piece.value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
      if (rest.length > maxEventLength) yield undefined;
    }
  } finally {
    await pieces.return?.().catch(() => undefined);
  }
}

function listedScanner(json: Readonly<Record<string, unknown>>): ListedScanner {
  const { serialNumber, group, state, release, path, url, ports, failure, location, trouble } = json;
  return {
    serialNumber: String(serialNumber),
    group: String(group),
    state: String(state),
    release: String(release),
    path: String(path),
    url: String(url),
    ports: isObject(ports) ? ports : {},
    requests: Number(json.requests),
    telegrams: Number(json.telegrams),
    unsaved: Number(json.unsaved),
    faults: Number(json.faults),
    failure: typeof failure === 'string' ? failure : undefined,
    location: typeof location === 'string' ? location : undefined,
    trouble: typeof trouble === 'string' ? trouble : undefined,
  };
}

export type Power = 'on' | 'off' | 'cycle';

/** Result of switching the power of scanners of a fleet. */
export interface Switched {
  /** Number of selected scanners. */
  readonly scanners: number;
  /** Number of switched scanners: the others were in this state already, or failed. */
  readonly changed: number;
  readonly failed: readonly { readonly serialNumber: string; readonly reason: string }[];
}

/** A response of a fleet. */
function switchedIn(answer: unknown): Switched {
  const { scanners, changed, failed }: Readonly<Record<string, unknown>> = isObject(answer) ? answer : {};
  const failures = (Array.isArray(failed) ? failed : []).filter(isObject);
  return {
    scanners: Number(scanners),
    changed: Number(changed),
    failed: failures.map(({ serialNumber, reason }) => ({
      serialNumber: String(serialNumber),
      reason: String(reason),
    })),
  };
}
