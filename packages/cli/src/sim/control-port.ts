import { request } from 'node:http';
import { plainRefusal, textIn } from '@azimuth/client';
import { isObject } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import type { ControlOptions } from '../options/command.js';
import { TargetOutput } from '../scanners/target-output.js';

/** Finds the control port of the options, else of the environment, else that of a scanner on this machine. */
export function controlPortAt({ control }: ControlOptions): ControlPort {
  return new ControlPort(control ?? (process.env.AZIMUTH_CONTROL || 'http://127.0.0.1:9000'));
}

type ControlResponse = Readonly<Record<string, unknown>>;

/** Maximum bytes of a response; a scene of 8 MiB with all its defaults needs less. */
const maxResponseBytes = 64 * 1024 * 1024;
/** Time limit in ms for the whole response: a scanner that skips a year runs all due actions in this time. */
const responseTimeout = 120_000;

/** The control port of a virtual scanner. Its failures are {@link CommandFailure}s. */
export class ControlPort {
  readonly #url: string;

  /** @param url http; of a scanner of a fleet, with its path */
  constructor(url: string) {
    this.#url = checked(url);
  }

  /** Reads a document of the control port. */
  read(name: string): Promise<ControlResponse> {
    return this.#request('GET', name);
  }

  /** Sends a command, and returns its response. */
  command(name: string, body: object): Promise<ControlResponse> {
    return this.#request('POST', name, JSON.stringify(body));
  }

  async #request(method: 'GET' | 'POST', name: string, body = ''): Promise<ControlResponse> {
    const response = await this.#exchange(method, name, body);
    const { httpStatus: status } = response;
    const json = jsonIn(response.text);
    const refusal = plainRefusal(response);
    if (json === undefined && refusal !== undefined)
      throw new CommandFailure(`${this.#url} answered HTTP ${status}: ${refusal}`, 'unreachable');
    if (json === undefined || (status !== 200 && typeof json.error !== 'string')) {
      throw new CommandFailure(`${this.#url} answers, but is not a control port`, 'unreachable');
    }
    if (status === 200) return json;
    // 400: the request is not allowed, and nothing was changed.
    throw new CommandFailure(String(json.error), status === 400 ? 'usage' : 'refused');
  }

  #exchange(method: string, name: string, body: string): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(responseTimeout);
      const fail = (error: Error & { readonly code?: string }) =>
        reject(this.#failure(signal.aborted ? new Error(`no answer in ${responseTimeout / 1000} s`) : error));
      const outgoing = request(
        `${this.#url}/${name}`,
        { method, signal, headers: { 'Content-Length': Buffer.byteLength(body) } },
        (response) => {
          const { statusCode: httpStatus = 0, headers: answered } = response;
          const headers = new Headers({ 'Content-Type': answered['content-type'] ?? '' });
          textIn(response, maxResponseBytes).then((text) => resolve({ httpStatus, headers, text }), fail);
        },
      );
      outgoing.on('error', fail);
      outgoing.end(body);
    });
  }

  #failure({ code, message }: Error & { readonly code?: string }): CommandFailure {
    const text =
      code === 'ECONNREFUSED'
        ? `nothing listens at ${this.#url}: start the scanner with --control-port ${portUrl(this.#url)}`
        : `${this.#url} cannot be reached: ${code ?? message}`;
    return new CommandFailure(text, 'unreachable');
  }
}

interface HttpResponse {
  readonly httpStatus: number;
  readonly headers: Headers;
  readonly text: string;
}

function jsonIn(text: string): ControlResponse | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a typed URL without a slash at its end. As for scanners, the scheme is optional. */
function checked(typed: string): string {
  const url = urlIn(typed.includes('://') ? typed : `http://${typed}`);
  if (url?.protocol !== 'http:') {
    throw new CommandFailure(`expected the URL of a control port like http://127.0.0.1:9000, got "${typed}"`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new CommandFailure('the URL of a control port must not contain a user or a password');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function urlIn(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function portUrl(url: string): string {
  return new URL(url).port || '80';
}

/** The action of a command of `azimuth sim` at a control port. It prints through `output` only. */
export type SimAct = (port: ControlPort, output: TargetOutput) => Promise<void>;

/** Runs an action at the chosen control port or ports. */
export type SimRun = (options: ControlOptions, act: SimAct) => Promise<void>;

/** Runs an action at the control port of the options. */
export const atControlPort: SimRun = (options, act) => act(controlPortAt(options), new TargetOutput(options));
