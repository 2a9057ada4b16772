import { answer, type Challenge, type Header, service } from '../../support/client.js';
import { bytes, object, parse, string } from '../../support/json.js';
import type { ScannerProcess } from '../../support/scanner-process.js';
import { judge } from './oracle.js';
import { post } from './requests.js';
import { Wire, type WireReply } from './wire.js';

const mostTries = 20;

/** Lets locks and floods pass that the fuzzer itself has set off; for all lanes at once. */
export class Calm {
  readonly #scanner: ScannerProcess;
  #under: Promise<void> | undefined;

  constructor(scanner: ScannerProcess) {
    this.#scanner = scanner;
  }

  restore(): Promise<void> {
    this.#under ??= this.#scanner.advance(31_000).finally(() => {
      this.#under = undefined;
    });
    return this.#under;
  }
}

/** One of the clients that beset the scanner side by side; it keeps a connection, like most programs. */
export class Lane {
  readonly port: number;
  readonly #calm: Calm;
  readonly #mayBeBare: boolean;
  #wire: Wire | undefined;
  /** What was sent last: told where the scanner fails. */
  latest: readonly Buffer[] = [];

  /** @param mayBeBare whether a refusal may be a status line and nothing else */
  constructor(port: number, calm: Calm, mayBeBare = false) {
    this.port = port;
    this.#calm = calm;
    this.#mayBeBare = mayBeBare;
  }

  /** A connection that nobody else uses. */
  open(): Promise<Wire> {
    return Wire.open(this.port, this.#mayBeBare);
  }

  /** Sends a whole request, in these parts, and gets what it is answered. */
  async ask(...parts: readonly Buffer[]): Promise<WireReply> {
    this.latest = parts;
    if (this.#wire === undefined || this.#wire.isClosed) this.#wire = await this.open();
    const wire = this.#wire;
    await wire.send(...parts);
    const reply = await wire.reply();
    if (reply === undefined) throw new Error('a whole request was not answered');
    if (reply.headers.get('connection') === 'close') {
      this.hangUp();
      await wire.closed;
    }
    return reply;
  }

  /** A header that is right for one POST to this endpoint, from a fresh challenge. */
  async header(endpoint: string): Promise<Header> {
    for (let time = 0; time < mostTries; time++) {
      const reply = await this.ask(post('getChallenge', '{"data":{"user":"Service"}}'));
      if (judge(reply) === 0) return answer(challengeIn(reply), service, endpoint);
      await this.#calm.restore();
    }
    throw new Error('no challenge to be had');
  }

  /**
   * An authenticated POST; `data` is JSON text, or nothing. Tried again where the login came to nothing through what
   * other lanes do (a lock, a challenge voided).
   */
  async authorized(name: string, data: string | undefined): Promise<WireReply> {
    for (let time = 0; time < mostTries; time++) {
      const header = JSON.stringify(await this.header(name));
      const body = data === undefined ? `{"header":${header}}` : `{"header":${header},"data":${data}}`;
      const reply = await this.ask(post(name, body));
      const status = judge(reply);
      if (status !== 4 && status !== 10) return reply;
      if (status === 4) await this.#calm.restore();
    }
    throw new Error(`${name}: never let in`);
  }

  hangUp(): void {
    this.#wire?.reset();
    this.#wire = undefined;
  }
}

function challengeIn(reply: WireReply): Challenge {
  const { realm, nonce, opaque, salt } = object(object(parse(reply.body)).challenge);
  return { realm: string(realm), nonce: string(nonce), opaque: string(opaque), salt: bytes(salt) };
}
