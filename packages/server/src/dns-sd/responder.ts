import { isDeepStrictEqual } from 'node:util';
import type { Log } from '@azimuth/device';
import type { LinkFaults } from '@azimuth/device/faults';
import { containErrors } from '@azimuth/http';
import { multicastDnsPort } from '@azimuth/telegrams/device-search';
import multicastDns, { type MulticastDNS, type QueryPacket, type ResponsePacket } from 'multicast-dns';
import type { SenderLimit } from '../network/udp.js';
import type { Answer } from './records.js';

/** Address to bind to. A socket bound to the group gets no other datagrams. Some systems do not support this. */
const listenAt = process.platform === 'linux' ? '224.0.0.251' : '0.0.0.0';

/** Time (ms) for objections when a name is probed (RFC 6762 §8.1). */
const objection = 250;

interface Options {
  /** Address of the network to use; undefined for all networks. */
  readonly at: string | undefined;
  readonly limit: SenderLimit;
  readonly log: Log;
  /** Called with unexpected errors. */
  readonly failed: (error: unknown) => void;
  /** The network cable; undefined if it always stays in. */
  readonly link?: LinkFaults | undefined;
}

interface Querier {
  readonly address: string;
  readonly port: number;
}

/** Responds to multicast DNS queries with a set of records that may change. */
export class Responder {
  readonly at: string | undefined;
  readonly #options: Options;
  readonly #dns: MulticastDNS;
  #records: readonly Answer[] = [];
  #goOn: (() => void) | undefined;
  #hasReported = false;
  #failed = false;

  constructor(options: Options) {
    this.#options = options;
    this.at = options.at;
    const where = { bind: listenAt, interface: options.at };
    this.#dns = containErrors(multicastDns(where), options.failed);
    this.#dns.on('error', (error) => this.#fail(error));
    // Damaged packets are ignored; a network without multicast is an error.
    this.#dns.on('warning', (error) => {
      if ('syscall' in error) this.#reportProblem(error);
    });
    this.#dns.on('query', (query, querier) => this.#respondTo(query, querier));
  }

  /** Returns true if another host or port uses this service name. */
  isNameInUse(name: string, own: { readonly host: string; readonly port: number }): Promise<boolean> {
    return new Promise((resolve) => {
      const listen = ({ answers = [] }: ResponsePacket) => {
        const isOther = answers.some(
          (answer) =>
            answer.type === 'SRV' &&
            isSame(answer.name, name) &&
            (answer.ttl ?? 0) > 0 &&
            (answer.data.port !== own.port || !isSame(answer.data.target, own.host)),
        );
        if (isOther) finish(true);
      };
      const finish = (isInUse: boolean) => {
        clearTimeout(timeout);
        this.#goOn = undefined;
        this.#dns.off('response', listen);
        resolve(isInUse);
      };
      const timeout = setTimeout(() => finish(false), objection);
      this.#goOn = () => finish(false);
      this.#dns.on('response', listen);
      if (!this.#isUnplugged) this.#dns.query(name, 'SRV');
    });
  }

  /** Stops waiting for objections. */
  goOn(): void {
    this.#goOn?.();
  }

  /** Replaces the records, and announces the new ones. Removed records are announced as removed. */
  async announce(records: readonly Answer[]): Promise<void> {
    const removed = this.#records.filter((old) => !records.some((now) => isDeepStrictEqual(old, now)));
    const fresh = records.filter((now) => !this.#records.some((old) => isDeepStrictEqual(old, now)));
    this.#records = records;
    // A record that replaces another one of its name and type needs no goodbye.
    const goodbyes = removed.filter(
      (old) => !fresh.some((now) => now.type === old.type && now.name === old.name),
    );
    const answers = [...goodbyes.map((record) => ({ ...record, ttl: 0 })), ...fresh];
    if (answers.length > 0) await this.#respond(answers);
  }

  /** Announces that all records are gone, and closes. */
  async close(): Promise<void> {
    await this.announce([]);
    await new Promise<void>((resolve) => {
      this.#dns.destroy(resolve);
    });
  }

  get #isUnplugged(): boolean {
    return this.#options.link?.down !== undefined;
  }

  #respondTo(query: QueryPacket, querier: Querier): void {
    if (this.#isUnplugged) return;
    const { questions = [] } = query;
    const answers = this.#records.filter((record) =>
      questions.some(({ name, type }) => isSame(name, record.name) && isOfType(type, record.type)),
    );
    if (answers.length === 0 || !this.#mayHear(querier) || !this.#options.limit.allows(querier.address))
      return;
    // A query from port 0 gets no response: sending to it throws.
    if (querier.port === 0) return;
    const additionals = this.#records.filter((record) => !answers.includes(record) && record.type !== 'PTR');
    if (querier.port === multicastDnsPort) {
      this.#dns.respond({ answers, additionals }, (error) => this.#reportIfFailed(error));
      return;
    }
    // A query from a port other than 5353 is a one-shot query, and gets a unicast response (RFC 6762 §6.7).
    const own = { id: query.id, questions, answers: answers.map(plain), additionals: additionals.map(plain) };
    this.#dns.respond(own, { port: querier.port, address: querier.address }, (error) =>
      this.#reportIfFailed(error),
    );
  }

  /** A scanner on loopback responds to this machine only, even if its socket receives queries of others. */
  #mayHear({ address }: Querier): boolean {
    return this.at?.startsWith('127.') !== true || address.startsWith('127.');
  }

  #respond(answers: Answer[]): Promise<void> {
    return new Promise((resolve) => {
      if (this.#failed || this.#isUnplugged) resolve();
      else
        this.#dns.respond(answers, (error) => {
          this.#reportIfFailed(error);
          resolve();
        });
    });
  }

  #reportIfFailed(error: Error | null | undefined): void {
    if (error !== null && error !== undefined && !this.#failed) this.#reportProblem(error);
  }

  #fail(error: Error): void {
    if (!this.#failed) {
      this.#options.log.warn(
        `The scanner is not announced by DNS-SD: UDP port ${multicastDnsPort} cannot be opened`,
        {
          reason: error.message,
          option: '--no-dns-sd',
        },
      );
    }
    this.#failed = true;
  }

  #reportProblem(error: Error): void {
    if (!this.#hasReported) {
      this.#options.log.info('The network does not accept announcements by DNS-SD', {
        reason: error.message,
      });
    }
    this.#hasReported = true;
  }
}

/** Returns records for a client without a cache: the cache-flush bit and long lifetimes mean nothing there. */
function plain(record: Answer): Answer {
  return 'flush' in record ? { ...record, flush: false, ttl: 10 } : record;
}

function isOfType(requested: string, type: string): boolean {
  return requested === type || requested === 'ANY';
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
