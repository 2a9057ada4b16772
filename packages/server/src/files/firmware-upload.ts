import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@azimuth/device';
import { FirmwareBusy, TransferStopped } from '@azimuth/device/network-interface';
import { refuse, respond } from '@azimuth/http';
import { Refusal } from '@azimuth/model';
import { successBody } from '../rest/response-bodies.js';
import { firmwareRetryAfter, slowestFirmware } from './limits.js';
import { drain, type Transfer } from './transfer.js';

/**
 * PUT /update: stores a firmware file. RunFirmwareUpdate checks its content later. HTTP 200 when it is on disk, 413 if
 * it is too large, 503 while another file is being received or installed, 408 if the client is too slow, 500 if the
 * file cannot be stored. Each response has the envelope. Unless the response is HTTP 200, the previous file stays.
 */
export async function respondUpdate(transfer: Transfer): Promise<void> {
  const { device, file, context, request, response, log } = transfer;
  const mostBytes = file.facts.verbs.PUT?.maxBytes ?? 0;
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) {
    refuseTooLarge(transfer, `the file has more than ${mostBytes} bytes`);
    return;
  }
  context.allowLong();
  const pace = new Pace(device.clock, () => refuseTooSlow(request, response));
  try {
    await device.features.firmwareUpdate.receive(longBody(request, mostBytes, pace), log);
    if (!response.headersSent) respond(response, successBody());
  } catch (error) {
    if (error instanceof BodyTooLarge) refuseTooLarge(transfer, error.message);
    else if (error instanceof FirmwareBusy) refuseBusy(transfer, error.message);
    else if (error instanceof BrokenOff) recordBrokenOff(response);
    else refuseUnstored(transfer, error);
  }
}

function refuseTooLarge({ device, request, response }: Transfer, why: string): void {
  drain(request, device.clock);
  refuse(response, new Refusal('parsingFailed', '', why), 413);
}

function refuseBusy({ device, request, response }: Transfer, why: string): void {
  drain(request, device.clock);
  response.setHeader('Retry-After', firmwareRetryAfter);
  refuse(
    response,
    new Refusal('internalServerError', '', `${why}; try again in ${firmwareRetryAfter} s`),
    503,
  );
}

function refuseUnstored({ device, request, response }: Transfer, error: unknown): void {
  drain(request, device.clock);
  const refusal =
    error instanceof Refusal
      ? error
      : new Refusal('internalServerError', '', 'the log of the scanner says why');
  refuse(response, refusal, 500);
}

/** Closes the connection after the response, which ends the transfer. */
function refuseTooSlow(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) return;
  response.shouldKeepAlive = false;
  response.once('close', () => request.destroy());
  const { bytes, milliseconds } = slowestFirmware;
  const why = `the file was sent too slowly: fewer than ${bytes} bytes in ${milliseconds / 1000} s`;
  refuse(response, new Refusal('parsingFailed', '', why), 408);
}

/** Sets the HTTP status for the metrics. No client receives it. */
function recordBrokenOff(response: ServerResponse): void {
  if (!response.headersSent) response.statusCode = 400;
}

/** Error for a body that is larger than the limit. The rest is not read. */
class BodyTooLarge extends TransferStopped {
  override readonly name = 'BodyTooLarge';
}

/** Error for a connection that closed before the file was complete. */
class BrokenOff extends TransferStopped {
  override readonly name = 'BrokenOff';
}

/**
 * Returns the chunks of a request body of up to `mostBytes`. The consumer sets the pace of reading. If the body is not
 * read to its end, the request is left unchanged.
 * @throws BodyTooLarge, BrokenOff
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
    pace.received(piece?.length ?? 0);
    return piece;
  } catch {
    throw new BrokenOff();
  } finally {
    pace.end();
  }
}

/**
 * Enforces the minimum rate `slowestFirmware`. Time in which the scanner does not read (a slow disk) does not count.
 */
class Pace {
  readonly #clock: Clock;
  readonly #tooSlow: () => void;
  #bytes = 0;
  /** Time (ms) until the next check. */
  #remaining: number = slowestFirmware.milliseconds;
  #waitingSince = 0;
  #cancel: (() => void) | undefined;

  /** @param tooSlow called once */
  constructor(clock: Clock, tooSlow: () => void) {
    this.#clock = clock;
    this.#tooSlow = tooSlow;
  }

  /** Starts to count time, because the scanner waits for the client. */
  wait(): void {
    this.#waitingSince = this.#clock.monotonic();
    this.#cancel = this.#clock.after(this.#remaining, () => this.#check());
  }

  /** Counts received bytes. */
  received(bytes: number): void {
    this.end();
    this.#remaining = Math.max(0, this.#remaining - (this.#clock.monotonic() - this.#waitingSince));
    this.#bytes += bytes;
  }

  end(): void {
    this.#cancel?.();
  }

  #check(): void {
    if (this.#bytes < slowestFirmware.bytes) {
      this.#tooSlow();
      return;
    }
    this.#bytes = 0;
    this.#remaining = slowestFirmware.milliseconds;
    this.wait();
  }
}
