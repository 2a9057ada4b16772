import { connect, type Socket } from 'node:net';
import { type Closable, reset, tcpListener } from '@azimuth/http';
import { SessionStartDetector } from '@azimuth/server/legacy';
import type { Framing } from '@azimuth/telegrams/legacy';
import { timeNow } from '../timeline/clock.js';
import type { Direction } from '../timeline/timeline-entry.js';
import { LegacyPassage } from './legacy-passage.js';
import { connectTimeout, keepAliveAfter, mostLegacyConnections } from './limits.js';
import type { Recording } from './recorded-exchange.js';
import type { ToldFaults } from './told-faults.js';

interface Options {
  readonly framing: Framing;
  /** The interface of the scanner. */
  readonly target: { readonly host: string; readonly port: number };
  readonly recording: Pick<Recording, 'tell' | 'nextConnection'>;
  readonly faults: ToldFaults | undefined;
  readonly failed: (error: unknown) => void;
}

/** Passes connections of the legacy protocol on to a scanner, byte by byte. */
export class LegacyForwarding {
  readonly listener: ReturnType<typeof tcpListener> & Closable;
  readonly #options: Options;
  #open = 0;

  constructor(options: Options) {
    this.#options = options;
    this.listener = tcpListener((socket) => this.#accept(socket), options.failed, {
      allowHalfOpen: true,
      noDelay: true,
    });
  }

  #accept(program: Socket): void {
    if (this.#open >= mostLegacyConnections) {
      program.destroy();
      return;
    }
    this.#open++;
    program.once('close', () => this.#open--);
    const { framing, target, recording } = this.#options;
    const { tell } = recording;
    const scanner = connect({ ...target, allowHalfOpen: true, noDelay: true });
    scanner.setTimeout(connectTimeout, () => reset(scanner)).once('connect', () => scanner.setTimeout(0));
    const connection = recording.nextConnection();
    const facts = { framing, connection, tell };
    tell({ kind: 'opened', at: timeNow(), connection, protocol: framing });
    for (const socket of [program, scanner]) socket.setKeepAlive(true, keepAliveAfter);
    const start = new SessionStartDetector();
    let isKnown = false;
    // A web page can make a browser send telegrams in a request to this port. None of them may reach the scanner.
    const isForeign = (piece: Buffer) => {
      if (isKnown) return false;
      const begins = start.detect(piece);
      isKnown = begins !== undefined;
      return begins === 'http' || begins === 'tls';
    };
    const passage = (direction: Direction, from: Socket, to: Socket) =>
      new LegacyPassage({ ...facts, direction, from, to, faults: this.#options.faults?.legacy });
    pass(passage('to scanner', program, scanner), program, scanner, isForeign);
    pass(passage('from scanner', scanner, program), scanner, program, () => false);
    followEnds(program, scanner, facts);
  }
}

interface Facts {
  readonly framing: Framing;
  readonly connection: number;
  readonly tell: Recording['tell'];
}

function pass(passage: LegacyPassage, from: Socket, to: Socket, isForeign: (piece: Buffer) => boolean): void {
  from.on('data', (bytes: Buffer) => {
    if (isForeign(bytes)) from.destroy();
    else passage.pass(bytes);
  });
  from.once('end', () => {
    passage.end();
    to.end();
  });
}

/** Ends both connections as soon as one is over. A reset of one is a reset of the other. */
function followEnds(program: Socket, scanner: Socket, { framing, connection, tell }: Facts): void {
  let isOver = false;
  const follow = (direction: Direction, one: Socket, other: Socket) => {
    let isLost = false;
    one.once('error', () => {
      isLost = true;
    });
    one.once('close', () => {
      if (!isOver) tell({ kind: 'closed', at: timeNow(), connection, protocol: framing, direction });
      isOver = true;
      if (isLost) reset(other);
      else other.destroySoon();
    });
  };
  follow('to scanner', program, scanner);
  follow('from scanner', scanner, program);
}
