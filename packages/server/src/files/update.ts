import type { IncomingMessage, ServerResponse } from 'node:http';
import { FirmwareBusy } from '@azimuth/device';
import { Fault } from '@azimuth/model';
import { allowLong } from '../http/broken-requests.js';
import { refuse, reply } from '../http/reply.js';
import { successBody } from '../rest/envelope.js';
import { drain } from './drain.js';
import { BodyBrokenOff, BodyTooLarge, longBody } from './long-body.js';
import { Pace, slowest } from './pace.js';
import type { Transfer } from './transfer.js';

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
  const why = `the file came too slowly: fewer than ${bytes} bytes in ${milliseconds / 1000} s`;
  refuse(response, new Fault('parsingFailed', '', why), 408);
}

/** Nobody reads this any more but those who count. */
function noteBrokenOff(response: ServerResponse): void {
  if (!response.headersSent) response.statusCode = 400;
}
