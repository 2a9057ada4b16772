import type { IncomingMessage } from 'node:http';
import type { Journal, JournalEvent } from '@azimuth/device/journal';
import { type Endpoint, isObject, type Level, type Method } from '@azimuth/model';

/** The client of a connection, as the journal names it. */
export function clientIn({
  remoteAddress,
  remotePort,
}: Pick<IncomingMessage['socket'], 'remoteAddress' | 'remotePort'>): string {
  return `${remoteAddress}:${remotePort}`;
}

/** What is known of a request by now, for the journal. It is added there with its answer. */
export class JournalNote {
  readonly #journal: Journal;
  readonly #name: string;
  readonly #prefix: string;
  readonly #request: IncomingMessage;
  #of: Endpoint | 'file' | undefined;
  #data: unknown;
  #bytes = 0;
  #level: Level | undefined;

  /**
   * @param name as the client requests it
   * @param prefix of the name in the journal
   */
  constructor(journal: Journal, name: string, prefix: string, request: IncomingMessage) {
    this.#journal = journal;
    this.#name = name;
    this.#prefix = prefix;
    this.#request = request;
  }

  /** Notes what the request is for. */
  found(endpoint: Endpoint | 'file'): void {
    this.#of = endpoint;
  }

  /** Notes the `data` of a body of this many bytes. */
  received(data: unknown, bytes: number): void {
    this.#data = data;
    this.#bytes = bytes;
  }

  /** Notes the level of the caller, when the request has proved it or needs no login. */
  admitted(level: Level): void {
    this.#level = level;
  }

  /**
   * Adds the request. That of a file is added by `transferred`.
   * @param status undefined if it gets no response
   */
  answered(status: number | undefined, detail?: string): void {
    if (this.#of === 'file') return;
    const answer = { ...this.#head, level: this.#level, status, ...(detail === undefined ? {} : { detail }) };
    this.#journal.add({ ...answer, ...this.#contentFor(this.#of) }, this.#bytes);
  }

  /** Adds the transfer of a file. */
  transferred(httpStatus: number): void {
    this.#journal.add({ ...this.#head, kind: 'file', level: this.#level, httpStatus }, 0);
  }

  get #head() {
    const { method = '', socket } = this.#request;
    const name = typeof this.#of === 'object' ? this.#of.name : this.#name;
    return { client: clientIn(socket), name: this.#prefix + name, verb: method };
  }

  #contentFor(endpoint: Endpoint | undefined): Content {
    if (endpoint === undefined) return { kind: 'unknown' };
    if (endpoint.kind === 'method') return { kind: 'call', request: withoutSecrets(endpoint, this.#data) };
    if (this.#request.method === 'GET') return { kind: 'read' };
    return { kind: 'write', value: isObject(this.#data) ? this.#data[this.#name] : undefined };
  }
}

type Of<K extends JournalEvent['kind']> = Extract<JournalEvent, { readonly kind: K }>;
type Content =
  | Pick<Of<'read' | 'unknown'>, 'kind'>
  | Pick<Of<'write'>, 'kind' | 'value'>
  | Pick<Of<'call'>, 'kind' | 'request'>;

/** Returns the declared members that are no secrets. What a request does not declare may be one under a wrong name. */
function withoutSecrets(method: Method<unknown, unknown>, data: unknown): unknown {
  if (!isObject(data)) return undefined;
  const { request = {} } = method.facts;
  const shown = Object.keys(request).filter(
    (member) => Object.hasOwn(data, member) && !method.isSecret(member),
  );
  return Object.fromEntries(shown.map((member) => [member, data[member]]));
}
