import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pause } from '@azimuth/async';
import { dropAfterViolation, type RequestContext, refuseUpgrade, valuesOf } from '@azimuth/http';
import { isObject } from '@azimuth/model';
import { type WebSocket, WebSocketServer } from 'ws';
import { jsonIn } from '../control/json-in.js';
import { longestMessage, mostUnsent } from '../control/limits.js';
import { RecordedExchange } from '../control/recorded-exchange.js';
import { pathIn } from '../control/rest-forwarding.js';
import { messageIn } from '../control/web-socket-pair.js';
import { timeNow } from '../timeline/clock.js';
import type { EventPassed, ResponsePassed } from '../timeline/timeline-entry.js';
import { eventDialogue } from './dialogues.js';
import { PlayedConnection } from './played-connection.js';
import type { RecordedAnswers } from './recorded-answers.js';
import { RecordedConnections, type RecordedEnds } from './recorded-connections.js';
import type { ServedFacts } from './served-rest.js';
import { endsIn } from './session-connections.js';

type Message = string | Uint8Array;

/** Codes that end a WebSocket without a reason of its own (RFC 6455 §7.4.1). */
const [withoutCode, lost] = [1005, 1006];

/** Serves the WebSockets of a session. */
export class ServedEvents {
  readonly #facts: ServedFacts;
  readonly #answers: RecordedAnswers;
  readonly #recorded = new Map<string, RecordedConnections<Message>>();
  readonly #open = new Set<WebSocket>();

  constructor(facts: ServedFacts, answers: RecordedAnswers) {
    this.#facts = facts;
    this.#answers = answers;
    const { entries } = facts.session;
    const messages = new Map<number, EventPassed[]>();
    for (const entry of entries) if (entry.kind === 'event') addTo(messages, entry.connection, entry);
    const paths = new Map<string, RecordedEnds[]>();
    for (const ends of endsIn(entries, 'events')) if (ends.path !== undefined) addTo(paths, ends.path, ends);
    for (const [path, ends] of paths) {
      const ofPath = ends.flatMap(({ connection }) => messages.get(connection) ?? []);
      this.#recorded.set(path, new RecordedConnections(ends, ofPath, eventDialogue));
    }
  }

  accept(context: RequestContext, socket: Duplex, head: Buffer): void {
    if (!(socket instanceof Socket)) {
      socket.destroy();
      return;
    }
    const { request } = context;
    const path = pathIn(request);
    socket.on('error', () => socket.destroy());
    const exchange = new RecordedExchange(this.#facts.recording, request, path);
    exchange.requested();
    const answer = this.#answers.next({ method: 'GET', path, body: Buffer.alloc(0), isUpgrade: true });
    if (answer === undefined) {
      const why = this.#facts.missing(`WebSocket ${path}`);
      exchange.answered(404, [], Buffer.from(why));
      refuseUpgrade(socket, 404, why);
      return;
    }
    const closed = new AbortController();
    socket.once('close', () => closed.abort());
    pause(answer.delay, closed.signal).then(() => {
      const { status = 502, headers, body } = answer.response;
      exchange.answered(status, headers, body);
      if (closed.signal.aborted) return;
      if (status === 101) this.#join(request, socket, head, path, answer.response);
      else refuseUpgrade(socket, status, Buffer.from(body).toString());
    });
  }

  close(): void {
    for (const socket of this.#open) socket.terminate();
  }

  #join(
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
    path: string,
    { headers }: ResponsePassed,
  ): void {
    const [protocol] = valuesOf(headers, 'sec-websocket-protocol');
    const [extensions = ''] = valuesOf(headers, 'sec-websocket-extensions');
    const server = new WebSocketServer({
      ...{ noServer: true, clientTracking: false, maxPayload: longestMessage },
      perMessageDeflate: extensions.includes('permessage-deflate'),
      handleProtocols: () => protocol ?? false,
    });
    server.handleUpgrade(request, socket, head, (program) => {
      dropAfterViolation(program);
      this.#play(program, path);
    });
  }

  #play(program: WebSocket, path: string): void {
    const { recording, missing } = this.#facts;
    const { tell } = recording;
    const connection = recording.nextConnection();
    const of = { connection, path };
    tell({
      kind: 'opened',
      at: timeNow(),
      ...of,
      protocol: 'events',
      isCompressed: program.extensions !== '',
    });
    const recorded = this.#recorded.get(path);
    const send = (message: Message) => {
      // As a scanner, it leaves out values for a program that does not read.
      if (program.readyState !== program.OPEN || program.bufferedAmount > mostUnsent) return;
      tell({ kind: 'event', at: timeNow(), ...of, direction: 'from scanner', message });
      program.send(message);
    };
    const played =
      recorded &&
      new PlayedConnection({
        ...{ recorded, dialogue: eventDialogue, send },
        end: (code) => endWith(program, code),
        isUnknown: (message) => {
          const why = missing(`message at ${path}: ${shown(message)}`);
          const registration = registrationIn(message);
          if (registration !== undefined) send(refusalOf(registration, why));
        },
      });
    this.#open.add(program);
    program.on('error', () => program.terminate());
    program.on('message', (data, isBinary) => {
      const message = messageIn(data, isBinary);
      tell({ kind: 'event', at: timeNow(), ...of, direction: 'to scanner', message });
      played?.receive(message);
    });
    program.once('close', (code) => {
      this.#open.delete(program);
      played?.close();
      tell({ kind: 'closed', at: timeNow(), connection, protocol: 'events', direction: 'to scanner', code });
    });
    const connected = recorded?.nextConnection();
    if (connected !== undefined) played?.begin(connected);
  }
}

function addTo<K, V>(lists: Map<K, V[]>, key: K, item: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

function endWith(program: WebSocket, code: number | undefined): void {
  if (code === undefined || code === lost) program.terminate();
  else if (code === withoutCode) program.close();
  else program.close(code);
}

const longestShown = 200;

function shown(message: Message): string {
  return typeof message === 'string' ? message.slice(0, longestShown) : `${message.length} bytes`;
}

type Registration = Readonly<Record<string, unknown>>;

/** Returns the refusal of a registration, as the interface has it. */
function refusalOf({ type, event, clientId }: Registration, error: string): string {
  return JSON.stringify({ type, event, clientId, status: 1, error });
}

/** Returns the registration that a message is; undefined if it is none. */
function registrationIn(message: Message): Registration | undefined {
  const json = typeof message === 'string' ? jsonIn(message) : undefined;
  return isObject(json) && json.type === 'register' ? json : undefined;
}
