import type { IncomingMessage } from 'node:http';
import type { Journal, JournalEvent } from '@azimuth/device/journal';
import { type Endpoint, isObject, type Level, type Method, type ValueType } from '@azimuth/model';

/** The client of a connection, as the journal names it. */
export function clientIn({
  remoteAddress,
  remotePort,
}: Pick<IncomingMessage['socket'], 'remoteAddress' | 'remotePort'>): string {
  return `${remoteAddress}:${remotePort}`;
}

/** Bytes of a body that takes little memory, whatever is in it. */
const smallBody = 500;
/** Bytes that an object or an array takes in memory, and a member of one. */
const sizeOfObject = 64;
const sizeOfMember = 16;

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
    const content = this.#contentFor(this.#of);
    this.#journal.add({ ...answer, ...content }, Math.max(this.#bytes, this.#sizeOf(content)));
  }

  /** Adds the transfer of a file. */
  transferred(httpStatus: number): void {
    this.#journal.add({ ...this.#head, kind: 'file', level: this.#level, httpStatus }, 0);
  }

  /** Bytes in memory. Those of small bodies do not count. */
  #sizeOf(content: Content): number {
    if (this.#bytes < smallBody) return 0;
    if (content.kind === 'call') return sizeOf(content.request);
    return content.kind === 'write' ? sizeOf(content.value) : 0;
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
    const data = endpoint.facts.secret === true ? undefined : this.#data;
    return { kind: 'write', value: isObject(data) ? data[this.#name] : undefined };
  }
}

type Of<K extends JournalEvent['kind']> = Extract<JournalEvent, { readonly kind: K }>;
type Content =
  | Pick<Of<'read' | 'unknown'>, 'kind'>
  | Pick<Of<'write'>, 'kind' | 'value'>
  | Pick<Of<'call'>, 'kind' | 'request'>;

/**
 * Returns the declared members that are no secrets. What a request does not declare may be one under a wrong name. If a
 * method has secrets, so may be what another member does not accept.
 */
function withoutSecrets(method: Method<unknown, unknown>, data: unknown): unknown {
  if (!isObject(data)) return undefined;
  const shown = Object.entries(method.facts.request ?? {}).filter(
    ([member, type]) =>
      Object.hasOwn(data, member) &&
      !method.isSecret(member) &&
      (!method.holdsSecrets || accepts(type, data[member])),
  );
  return Object.fromEntries(shown.map(([member]) => [member, data[member]]));
}

function accepts(type: ValueType<unknown>, value: unknown): boolean {
  try {
    type.fromJson(value, '');
    return true;
  } catch {
    return false;
  }
}

/** Returns about how many bytes a JSON value takes in memory. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [name, member]) => sum + sizeOfMember + name.length + sizeOf(member),
    sizeOfObject,
  );
}
