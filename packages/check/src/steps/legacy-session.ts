import { shown } from '../match/matcher.js';
import type { Endpoint } from '../scanner/checked-scanner.js';
import { LegacyConnection } from '../wire/legacy-connection.js';
import { type LegacyForm, type LegacyFrame, legacyFrame } from '../wire/legacy-frames.js';
import { NotTestable, type StepContext, Unmet } from './step-context.js';

/** Which connection a step uses. */
export interface LegacyLine {
  readonly interface: 'A' | 'B';
  /** Name of the connection, if a case has more than one. */
  readonly connection?: string;
  /** Form of its requests: that of the interface by default. */
  readonly form?: LegacyForm;
}

/** Longest time of an answer in ms of this computer. */
const usualTimeout = 5000;
/** Steps in which the scanner's time goes on while something is awaited. ms. */
const waitingStep = 20;

/** A connection of a case to an interface of the legacy protocol, and what was sent over it. */
export class LegacySession {
  readonly #sent: string[] = [];

  constructor(
    readonly connection: LegacyConnection,
    readonly endpoint: Endpoint,
  ) {}

  /** Sends a telegram. @param isSecret true if it holds a password */
  send(payload: Buffer, form: LegacyForm, isSecret = false): void {
    const frame = legacyFrame(payload, form);
    this.connection.send(frame);
    this.#sent.push(isSecret ? '(log in here)' : escaped(frame));
  }

  /** Sends bytes as they are, apart from those that follow. */
  async sendBytes(bytes: Buffer): Promise<void> {
    this.#sent.push(escaped(bytes));
    await this.connection.sendApart(bytes);
  }

  /** A command for a terminal that sends the same. */
  get byHand(): readonly string[] {
    const { host, port } = this.endpoint;
    return [`printf '${this.#sent.join('')}' | nc -w 3 ${host} ${port} | xxd`];
  }
}

/** Returns bytes as `printf` of a shell takes them. */
function escaped(bytes: Buffer): string {
  return Array.from(bytes.subarray(0, 400), (byte) => {
    const character = String.fromCharCode(byte);
    return /[\w .,+-]/.test(character) ? character : `\\${byte.toString(8).padStart(3, '0')}`;
  }).join('');
}

const sessions = new WeakMap<StepContext, Map<string, LegacySession>>();

/**
 * Returns the connection of a step, opened if it is the first one that names it.
 * @throws NotTestable if the scanner has no such interface, NoAnswer if it does not take the connection
 */
export async function sessionOf(line: LegacyLine, context: StepContext): Promise<LegacySession> {
  const open = sessions.get(context) ?? new Map<string, LegacySession>();
  sessions.set(context, open);
  const name = `${line.interface} ${line.connection ?? ''}`;
  const before = open.get(name);
  if (before !== undefined) return before;
  const { legacyA, legacyB, timeoutMs = usualTimeout } = context.target;
  const endpoint = line.interface === 'A' ? legacyA : legacyB;
  if (endpoint === undefined) throw new NotTestable(`needs the address of interface ${line.interface}`);
  const connection = await LegacyConnection.open(endpoint.host, endpoint.port, timeoutMs);
  context.closeAtEnd(() => connection.close());
  const session = new LegacySession(connection, endpoint);
  open.set(name, session);
  return session;
}

/** Closes the connection of a line: the next step that names it opens another one. */
export function forgetSession(line: LegacyLine, context: StepContext): void {
  const open = sessions.get(context);
  const name = `${line.interface} ${line.connection ?? ''}`;
  open?.get(name)?.connection.close();
  open?.delete(name);
}

export function formOf({ interface: letter, form }: LegacyLine): LegacyForm {
  return form ?? (letter === 'A' ? 'text' : 'binary');
}

/** What is awaited. */
interface Awaited {
  readonly expected: string;
  readonly isWanted: (frame: LegacyFrame) => boolean;
  /** Seconds of the scanner's time; undefined for an answer that comes at once. */
  readonly within?: number | undefined;
}

/** Takes the first telegram that is wanted, as soon as it has come. @throws Unmet if it does not come */
export async function awaitFrame(
  session: LegacySession,
  { expected, isWanted, within }: Awaited,
  { target, signal }: StepContext,
): Promise<LegacyFrame> {
  const { connection } = session;
  const timeout = target.timeoutMs ?? usualTimeout;
  for (let waited = 0; ; waited += waitingStep) {
    const frame = connection.take(isWanted);
    if (frame !== undefined) return frame;
    const missing =
      connection.problem ?? (connection.isClosed ? 'the scanner has closed the connection' : undefined);
    if (missing !== undefined) throw new Unmet({ at: 'telegram', expected, came: missing }, session.byHand);
    if (within !== undefined && waited < within * 1000) await target.clock.wait(waitingStep, signal);
    else if (within !== undefined || !(await connection.something(timeout))) {
      const [other] = connection.waiting;
      const came = other === undefined ? 'nothing' : shownPayload(other);
      throw new Unmet({ at: 'telegram', expected, came }, session.byHand);
    }
  }
}

/** Returns a payload for a report: text, or hex if it has bytes that are no characters. */
export function shownPayload({ payload }: LegacyFrame): string {
  const text = payload.toString('latin1');
  return shown(/^[\x20-\x7e]*$/.test(text) ? text : payload.toString('hex'));
}
