import { request } from 'node:http';
import { plainRefusal, textIn } from '@azimuth/client';
import { isObject } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import type { ControlOptions } from '../options/command.js';
import { TargetOutput } from '../scanners/target-output.js';

/** The control port that the options name, else the environment, else that of a scanner on this machine. */
function controlPortAt({ control }: ControlOptions): ControlPort {
  return new ControlPort(control ?? (process.env.AZIMUTH_CONTROL || 'http://127.0.0.1:9000'));
}

type ControlAnswer = Readonly<Record<string, unknown>>;

/** Bytes; a scene of 8 MiB with all its defaults needs less. */
const longestAnswer = 64 * 1024 * 1024;
/** ms for the whole answer: a scanner that skips a year does all that falls due on the way. */
const answerTimeout = 120_000;

/** The control port of a virtual scanner. Its failures are {@link CommandFailure}s. */
export class ControlPort {
  readonly #url: string;

  /** @param url http; of a scanner of a fleet, with its path */
  constructor(url: string) {
    this.#url = checked(url);
  }

  /** Reads a document of the control port. */
  read(name: string): Promise<ControlAnswer> {
    return this.#ask('GET', name);
  }

  /** Sends a command, and returns its answer. */
  command(name: string, given: object): Promise<ControlAnswer> {
    return this.#ask('POST', name, JSON.stringify(given));
  }

  async #ask(method: 'GET' | 'POST', name: string, body = ''): Promise<ControlAnswer> {
    const reply = await this.#exchange(method, name, body);
    const { httpStatus: status } = reply;
    const json = jsonIn(reply.text);
    const refusal = plainRefusal(reply);
    if (json === undefined && refusal !== undefined)
      throw new CommandFailure(`${this.#url} answered HTTP ${status}: ${refusal}`, 'unreachable');
    if (json === undefined || (status !== 200 && typeof json.error !== 'string')) {
      throw new CommandFailure(`${this.#url} answers, but is not a control port`, 'unreachable');
    }
    if (status === 200) return json;
    // 400: what was asked for is not allowed, and nothing was changed.
    throw new CommandFailure(String(json.error), status === 400 ? 'usage' : 'refused');
  }

  #exchange(method: string, name: string, body: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(answerTimeout);
      const fail = (error: Error & { readonly code?: string }) =>
        reject(this.#failure(signal.aborted ? new Error(`no answer in ${answerTimeout / 1000} s`) : error));
      const asked = request(
        `${this.#url}/${name}`,
        { method, signal, headers: { 'Content-Length': Buffer.byteLength(body) } },
        (response) => {
          const { statusCode: httpStatus = 0, headers: answered } = response;
          const headers = new Headers({ 'Content-Type': answered['content-type'] ?? '' });
          textIn(response, longestAnswer).then((text) => resolve({ httpStatus, headers, text }), fail);
        },
      );
      asked.on('error', fail);
      asked.end(body);
    });
  }

  #failure({ code, message }: Error & { readonly code?: string }): CommandFailure {
    const text =
      code === 'ECONNREFUSED'
        ? `nothing listens at ${this.#url}: start the scanner with --control-port ${portOf(this.#url)}`
        : `${this.#url} cannot be reached: ${code ?? message}`;
    return new CommandFailure(text, 'unreachable');
  }
}

interface Reply {
  readonly httpStatus: number;
  readonly headers: Headers;
  readonly text: string;
}

function jsonIn(text: string): ControlAnswer | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** A typed URL without a slash at its end. As for scanners, the scheme is optional. */
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

function portOf(url: string): string {
  return new URL(url).port || '80';
}

/** What a command of `azimuth sim` does at a control port. It prints through `output` only. */
export type SimAct = (port: ControlPort, output: TargetOutput) => Promise<void>;

/** Runs what a command does, at the control port or ports that are meant. */
export type SimRun = (options: ControlOptions, act: SimAct) => Promise<void>;

/** At the control port that the options name. */
export const atControlPort: SimRun = (options, act) => act(controlPortAt(options), new TargetOutput(options));
