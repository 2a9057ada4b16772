import { isObject } from '@azimuth/model';
import { type Json, type Matcher, mismatch, shown } from '../match/matcher.js';
import { jsonOf } from '../wire/json-answer.js';
import { EventSocket, HandshakeRefused, type SocketMessage } from '../wire/web-socket.js';
import { partAt, saveParts, withSaved } from './saved-values.js';
import { type StepContext, Unmet } from './step-context.js';

/** A step of a client of events, over a WebSocket. A connection has a name, `events` by default. */
export interface EventStep {
  readonly kind: 'event';
  readonly connection: string;
  readonly does: EventAction;
}

type EventAction =
  | OpenAction
  | SendAction
  | ReceiveAction
  | SeriesAction
  /** No message that matches comes within these seconds of the scanner's clock. */
  | { readonly action: 'silence'; readonly of: Matcher; readonly seconds: number }
  /** The scanner closes the connection with one of these codes. */
  | { readonly action: 'closed'; readonly codes: readonly number[] }
  /** A ping is answered by a pong with its payload. */
  | { readonly action: 'ping' }
  /** This client ends the connection. */
  | { readonly action: 'leave' };

interface OpenAction {
  readonly action: 'open';
  readonly path: string;
  /** False if the client offers no compression. */
  readonly compression: boolean;
  /** Status of HTTP, if the scanner has to refuse; undefined if it has to accept. */
  readonly refused?: readonly number[];
  /** Compared with the extensions that the scanner accepts. */
  readonly extensions?: Matcher;
}

interface SendAction {
  readonly action: 'send';
  /** A text is sent as it is, anything else as JSON. */
  readonly message: Json;
  readonly binary?: true;
  /** Blanks that are added to the message: for one that is too long. */
  readonly padding?: number;
}

interface ReceiveAction {
  readonly action: 'receive';
  /** Messages that count; others are skipped. */
  readonly of: Matcher;
  readonly expect: Matcher;
  /** Seconds of the scanner's clock. */
  readonly within: number;
  /** Parts to save, by the name under which they are saved. */
  readonly save?: Readonly<Record<string, string>>;
}

/** Judges messages by a number in each, as a time: when they arrive says little, as every computer in between may be late. */
interface SeriesAction {
  readonly action: 'series';
  /** Messages that count; others are skipped. */
  readonly of: Matcher;
  /** Where the number is in a message: `data.LSPdatetime.usiSec`. */
  readonly number: string;
  /** The number begins again at 0 after one less than this. */
  readonly wrapsAt?: number;
  /** Number of messages, 2 or more. */
  readonly count: number;
  /** Seconds of the scanner's clock within which each message comes. */
  readonly within: number;
  /** Compared with the `steps` from each message to the next, their `mean`, `median`, and `sum`. */
  readonly expect: Matcher;
}

const usual = 'events';
/** Any message. */
const any: Matcher = { present: true };

const step = (does: EventAction, connection = usual): EventStep => ({ kind: 'event', connection, does });

export function openEvents(
  { path = '/apievents', compression = true, ...options }: Partial<Omit<OpenAction, 'action'>> = {},
  connection?: string,
): EventStep {
  return step({ action: 'open', path, compression, ...options }, connection);
}

export function sendEvent(
  message: Json,
  options: Omit<SendAction, 'action' | 'message'> = {},
  connection?: string,
): EventStep {
  return step({ action: 'send', message, ...options }, connection);
}

export function receiveEvent(
  expect: Matcher,
  { of = any, within = 2, ...options }: Partial<Omit<ReceiveAction, 'action' | 'expect'>> = {},
  connection?: string,
): EventStep {
  return step({ action: 'receive', of, within, ...options, expect }, connection);
}

export function eventSeries(
  series: Omit<SeriesAction, 'action' | 'within'> & Partial<SeriesAction>,
  connection?: string,
): EventStep {
  return step({ within: 10, ...series, action: 'series' }, connection);
}

export function noEvent(seconds: number, of: Matcher = any, connection?: string): EventStep {
  return step({ action: 'silence', of, seconds }, connection);
}

export function eventsClosed(codes: readonly number[], connection?: string): EventStep {
  return step({ action: 'closed', codes }, connection);
}

export function pingEvents(connection?: string): EventStep {
  return step({ action: 'ping' }, connection);
}

export function leaveEvents(connection?: string): EventStep {
  return step({ action: 'leave' }, connection);
}

/** ms of the scanner's clock between two looks at what has come. */
const slice = 40;
/** Seconds in which a connection is closed. */
const longestClosing = 5;

/** @throws Unmet, NoAnswer */
export async function performEvent({ connection, does }: EventStep, context: StepContext): Promise<void> {
  if (does.action === 'open') return open(connection, does, context);
  const socket = socketOf(connection, context);
  switch (does.action) {
    case 'send':
      return send(does, socket, context);
    case 'receive':
      return receive(does, socket, context);
    case 'series':
      return series(does, socket, context);
    case 'silence':
      return silence(does, socket, context);
    case 'closed':
      return closed(does.codes, socket, context);
    case 'ping':
      return socket.ping('azimuth', context.target.timeoutMs ?? 5000);
    case 'leave':
      return socket.close();
  }
}

async function open(
  connection: string,
  { path, compression, refused, extensions }: OpenAction,
  context: StepContext,
): Promise<void> {
  const { target, saved, http } = context;
  const url = http.origin.replace(/^http/, 'ws') + path;
  const timeoutMs = target.timeoutMs ?? 5000;
  try {
    const socket = await EventSocket.open(url, { compression, timeoutMs });
    context.closeAtEnd(() => socket.close());
    saved.set(keyOf(connection), socket);
    if (refused !== undefined)
      throw new Unmet({ at: path, expected: `HTTP ${refused.join(' or ')}`, came: 'a WebSocket' });
    if (extensions === undefined) return;
    const wrong = mismatch(extensions, socket.extensions, 'extensions', context);
    if (wrong !== undefined) throw new Unmet(wrong);
  } catch (error) {
    if (!(error instanceof HandshakeRefused)) throw error;
    if (refused?.includes(error.httpStatus) === true) return;
    const expected = refused === undefined ? 'a WebSocket' : `HTTP ${refused.join(' or ')}`;
    throw new Unmet({ at: path, expected, came: `HTTP ${error.httpStatus}` });
  }
}

function keyOf(connection: string): string {
  return `connection ${connection}`;
}

function socketOf(connection: string, { saved }: StepContext): EventSocket {
  const socket = saved.get(keyOf(connection));
  if (socket instanceof EventSocket) return socket;
  throw new Error(`no step has opened the connection ${connection}`);
}

function send(
  { message, binary, padding = 0 }: SendAction,
  socket: EventSocket,
  { saved }: StepContext,
): void {
  const text = typeof message === 'string' ? message : JSON.stringify(withSaved(message, saved));
  const padded = text + ' '.repeat(padding);
  socket.send(binary === true ? Buffer.from(padded) : padded);
}

async function receive(
  { of, expect, within, save = {} }: ReceiveAction,
  socket: EventSocket,
  context: StepContext,
): Promise<void> {
  const message = await nextOf(of, within, socket, context);
  if (message === undefined) {
    const came = socket.closed === undefined ? 'nothing' : `the end of the connection (${socket.closed})`;
    throw new Unmet({ at: 'message', expected: `a message within ${within} s: ${shown(expect)}`, came });
  }
  const wrong = mismatch(expect, message, 'message', context);
  if (wrong !== undefined) throw new Unmet(wrong);
  saveParts(message, save, context);
}

async function series(
  { of, number, wrapsAt, count, within, expect }: SeriesAction,
  socket: EventSocket,
  context: StepContext,
): Promise<void> {
  const numbers: number[] = [];
  while (numbers.length < count) {
    const message = await nextOf(of, within, socket, context);
    const value = partAt(message, number);
    if (typeof value !== 'number') {
      const came = message === undefined ? `${numbers.length} messages` : shown(message);
      const expected = `${count} messages with the number ${number}, at most ${within} s apart`;
      throw new Unmet({ at: 'messages', expected, came });
    }
    numbers.push(value);
  }
  const wrong = mismatch(expect, stepsBetween(numbers, wrapsAt), 'messages', context);
  if (wrong !== undefined) throw new Unmet(wrong);
}

function stepsBetween(numbers: readonly number[], wrapsAt: number | undefined) {
  const steps = numbers.slice(1).map((value, index) => {
    const step = value - (numbers[index] ?? 0);
    return step < 0 && wrapsAt !== undefined ? step + wrapsAt : step;
  });
  const sum = steps.reduce((all, one) => all + one, 0);
  const median = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)];
  return { steps, mean: sum / steps.length, median, sum };
}

async function silence(
  { of, seconds }: { readonly of: Matcher; readonly seconds: number },
  socket: EventSocket,
  context: StepContext,
): Promise<void> {
  const message = await nextOf(of, seconds, socket, context);
  if (message === undefined) return;
  throw new Unmet({ at: 'message', expected: `no message for ${seconds} s`, came: shown(message) });
}

/** Returns the next message that matches; undefined if none comes in time. Others are dropped. */
async function nextOf(
  of: Matcher,
  seconds: number,
  socket: EventSocket,
  context: StepContext,
): Promise<unknown> {
  const { clock } = context.target;
  for (let waited = 0; ; waited += slice) {
    await socket.settled();
    for (let message = socket.next(); message !== undefined; message = socket.next()) {
      const json = contentOf(message);
      if (mismatch(of, json, '', context) === undefined) return json;
    }
    if (waited >= seconds * 1000 || context.signal.aborted || socket.closed !== undefined) return undefined;
    await clock.wait(slice, context.signal);
  }
}

/** Returns a message as JSON; one that is no object of JSON as `{ text }`, and one in binary as `{ binary }`. */
function contentOf({ isBinary, text }: SocketMessage): unknown {
  if (isBinary) return { binary: text };
  const json = jsonOf(Buffer.from(text));
  return isObject(json) ? json : { text };
}

async function closed(
  codes: readonly number[],
  socket: EventSocket,
  { target: { clock }, signal }: StepContext,
): Promise<void> {
  for (let waited = 0; socket.closed === undefined && waited < longestClosing * 1000; waited += slice) {
    await socket.settled();
    await clock.wait(slice, signal);
  }
  const { closed: code } = socket;
  if (code !== undefined && codes.includes(code)) return;
  const came = code === undefined ? 'an open connection' : `code ${code}`;
  throw new Unmet({ at: 'connection', expected: `closed with ${codes.join(' or ')}`, came });
}
