import type { HttpAnswer, HttpRequest } from '../wire/http-exchange.js';
import { sentUnfinished } from '../wire/unfinished-request.js';
import { asCurl } from './as-curl.js';
import { contentOf, type FileContent } from './file-content.js';
import { type AnswerExpectation, checkedAnswer } from './request.js';
import { withSaved } from './saved-values.js';
import { type StepContext, Unmet } from './step-context.js';

/** Sends or fetches a file. */
export interface TransferStep {
  readonly kind: 'transfer';
  readonly method: 'GET' | 'PUT' | 'POST';
  /** Path under `/api/`, or from the first slash on. */
  readonly path: string;
  /** A text, or `{ saved: NAME }`. */
  readonly headers?: Readonly<Record<string, string | { readonly saved: string }>>;
  readonly file?: FileContent;
  /** Parts of a multipart body, each with the file, or with another text. By default, the file is the body. */
  readonly parts?: readonly FilePart[];
  /** Announces this many bytes, and sends none of them. */
  readonly announced?: number;
  /** `pending`: no answer, because the scanner waits for the rest of what was announced. */
  readonly expect: AnswerExpectation | 'pending';
  /** The body of the answer is the file that was kept under this name. */
  readonly sameAs?: string;
  /** Name under which the file in an answer with HTTP 200 is kept. */
  readonly keep?: string;
  /** Name under which the file that was sent is kept. */
  readonly keepSent?: string;
}

interface FilePart {
  readonly name: string;
  readonly text?: string;
}

/** What may differ from a plain transfer. */
export type TransferOptions = Partial<Omit<TransferStep, 'kind' | 'method' | 'path' | 'expect'>>;

export function transfer(
  method: TransferStep['method'],
  path: string,
  expect: TransferStep['expect'],
  options: TransferOptions = {},
): TransferStep {
  return { kind: 'transfer', method, path, expect, ...options };
}

/** Time in ms of this computer in which a scanner refuses what it need not wait for. */
const refusalMs = 400;
/** Longest time of an answer in ms, if the target states none. */
const usualTimeout = 5000;

/** @throws Unmet, NotTestable, NoAnswer */
export async function performTransfer(step: TransferStep, context: StepContext): Promise<void> {
  const { expect, file, keepSent } = step;
  const bytes = file === undefined ? undefined : contentOf(file, context);
  if (keepSent !== undefined) context.saved.set(keepSent, bytes);
  const request = requestOf(step, bytes, context);
  const byHand = [asCurl(context.http.origin, request, false)];
  const answer = await answerTo(step, request, context);
  if (expect === 'pending') {
    if (answer === undefined) return;
    const expected = 'none, because the file is not sent yet';
    throw new Unmet({ at: 'answer', expected, came: `HTTP ${answer.status}` }, byHand);
  }
  if (answer === undefined)
    throw new Unmet({ at: 'answer', expected: 'one before the file is sent', came: 'none' }, byHand);
  checkedAnswer(expect, answer, context, byHand);
  checkSame(step, answer, context, byHand);
  if (step.keep !== undefined && answer.status === 200) context.saved.set(step.keep, answer.body);
}

/** Undefined if no answer has come to a request whose body is only announced. */
function answerTo(
  { announced, expect }: TransferStep,
  request: HttpRequest,
  { http, target }: StepContext,
): Promise<HttpAnswer | undefined> {
  if (announced === undefined) return http.send(request);
  const longest = expect === 'pending' ? refusalMs : (target.timeoutMs ?? usualTimeout);
  return sentUnfinished(http.origin, request, longest);
}

function checkSame(
  { sameAs }: TransferStep,
  { body }: HttpAnswer,
  { saved }: StepContext,
  byHand: readonly string[],
): void {
  if (sameAs === undefined) return;
  const file = saved.get(sameAs);
  if (file instanceof Uint8Array && body.equals(file)) return;
  const expected = file instanceof Uint8Array ? `the ${file.length} bytes of the file before` : 'a file';
  throw new Unmet({ at: 'body', expected, came: `${body.length} other bytes` }, byHand);
}

function requestOf(step: TransferStep, bytes: Uint8Array | undefined, context: StepContext): HttpRequest {
  const { method, path, parts, announced } = step;
  const given = Object.entries(step.headers ?? {}).map(
    ([name, value]) => [name, String(withSaved(value, context.saved))] as const,
  );
  const body = bytes === undefined || parts === undefined ? bytes : multipart(parts, bytes);
  const length = announced ?? body?.length;
  return {
    method,
    path: path.startsWith('/') ? path : `/api/${path}`,
    headers: {
      ...(length === undefined ? {} : { 'content-type': typeOf(parts), 'content-length': String(length) }),
      ...Object.fromEntries(given),
    },
    body,
  };
}

const boundary = 'conformance-check-boundary';

function typeOf(parts: TransferStep['parts']): string {
  return parts === undefined ? 'application/octet-stream' : `multipart/form-data; boundary=${boundary}`;
}

function multipart(parts: readonly FilePart[], file: Uint8Array): Buffer {
  const pieces = parts.flatMap(({ name, text }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${name}.json"\r\n` +
        'Content-Type: application/octet-stream\r\n\r\n',
    ),
    text === undefined ? file : Buffer.from(text),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}
