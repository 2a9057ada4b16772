import { detailHeader, type Status, statuses, statusMessage } from '@azimuth/model';
import type { HttpResponse, ResponseHeaders } from './exchange/exchange.js';

/** Base class of all errors of the client. The message is one line for a person, without passwords and hashes. */
export abstract class ClientError extends Error {}

/** The scanner answered with a status other than 0 (specification, Errors). */
export class ScannerError extends ClientError {
  override readonly name = 'ScannerError';
  /** The name of the status in the model; undefined for a number that the specification does not know. */
  readonly statusName: Status | undefined;

  /**
   * @param endpoint the requested variable or method
   * @param status `header.status`
   * @param message `header.message`, part of the error message if the specification does not know the status
   * @param detail place and reason, as the scanner states them; empty if it states nothing
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
   * @param endpoint the called method
   * @param result the number under `data.result`
   * @param resultName its name in the interface: `NOT_ACCEPTED`
   * @param detail its meaning here
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
   * @param endpoint the called method
   * @param outcome the result as the interface names it: `DecryptionError`, `result 2 NOT_ACCEPTED`
   * @param reason the reason for people
   * @param detail the reason in words alone, without names of the interface; empty if only the outcome is known
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
   * Makes the error for a call that the scanner refused.
   * @param detail meaning of the outcome; empty if it needs no explanation
   */
  static refused(endpoint: string, outcome: string, detail = ''): NotDoneError {
    const reason = `refused (${outcome})${detail === '' ? '' : ` – ${detail}`}`;
    return new NotDoneError(endpoint, outcome, reason, detail);
  }
}

/** Meaning of the HTTP statuses of file transfers (specification, Real HTTP error codes). */
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
   * @param detail place and reason, as the scanner states them; empty if it states nothing
   */
  constructor(
    readonly file: string,
    readonly httpStatus: number,
    readonly detail: string,
  ) {
    const meaning = meanings[httpStatus] ?? 'the transfer was refused';
    super(`${file}: HTTP ${httpStatus}, ${meaning}${detail === '' ? '' : ` – ${detail}`}`);
  }

  static of(file: string, response: HttpResponse): TransferError {
    // A scanner gives its reason in a header, the port of a fleet as text.
    const detail = refusalDetail(response.headers);
    return new TransferError(
      file,
      response.httpStatus,
      detail === '' ? (plainRefusal(response) ?? '') : detail,
    );
  }
}

/** The scanner answered HTTP 429 to every attempt, or asked for a longer wait than the client accepts. */
export class RateLimitError extends ClientError {
  override readonly name = 'RateLimitError';

  constructor(
    readonly endpoint: string,
    /** Milliseconds after which the scanner may accept requests again. */
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

/** The answer does not come from a scanner, or from a scanner whose interface differs from the model. */
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

/** Header of a product of its own, as in `Acme-Detail`. */
const ownDetailHeader = /^[a-z][a-z0-9-]{0,30}-detail$/i;

/** Returns the header with the reason of a refusal: the one of the built-in product, or the only one of another. */
function detailIn(headers: ResponseHeaders): string {
  const builtIn = headers.get(detailHeader);
  if (builtIn !== null) return builtIn;
  const [own, ...others] = [...headers.keys()].filter((name) => ownDetailHeader.test(name));
  return own === undefined || others.length > 0 ? '' : (headers.get(own) ?? '');
}

/**
 * Returns place and reason, as the scanner states them; empty if it states nothing. A product of its own has another
 * prefix in the name of the header.
 */
export function refusalDetail(headers: ResponseHeaders): string {
  const encoded = detailIn(headers);
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** True if the error may be temporary: the same request may succeed later. */
export function mayPass(error: unknown): boolean {
  return [UnreachableError, RateLimitError, AnswerError, ScannerError].some((kind) => error instanceof kind);
}

/** Maximum characters of a reason that does not come from a scanner. */
const maxReasonLength = 200;

/**
 * Returns the reason of a refusal that is plain text, as from the port of a fleet: the first line, at most 200
 * characters, safe to print. Returns undefined for any other response, and for an empty text.
 */
export function plainRefusal({ httpStatus, headers, text }: HttpResponse): string | undefined {
  if (httpStatus < 400 || !/^text\/plain\b/i.test(headers.get('Content-Type') ?? '')) return undefined;
  const [line = ''] = text.trim().split(/[\r\n]/, 1);
  const characters = [...line.replaceAll(/\p{C}/gu, ' ').trim()];
  if (characters.length === 0) return undefined;
  if (characters.length <= maxReasonLength) return characters.join('');
  return `${characters.slice(0, maxReasonLength).join('')}…`;
}
