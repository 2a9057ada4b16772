import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, FirmwareBusy, TransferStopped } from '@azimuth/device';
import { Fault } from '@azimuth/model';
import { allowLong } from '../http/broken-requests.js';
import { refuse, reply } from '../http/reply.js';
import { successBody } from '../rest/envelope.js';
import { drain, type Transfer } from './transfer.js';

/** After so many seconds a transfer that finds another one under way may try again. */
const retryAfter = 10;

/**
 * PUT /update: takes a firmware file of any content, which only RunFirmwareUpdate looks at. HTTP 200 once it is on disk;
 * 413 beyond the largest size, 503 while another one comes or is installed, 408 for a client that is too slow, 500 where
 * it cannot be stored. The envelope stands in all of them, and the file before stays in all but the first.
 */
export async function answerUpdate(transfer: Transfer): Promise<void> {
  const { device, file, request, response, log } = transfer;
  const mostBytes = file.facts.verbs.PUT?.maxBytes ?? 0;
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) {
    refuseTooLarge(transfer, `the file has more than ${mostBytes} bytes`);
    return;
  }
  allowLong(request);
  const pace = new Pace(device.clock, () => refuseTooSlow(request, response));
  try {
    await device.firmwareUpdate.receive(longBody(request, mostBytes, pace), log);
    if (!response.headersSent) reply(response, successBody());
  } catch (error) {
    if (error instanceof BodyTooLarge) refuseTooLarge(transfer, error.message);
    else if (error instanceof FirmwareBusy) refuseBusy(transfer, error.message);
    else if (error instanceof BodyBrokenOff) noteBrokenOff(response);
    else refuseUnstored(transfer, error);
  }
}

function refuseTooLarge({ device, request, response }: Transfer, why: string): void {
  drain(request, device.clock);
  refuse(response, new Fault('parsingFailed', '', why), 413);
}

function refuseBusy({ device, request, response }: Transfer, why: string): void {
  drain(request, device.clock);
  response.setHeader('Retry-After', retryAfter);
  refuse(response, new Fault('internalServerError', '', `${why}; try again in ${retryAfter} s`), 503);
}

function refuseUnstored({ device, request, response }: Transfer, error: unknown): void {
  drain(request, device.clock);
  const fault =
    error instanceof Fault ? error : new Fault('internalServerError', '', 'the log of the scanner says why');
  refuse(response, fault, 500);
}

/** The connection ends with the answer, and with it the transfer. */
function refuseTooSlow(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) return;
  response.shouldKeepAlive = false;
  response.once('close', () => request.destroy());
  const { bytes, milliseconds } = slowest;
  const why = `the file was sent too slowly: fewer than ${bytes} bytes in ${milliseconds / 1000} s`;
  refuse(response, new Fault('parsingFailed', '', why), 408);
}

/** No client reads this; only the metrics count it. */
function noteBrokenOff(response: ServerResponse): void {
  if (!response.headersSent) response.statusCode = 400;
}

/** The connection closed before the body had come, or the client was refused as too slow: nobody is left to answer. */
export class BodyBrokenOff extends TransferStopped {
  override readonly name = 'BodyBrokenOff';
}

/** The body is larger than the limit. The rest is not read. */
class BodyTooLarge extends TransferStopped {
  override readonly name = 'BodyTooLarge';
}

/**
 * The chunks of a request body of up to `mostBytes`. Reading is paced by the consumer. If the body is not read to its
 * end, the request is left unchanged.
 * @throws BodyTooLarge, BodyBrokenOff
 */
async function* longBody(
  request: IncomingMessage,
  mostBytes: number,
  pace: Pace,
): AsyncGenerator<Uint8Array> {
  const body = request.iterator({ destroyOnReturn: false });
  let bytes = 0;
  try {
    for (;;) {
      const piece = await next(body, pace);
      if (piece === undefined) return;
      bytes += piece.length;
      if (bytes > mostBytes) throw new BodyTooLarge(`the file has more than ${mostBytes} bytes`);
      yield piece;
    }
  } finally {
    await body.return?.();
  }
}

async function next(body: AsyncIterator<Uint8Array>, pace: Pace): Promise<Uint8Array | undefined> {
  pace.wait();
  try {
    const { done, value } = await body.next();
    const piece: Uint8Array | undefined = done === true ? undefined : value;
    pace.came(piece?.length ?? 0);
    return piece;
  } catch {
    throw new BodyBrokenOff('the connection went before the end of the file');
  } finally {
    pace.end();
  }
}

/** Minimum rate while the scanner waits for the client: 32 KiB a second, which is 100 MiB within 54 minutes. */
const slowest = { bytes: 320 * 1024, milliseconds: 10_000 } as const;

/** Enforces the minimum rate. Time in which the scanner does not read, because its disk is slow, does not count. */
class Pace {
  readonly #clock: Clock;
  readonly #tooSlow: () => void;
  #bytes = 0;
  /** Waiting time (ms) until the next check. */
  #left: number = slowest.milliseconds;
  #since = 0;
  #cancel: (() => void) | undefined;

  /** `tooSlow` is called once. */
  constructor(clock: Clock, tooSlow: () => void) {
    this.#clock = clock;
    this.#tooSlow = tooSlow;
  }

  /** The scanner waits for the client from now on. */
  wait(): void {
    this.#since = this.#clock.monotonic();
    this.#cancel = this.#clock.after(this.#left, () => this.#look());
  }

  /** Counts received bytes. */
  came(bytes: number): void {
    this.end();
    this.#left = Math.max(0, this.#left - (this.#clock.monotonic() - this.#since));
    this.#bytes += bytes;
  }

  end(): void {
    this.#cancel?.();
  }

  #look(): void {
    if (this.#bytes < slowest.bytes) {
      this.#tooSlow();
      return;
    }
    this.#bytes = 0;
    this.#left = slowest.milliseconds;
    this.wait();
  }
}
