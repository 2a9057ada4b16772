import type { Socket } from 'node:net';
import { type Closable, tcpListener } from '@azimuth/http';
import { SessionStartDetector } from '@azimuth/server/legacy';
import {
  charactersOf,
  errorBinary,
  errorText,
  type Framing,
  frameBinary,
  frameText,
  legacyErrors,
} from '@azimuth/telegrams/legacy';
import { LegacyPieces } from '../control/legacy-pieces.js';
import { legacyWithoutSecrets } from '../control/legacy-without-secrets.js';
import { keepAliveAfter, largestTelegram, mostLegacyConnections, mostUnsent } from '../control/limits.js';
import { timeNow } from '../timeline/clock.js';
import { legacyDialogue } from './dialogues.js';
import { PlayedConnection } from './played-connection.js';
import { RecordedConnections } from './recorded-connections.js';
import type { ServedFacts } from './served-rest.js';
import { endsIn } from './session-connections.js';

interface Options extends ServedFacts {
  readonly framing: Framing;
  readonly failed: (error: unknown) => void;
}

/** Serves the connections of the legacy protocol of a session, in one framing. */
export class ServedLegacy {
  readonly listener: ReturnType<typeof tcpListener> & Closable;
  readonly #options: Options;
  readonly #recorded: RecordedConnections<Uint8Array>;
  #open = 0;

  constructor(options: Options) {
    const { session, framing, failed } = options;
    this.#options = options;
    const messages = session.entries.flatMap((entry) =>
      entry.kind === 'legacy' && entry.framing === framing ? [{ ...entry, message: entry.bytes }] : [],
    );
    this.#recorded = new RecordedConnections(endsIn(session.entries, framing), messages, legacyDialogue);
    this.listener = tcpListener((socket) => this.#accept(socket), failed, {
      allowHalfOpen: true,
      noDelay: true,
    });
  }

  #accept(program: Socket): void {
    const recorded = this.#recorded.nextConnection();
    if (this.#open >= mostLegacyConnections || recorded === undefined) {
      if (recorded === undefined)
        this.#options.missing(`connection of the legacy protocol in ${this.#options.framing}`);
      program.destroy();
      return;
    }
    this.#open++;
    program.once('close', () => this.#open--).setKeepAlive(true, keepAliveAfter);
    const { framing, recording, missing } = this.#options;
    const { tell } = recording;
    const of = { connection: recording.nextConnection(), framing };
    tell({ kind: 'opened', at: timeNow(), connection: of.connection, protocol: framing });
    const send = (bytes: Uint8Array) => {
      if (program.destroyed || program.writableLength > mostUnsent) return;
      tell({ kind: 'legacy', at: timeNow(), ...of, direction: 'from scanner', bytes });
      program.write(bytes);
    };
    const played = new PlayedConnection({
      ...{ recorded: this.#recorded, dialogue: legacyDialogue, send },
      end: () => program.destroySoon(),
      isUnknown: (frame) => {
        missing(`telegram ${shown(frame)}`);
        send(internalError(framing));
      },
    });
    const start = new SessionStartDetector();
    const pieces = new LegacyPieces(largestTelegram['to scanner']);
    let isKnown = false;
    program.on('error', () => program.destroy());
    program.on('data', (bytes: Buffer) => {
      const begins = isKnown ? 'telegrams' : start.detect(bytes);
      isKnown ||= begins === 'telegrams';
      if (begins === 'http' || begins === 'tls') {
        program.destroy();
        return;
      }
      for (const piece of pieces.push(bytes)) {
        const shown = legacyWithoutSecrets(piece, 'to scanner');
        tell({ kind: 'legacy', at: timeNow(), ...of, direction: 'to scanner', bytes: shown });
        if (piece.telegram !== undefined) played.receive(shown);
      }
    });
    program.once('end', () => played.finish());
    program.once('close', () => {
      played.close();
      tell({
        kind: 'closed',
        at: timeNow(),
        connection: of.connection,
        protocol: framing,
        direction: 'to scanner',
      });
    });
    played.begin(recorded);
  }
}

/** Longest text of a telegram. */
const longestText = 200;

/** Returns a telegram for people, without its frame as far as that cannot be shown. */
function shown(frame: Uint8Array): string {
  return charactersOf(frame.subarray(0, longestText))
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .trim();
}

function internalError(framing: Framing): Uint8Array {
  return framing === 'text'
    ? frameText(errorText(legacyErrors.internal))
    : frameBinary(errorBinary(legacyErrors.internal));
}
