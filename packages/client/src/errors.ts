import { detailHeader, type Status, statuses, statusMessage } from '@azimuth/model';
import type { AnswerHeaders, Reply } from './exchange/exchange.js';

/** What every error of the client is: its message is one line for a person, without passwords and hashes. */
export abstract class ClientError extends Error {}

/** The scanner answered with a status other than 0 (specification, Errors). */
export class ScannerError extends ClientError {
  override readonly name = 'ScannerError';
  /** The status as the model names it; undefined for a number that the specification does not know. */
  readonly statusName: Status | undefined;

  /**
   * @param endpoint the variable or method that was asked for
   * @param status `header.status`
   * @param message `header.message`, spoken for a status that the specification does not know
   * @param detail where and why, as the scanner states it; empty if it states nothing
   */
  constructor(
    readonly endpoint: string,
    readonly status: number,
    message: string,
    readonly detail: string,
  ) {
    const reason = detail === '' ? '' : ` – ${detail}`;
    super(`${endpoint}: ${statusMessage(status) ?? message} (${status})${reason}`);
    this.statusName = statusOfCode(status);
  }
}

/** A method was carried out, but its result is a refusal, for example of changePassword. */
export class ResultError extends ClientError {
  override readonly name = 'ResultError';

  /**
   * @param endpoint the method that was called
   * @param result the number under `data.result`
   * @param resultName its name in the interface: `NOT_ACCEPTED`
   * @param detail what it means here
   */
  constructor(
    readonly endpoint: string,
    readonly result: number,
    readonly resultName: string,
    readonly detail: string,
  ) {
    super(`${endpoint}: ${resultName} (${result}) – ${detail}`);
  }
}

/** A method or a job was refused, failed or did not end in time. */
export class NotDoneError extends ClientError {
  override readonly name = 'NotDoneError';

  /**
   * @param endpoint the method that was called
   * @param outcome the result as the interface names it: `DecryptionError`, `result 2 NOT_ACCEPTED`
   * @param reason what happened
   * @param detail what happened, in words alone, without names of the interface; empty if only the outcome tells
   */
  constructor(
    readonly endpoint: string,
    readonly outcome: string,
    reason: string,
    readonly detail: string = reason,
  ) {
    super(`${endpoint}: ${reason}`);
  }

  /**
   * The scanner refused the call.
   * @param detail what the outcome means; empty if it needs no explanation
   */
  static refused(endpoint: string, outcome: string, detail = ''): NotDoneError {
    const reason = `refused (${outcome})${detail === '' ? '' : ` – ${detail}`}`;
    return new NotDoneError(endpoint, outcome, reason, detail);
  }
}

/** What HTTP statuses of file transfers mean (specification, Real HTTP error codes). */
const meanings: Readonly<Record<number, string>> = {
  400: 'the scanner does not accept this request',
  403: 'the scanner does not accept the session token',
  404: 'there is no such file on the scanner',
  413: 'the file is too large for the scanner',
  500: 'the scanner failed',
  503: 'the scanner is busy with other transfers, try again later',
};

/** A file transfer was refused with a real HTTP status. */
export class TransferError extends ClientError {
  override readonly name = 'TransferError';

  /**
   * @param file the name of the file in the interface
   * @param httpStatus other than 200
   * @param detail where and why, as the scanner states it; empty if it states nothing
   */
  constructor(
    readonly file: string,
    readonly httpStatus: number,
    readonly detail: string,
  ) {
    const meaning = meanings[httpStatus] ?? 'the transfer was refused';
    super(`${file}: HTTP ${httpStatus}, ${meaning}${detail === '' ? '' : ` – ${detail}`}`);
  }

  static of(file: string, reply: Reply): TransferError {
    // A scanner gives its reason in a header, the port of a fleet as text.
    const detail = detailOf(reply.headers);
    return new TransferError(file, reply.httpStatus, detail === '' ? (plainRefusal(reply) ?? '') : detail);
  }
}

/** The scanner kept answering HTTP 429, or asked for more patience than there is. */
export class RateLimitError extends ClientError {
  override readonly name = 'RateLimitError';

  constructor(
    readonly endpoint: string,
    /** Milliseconds after which the scanner may answer. */
    readonly waitMs: number,
  ) {
    const seconds = Math.ceil(waitMs / 1000);
    super(`${endpoint}: the scanner refuses requests (HTTP 429), try again in ${seconds} s`);
  }
}

/** Nothing answers at the URL, or not in time. */
export class UnreachableError extends ClientError {
  override readonly name = 'UnreachableError';

  constructor(
    readonly url: string,
    reason: string,
    cause: unknown,
  ) {
    super(`${url} cannot be reached: ${reason}`, { cause });
  }
}

/** The answer does not come from a scanner, or from one with another interface than the model's. */
export class AnswerError extends ClientError {
  override readonly name = 'AnswerError';

  constructor(
    readonly url: string,
    readonly endpoint: string,
    reason: string,
  ) {
    super(`${endpoint}: ${url} answered ${reason}`);
  }
}

/** A protected call was made without a password. Nothing was sent. */
export class PasswordMissingError extends ClientError {
  override readonly name = 'PasswordMissingError';

  constructor(
    readonly endpoint: string,
    readonly user: string,
  ) {
    super(`${endpoint}: the password of ${user} is needed, and none was given`);
  }
}

function statusOfCode(code: number): Status | undefined {
  for (const [name, status] of Object.entries(statuses)) {
    if (status.code === code && isStatus(name)) return name;
  }
  return undefined;
}

function isStatus(name: string): name is Status {
  return Object.hasOwn(statuses, name);
}

/** Where and why, as the scanner states it; empty if it states nothing. */
export function detailOf(headers: AnswerHeaders): string {
  const encoded = headers.get(detailHeader) ?? '';
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** May a scanner that has answered so, or not at all, have what is asked for later? */
export function mayPass(error: unknown): boolean {
  return [UnreachableError, RateLimitError, AnswerError, ScannerError].some((kind) => error instanceof kind);
}

/** Characters of a reason that somebody else than a scanner states. */
const longestReason = 200;

/**
 * Why a request was refused, if the answer is a text for people, as the port of a fleet gives: its first line, of at most 200
 * characters and safe to print. undefined for any other answer, and if it states nothing.
 */
export function plainRefusal({ httpStatus, headers, text }: Reply): string | undefined {
  if (httpStatus < 400 || !/^text\/plain\b/i.test(headers.get('Content-Type') ?? '')) return undefined;
  const [line = ''] = text.trim().split(/[\r\n]/, 1);
  const characters = [...line.replaceAll(/\p{C}/gu, ' ').trim()];
  if (characters.length === 0) return undefined;
  if (characters.length <= longestReason) return characters.join('');
  return `${characters.slice(0, longestReason).join('')}…`;
}
