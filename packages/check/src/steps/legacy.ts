import { type Matcher, type Mismatch, mismatch, shown } from '../match/matcher.js';
import { leavesOf, type PlacedLeaf } from '../scanner/legacy-rest.js';
import { NoAnswer } from '../wire/http-exchange.js';
import { bytesOfHex, hexOf, type LegacyForm, type LegacyFrame } from '../wire/legacy-frames.js';
import { LayoutProblem, LegacyValues, type Nested } from '../wire/legacy-layout.js';
import { legacyScan } from '../wire/legacy-scan.js';
import { type LegacyLogin, loginPayload, loginRefused } from './legacy-login.js';
import {
  awaitFrame,
  forgetSession,
  formOf,
  type LegacyLine,
  type LegacySession,
  sessionOf,
  shownPayload,
} from './legacy-session.js';
import { presentValue } from './present-value.js';
import { filledIn } from './saved-values.js';
import { type StepContext, Unmet } from './step-context.js';

/** What is sent. */
export type LegacySend =
  /**
   * A telegram as text: `sWN LFPparticle 1 +500`. In binary, `takes` is the layout of its values. `{NAME}` stands for values that
   * an earlier step has saved.
   */
  | { readonly telegram: string; readonly takes?: string }
  /** Bytes as they are, without a frame, as hex digits. */
  | { readonly bytes: string }
  /** A telegram with the hash of a password. */
  | { readonly login: LegacyLogin }
  /** The end of the sending direction. */
  | { readonly end: true }
  /** The end of the connection. */
  | { readonly close: true }
  /** Nothing: what has come so far is forgotten. */
  | { readonly forget: true };

/** What has to come. Only what is stated is compared. */
export interface LegacyExpectation {
  /** Word and name of the telegram: `sRA LEDEnable`. A blank behind the name of an acknowledgement may be there or not. */
  readonly answer?: string;
  /** Layout of its values; none by default. */
  readonly gives?: string;
  /** The values as text: short hex in capitals, also of a binary telegram. */
  readonly values?: Matcher;
  /** A variable, or a method without a request, that has the same value over REST. */
  readonly sameAs?: string;
  /** Members of it that are not compared: they change all the time. */
  readonly varying?: readonly string[];
  /** Members of it that no telegram has. */
  readonly unsent?: readonly string[];
  /** The payload as hex digits in capitals. */
  readonly payload?: Matcher;
  /** The whole telegram with its frame as hex digits in capitals. */
  readonly frame?: Matcher;
  /** LMDscandata as JSON. */
  readonly scan?: Matcher;
  /** An error with one of these codes. */
  readonly error?: number | readonly number[];
  /** Nothing for so many seconds. */
  readonly silence?: number;
  /** The end of the connection. */
  readonly closed?: true;
  /** The connection is not taken. */
  readonly refused?: true;
  /** Seconds of the scanner's time within which it comes. Answers come at once by default. */
  readonly within?: number;
  /** Nothing has come before it that no step has taken. */
  readonly first?: true;
}

/** A telegram over a connection of the legacy protocol, and what comes then. */
export interface LegacyStep extends LegacyLine {
  readonly kind: 'legacy';
  readonly send?: LegacySend;
  readonly expect: LegacyExpectation;
  /** Name under which the values are saved, as text. */
  readonly save?: string;
  /** Name under which the payload is saved, as hex digits. */
  readonly savePayload?: string;
}

/** @throws Unmet, NotTestable, NoAnswer */
export async function performLegacy(step: LegacyStep, context: StepContext): Promise<void> {
  if (step.send !== undefined && 'close' in step.send) {
    forgetSession(step, context);
    return;
  }
  if (step.expect.refused === true) return expectRefused(step, context);
  const session = await sessionOf(step, context);
  const { sameAs, unsent = [] } = step.expect;
  const before = sameAs === undefined ? undefined : await overRest(sameAs, unsent, context);
  await sendOver(session, step, context);
  const frame = await awaited(session, step, context);
  if (frame === undefined) return;
  const values = valuesIn(frame, step.expect, session);
  const after = sameAs === undefined ? undefined : await overRest(sameAs, unsent, context);
  const wrong =
    expectedMismatch(frame, values, step.expect, context) ??
    (before === undefined || after === undefined
      ? undefined
      : restMismatch(values, before, after, step.expect.varying ?? []));
  if (wrong !== undefined) {
    if (step.send !== undefined && 'login' in step.send) loginRefused(step.send.login, context);
    throw new Unmet(wrong, session.byHand);
  }
  if (step.savePayload !== undefined) context.saved.set(step.savePayload, hexOf(frame.payload));
  if (step.save !== undefined) context.saved.set(step.save, values?.text ?? '');
}

async function expectRefused(step: LegacyStep, context: StepContext): Promise<void> {
  try {
    await sessionOf(step, context);
  } catch (error) {
    if (error instanceof NoAnswer) return;
    throw error;
  }
  throw new Unmet({
    at: `interface ${step.interface}`,
    expected: 'a refused connection',
    came: 'an open one',
  });
}

async function sendOver(session: LegacySession, step: LegacyStep, context: StepContext): Promise<void> {
  const { send } = step;
  if (send === undefined) return;
  if ('forget' in send) session.connection.forget();
  else if ('end' in send) session.connection.end();
  else if ('bytes' in send) await session.sendBytes(bytesOfHex(send.bytes));
  else if ('login' in send) session.send(loginPayload(send.login, formOf(step), context), formOf(step), true);
  else if ('telegram' in send) {
    const text = filledIn(send.telegram, context.saved);
    session.send(requestPayload(text, send.takes ?? '', formOf(step)), formOf(step));
  }
}

/** Returns the payload of a request that is given as text, of UTF-8. */
export function requestPayload(telegram: string, takes: string, form: LegacyForm): Buffer {
  const bytes = Buffer.from(telegram, 'utf8');
  if (form === 'text') return bytes;
  const [, head = '', values] = /^(\w+ \w+)(?: (.*))?$/s.exec(bytes.toString('latin1')) ?? [];
  if (head === '' || (values === undefined && takes === '')) return bytes;
  const { bytes: encoded } = LegacyValues.ofText(takes, values ?? '');
  return Buffer.concat([Buffer.from(`${head} `, 'latin1'), encoded]);
}

/** Returns the telegram that came; undefined if none was to come. */
async function awaited(
  session: LegacySession,
  step: LegacyStep,
  context: StepContext,
): Promise<LegacyFrame | undefined> {
  const { answer, error, silence, closed, within, first, frame: wholeFrame, payload } = step.expect;
  if (silence !== undefined) await expectSilence(session, step, silence, context);
  if (closed === true) await expectClosed(session, context);
  const isEvent = answer?.startsWith('sSN') === true;
  const isAwaited =
    answer !== undefined || error !== undefined || wholeFrame !== undefined || payload !== undefined;
  if (!isAwaited) return undefined;
  const isWanted = (frame: LegacyFrame) =>
    first === true ||
    (isEvent ? beginsWith(frame, answer) : !frame.payload.subarray(0, 3).equals(Buffer.from('sSN')));
  const expected = answer ?? (error === undefined ? 'a telegram' : `sFA ${codesText(error)}`);
  const frame = await awaitFrame(session, { expected, isWanted, within }, context);
  if (frame.form !== formOf(step)) {
    const came = `${frame.form}: ${shownPayload(frame)}`;
    throw new Unmet({ at: 'form of the answer', expected: formOf(step), came }, session.byHand);
  }
  return frame;
}

/** Everything that the scanner sent before has come with the answer to a further request. */
async function expectSilence(
  session: LegacySession,
  step: LegacyStep,
  seconds: number,
  context: StepContext,
): Promise<void> {
  const { clock } = context.target;
  if (seconds > 0) await clock.wait(seconds * 1000, context.signal);
  session.send(Buffer.from('sRN SCdevicestate'), formOf(step));
  const expected = 'sRA SCdevicestate';
  await awaitFrame(session, { expected, isWanted: (frame) => beginsWith(frame, expected) }, context);
  const [came] = session.connection.waiting;
  if (came !== undefined)
    throw new Unmet({ at: 'telegram', expected: 'none', came: shownPayload(came) }, session.byHand);
}

async function expectClosed(session: LegacySession, { target }: StepContext): Promise<void> {
  const { connection } = session;
  while (!connection.isClosed) {
    if (await connection.something(target.timeoutMs ?? 5000)) continue;
    throw new Unmet({ at: 'connection', expected: 'closed', came: 'open' }, session.byHand);
  }
}

/** True if a telegram has this word and name, and perhaps values. */
function beginsWith({ payload }: LegacyFrame, head: string): boolean {
  const text = payload.toString('latin1', 0, head.length + 1);
  return text === head || text === `${head} `;
}

function valuesIn(
  frame: LegacyFrame,
  { answer, gives = '', scan }: LegacyExpectation,
  session: LegacySession,
): LegacyValues | undefined {
  if (answer === undefined) return undefined;
  const came = shownPayload(frame);
  if (!beginsWith(frame, answer)) throw new Unmet({ at: 'telegram', expected: answer, came }, session.byHand);
  if (scan !== undefined) return undefined;
  const behind = frame.payload.subarray(answer.length + 1);
  try {
    return frame.form === 'text'
      ? LegacyValues.ofText(gives, behind.toString('latin1'))
      : LegacyValues.ofBytes(gives, behind);
  } catch (error) {
    if (!(error instanceof LayoutProblem)) throw error;
    throw new Unmet({ at: `values of ${answer}`, expected: error.message, came }, session.byHand);
  }
}

function expectedMismatch(
  frame: LegacyFrame,
  values: LegacyValues | undefined,
  expect: LegacyExpectation,
  context: StepContext,
): Mismatch | undefined {
  const { answer = 'the answer', error, payload, frame: whole, values: matcher, scan } = expect;
  if (error !== undefined) {
    const codes: readonly number[] = typeof error === 'number' ? [error] : error;
    const came = errorIn(frame);
    if (came === undefined || !codes.includes(came))
      return { at: 'telegram', expected: `sFA ${codesText(error)}`, came: shownPayload(frame) };
  }
  const wrong = payload && mismatch(payload, hexOf(frame.payload), 'payload', context);
  if (wrong !== undefined) return wrong;
  const wrongFrame = whole && mismatch(whole, hexOf(frame.bytes), 'frame', context);
  if (wrongFrame !== undefined) return wrongFrame;
  if (scan !== undefined) return scanMismatch(frame, answer, scan, context);
  return matcher && mismatch(matcher, utf8Of(values?.text ?? ''), `values of ${answer}`, context);
}

function scanMismatch(
  frame: LegacyFrame,
  answer: string,
  matcher: Matcher,
  context: StepContext,
): Mismatch | undefined {
  try {
    const behind = frame.payload.subarray(answer.length + 1);
    return mismatch(matcher, legacyScan(frame.form, behind), 'LMDscandata', context);
  } catch (error) {
    if (!(error instanceof LayoutProblem)) throw error;
    return { at: 'LMDscandata', expected: error.message, came: shownPayload(frame) };
  }
}

/** Returns the code of an error: hex in text, two bytes in binary. */
export function errorIn({ form, payload }: LegacyFrame): number | undefined {
  if (payload.toString('latin1', 0, 3) !== 'sFA') return undefined;
  if (form === 'binary') return payload.length === 5 ? payload.readUInt16BE(3) : undefined;
  const [, digits] = /^sFA ([0-9A-F]{1,2})$/.exec(payload.toString('latin1')) ?? [];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}

function codesText(codes: number | readonly number[]): string {
  return [codes]
    .flat()
    .map((code) => code.toString(16).toUpperCase())
    .join(' or ');
}

/** Compares a telegram with REST: each value is that of one of both reads, or between them. */
function restMismatch(
  values: LegacyValues | undefined,
  before: readonly PlacedLeaf[],
  after: readonly PlacedLeaf[],
  varying: readonly string[],
): Mismatch | undefined {
  const leaves = flat(values?.nested ?? []);
  if (leaves.length !== before.length)
    return { at: 'values', expected: `${before.length}, as over REST`, came: `${leaves.length}` };
  for (const [index, { at, member, value }] of before.entries()) {
    const came = leaves[index];
    const later = after[index]?.value;
    if (varying.includes(member) || came === value || came === later) continue;
    const isBetween =
      typeof came === 'number' &&
      typeof value === 'number' &&
      typeof later === 'number' &&
      near(came, value, later);
    if (!isBetween) return { at, expected: `${shown(value)}, as over REST`, came: shown(came) };
  }
  return undefined;
}

/** True between two numbers, and for the nearest float of 32 bits. */
function near(came: number, one: number, other: number): boolean {
  const [least, most] = [Math.min(one, other), Math.max(one, other)];
  return came === Math.fround(one) || (came > least && came < most);
}

function flat(nested: readonly Nested[]): readonly (number | string)[] {
  return nested.flatMap((value) => (typeof value === 'object' ? flat(value) : [value]));
}

async function overRest(
  name: string,
  unsent: readonly string[],
  context: StepContext,
): Promise<readonly PlacedLeaf[]> {
  const { value, came } = await presentValue(name, context);
  if (value === undefined) throw new Unmet({ at: name, expected: 'a value over REST', came: shown(came) });
  const shape = context.subject.known.variable(name)?.type.shape;
  return shape === undefined ? [] : leavesOf(shape, value, unsent, name);
}

function utf8Of(characters: string): string {
  return Buffer.from(characters, 'latin1').toString('utf8');
}
