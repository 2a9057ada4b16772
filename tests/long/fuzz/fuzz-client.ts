import { type Challenge, type Header, headerFor, service } from '@azimuth/test-support/client';
import { bytes, object, parse, string } from '@azimuth/test-support/json';
import type { ScannerProcess } from '@azimuth/test-support/scanner-process';
import { HttpConnection, type HttpReply } from './http-connection.js';
import { judge } from './oracle.js';
import { post } from './requests.js';

const mostTries = 20;

/** Ends locks and floods that the inputs have caused, for all clients at once. */
export class LockRelease {
  readonly #scanner: ScannerProcess;
  #advancing: Promise<void> | undefined;

  constructor(scanner: ScannerProcess) {
    this.#scanner = scanner;
  }

  release(): Promise<void> {
    this.#advancing ??= this.#scanner.advance(31_000).finally(() => {
      this.#advancing = undefined;
    });
    return this.#advancing;
  }
}

/** One of the clients that send inputs at the same time. It keeps a connection, like most programs. */
export class FuzzClient {
  readonly port: number;
  readonly #locks: LockRelease;
  readonly #mayBeBare: boolean;
  #connection: HttpConnection | undefined;
  /** What was sent last, for the message if the scanner fails. */
  latest: readonly Buffer[] = [];

  /** @param mayBeBare whether a refusal may be a bare status line */
  constructor(port: number, locks: LockRelease, mayBeBare = false) {
    this.port = port;
    this.#locks = locks;
    this.#mayBeBare = mayBeBare;
  }

  /** A connection of its own. */
  open(): Promise<HttpConnection> {
    return HttpConnection.open(this.port, this.#mayBeBare);
  }

  /** Sends a whole request, in these parts, and returns the reply. */
  async request(...parts: readonly Buffer[]): Promise<HttpReply> {
    this.latest = parts;
    if (this.#connection === undefined || this.#connection.isClosed) this.#connection = await this.open();
    const connection = this.#connection;
    await connection.send(...parts);
    const reply = await connection.reply();
    if (reply === undefined) throw new Error('a whole request got no reply');
    if (reply.headers.get('connection') === 'close') {
      this.hangUp();
      await connection.closed;
    }
    return reply;
  }

  /** A valid header for one POST to this endpoint, from a fresh challenge. */
  async header(endpoint: string): Promise<Header> {
    for (let time = 0; time < mostTries; time++) {
      const reply = await this.request(post('getChallenge', '{"data":{"user":"Service"}}'));
      if (judge(reply) === 0) return headerFor(challengeIn(reply), service, endpoint);
      await this.#locks.release();
    }
    throw new Error('got no challenge');
  }

  /**
   * An authenticated POST. `data` is JSON text, or undefined for none. Tries again if other clients made the login
   * fail (a lock, an invalidated challenge).
   */
  async authorized(name: string, data: string | undefined): Promise<HttpReply> {
    for (let time = 0; time < mostTries; time++) {
      const header = JSON.stringify(await this.header(name));
      const body = data === undefined ? `{"header":${header}}` : `{"header":${header},"data":${data}}`;
      const reply = await this.request(post(name, body));
      const status = judge(reply);
      if (status !== 4 && status !== 10) return reply;
      if (status === 4) await this.#locks.release();
    }
    throw new Error(`${name}: the login never succeeded`);
  }

  hangUp(): void {
    this.#connection?.reset();
    this.#connection = undefined;
  }
}

function challengeIn(reply: HttpReply): Challenge {
  const { realm, nonce, opaque, salt } = object(object(parse(reply.body)).challenge);
  return { realm: string(realm), nonce: string(nonce), opaque: string(opaque), salt: bytes(salt) };
}
