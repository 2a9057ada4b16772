import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, Device, Log } from '@azimuth/device';
import { detailHeader, Fault, type FileEndpoint, reaches, sessionTokenHeader } from '@azimuth/model';
import { valuesOf } from '../http/admission.js';
import { encodeDetail, refuse } from '../http/reply.js';

/** A request for a file, under a verb that the file has and with the session token that it needs. */
export interface Transfer {
  readonly device: Device;
  readonly file: FileEndpoint;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The log of this request: its lines carry the correlation. */
  readonly log: Log;
}

/** Answers a transfer, and reads the request to its end or closes the connection. */
export type Handler = (transfer: Transfer) => Promise<void>;

/** The rest of a refused body may arrive within this time (ms). */
const longestDrain = 10_000;

/**
 * Reads and drops the rest of a body, so that the client receives its refusal and can reuse the connection. The
 * connection is closed if the body does not end in time.
 */
export function drain(request: IncomingMessage, clock: Clock): void {
  request.on('data', () => clock.catchUp());
  if (request.complete || request.destroyed) return;
  const cancel = clock.after(longestDrain, () => request.destroy());
  request.once('close', cancel);
}

/** The level that transfers need, as CreateSessionToken does. */
const needed = 'Service';

/** Does a request carry one session token, known, not expired and of a sufficient level? */
export function tokenIsGood({ sessionTokens }: Device, { rawHeaders }: IncomingMessage): boolean {
  const [token, ...others] = valuesOf(rawHeaders, sessionTokenHeader.toLowerCase());
  const level = sessionTokens.levelOf(token);
  return level !== undefined && others.length === 0 && reaches(level, needed);
}

/**
 * HTTP 403 with the envelope of status 4. The detail says what to do, but not whether the token is unknown or has
 * expired.
 */
export function refuseWithoutToken(device: Device, request: IncomingMessage, response: ServerResponse): void {
  drain(request, device.clock);
  const came = valuesOf(request.rawHeaders, sessionTokenHeader.toLowerCase()).length;
  const which = came === 0 ? 'none was sent' : came > 1 ? `${came} were sent` : 'the one sent is not valid';
  const why = `${sessionTokenHeader}: expected one token of CreateSessionToken that has not expired; ${which}`;
  response.setHeader(detailHeader, encodeDetail(why));
  refuse(response, new Fault('accessDenied', '', why), 403);
}
