import { NoAnswer } from '../wire/http-exchange.js';
import { RawConnection } from '../wire/raw-connection.js';
import { type AnswerExpectation, checkedAnswer } from './request.js';
import { filledIn } from './saved-values.js';
import { type StepContext, targetUrl, Unmet, usualTimeout } from './step-context.js';

/** A part of what is sent: a text, of which each character is a byte, or the same text many times. */
export type RawPiece = string | { readonly repeat: string; readonly times: number };

/** What an answer on the connection is expected to be. */
export interface RawAnswer extends AnswerExpectation {
  /** True for the answer to HEAD: no body follows its headers. */
  readonly toHead?: true;
}

/** Bytes that are sent over a connection of their own, whether they are HTTP or not. */
export interface RawStep {
  readonly kind: 'raw';
  /** The connection is one of TLS. */
  readonly over?: 'https';
  /** Sent one after the other. `{host}` stands for host and port of the scanner, `{NAME}` for a saved text. */
  readonly send: readonly RawPiece[];
  /** True if the sending side is closed after that. */
  readonly end?: true;
  /** Answers in their order. */
  readonly answers: readonly RawAnswer[];
  /** True if the scanner closes the connection then, and sends nothing more before. */
  readonly closes?: true;
}

/** What may differ from a plain exchange. */
type RawOptions = Pick<RawStep, 'over' | 'end' | 'closes'>;

/** Sends bytes, and expects answers. */
export function raw(
  send: RawPiece | readonly RawPiece[],
  answers: RawAnswer | readonly RawAnswer[],
  options: RawOptions = {},
): RawStep {
  return { kind: 'raw', send: listOf(send), answers: listOf(answers), ...options };
}

function listOf<T extends object | string>(one: T | readonly T[]): readonly T[] {
  return isList(one) ? one : [one];
}

function isList<T extends object | string>(one: T | readonly T[]): one is readonly T[] {
  return Array.isArray(one);
}

/** @throws Unmet, NotTestable, NoAnswer */
export async function performRaw(step: RawStep, context: StepContext): Promise<void> {
  const url = targetUrl(step.over, context);
  const pieces = step.send.map((piece) => bytesOf(piece, new URL(url).host, context));
  const connection = await RawConnection.open(url, context.target.timeoutMs ?? usualTimeout);
  context.closeAtEnd(() => connection.close());
  const byHand = [asNetcat(url, Buffer.concat(pieces))];
  try {
    for (const piece of pieces) await connection.send(piece);
    if (step.end === true) connection.endSending();
    for (const { toHead = false, ...expect } of step.answers)
      checkedAnswer(expect, await connection.answer(toHead), context, byHand);
    if (step.closes === true) await expectClosed(connection, byHand);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    throw new Unmet({ at: 'answer', expected: 'an answer', came: error.message }, byHand);
  } finally {
    connection.close();
  }
}

async function expectClosed(connection: RawConnection, byHand: readonly string[]): Promise<void> {
  const differs = (came: string) =>
    new Unmet({ at: 'connection', expected: 'that it is closed', came }, byHand);
  try {
    const rest = await connection.closed();
    if (rest.length > 0) throw differs(`${rest.length} more bytes`);
  } catch (error) {
    if (error instanceof NoAnswer) throw differs('it stays open');
    throw error;
  }
}

function bytesOf(piece: RawPiece, host: string, { saved }: StepContext): Buffer {
  if (typeof piece !== 'string') return Buffer.from(piece.repeat.repeat(piece.times), 'latin1');
  return Buffer.from(filledIn(piece, new Map([...saved, ['host', host]])), 'latin1');
}

/** Longest text of a command, in bytes. */
const longestShown = 2000;

/** Returns a command that sends the bytes by hand. */
function asNetcat(url: string, bytes: Buffer): string {
  const { protocol, hostname, port } = new URL(url);
  const shown = [...bytes.subarray(0, longestShown)].map(escaped).join('');
  const cut = bytes.length > longestShown ? '…' : '';
  const program =
    protocol === 'https:'
      ? `openssl s_client -quiet -connect ${hostname}:${port || 443}`
      : `nc ${hostname} ${port || 80}`;
  return `printf '%b' '${shown}${cut}' | ${program}`;
}

function escaped(byte: number): string {
  if (byte === 0x0d) return '\\r';
  if (byte === 0x0a) return '\\n';
  const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c;
  return isPlain ? String.fromCharCode(byte) : `\\0${byte.toString(8).padStart(3, '0')}`;
}
