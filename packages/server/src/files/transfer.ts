import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller, Clock, Device, Log } from '@azimuth/device';
import { encodeDetail, type RequestContext, refuse } from '@azimuth/http';
import { longestDrain } from '@azimuth/http/limits';
import { detailHeader, type Fault, type FileEndpoint } from '@azimuth/model';

/** A request for a file, under a verb that the file has and with the session token that it needs. */
export interface Transfer {
  readonly device: Device;
  readonly file: FileEndpoint;
  readonly context: RequestContext;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The owner of its session token; undefined if the release does not ask for one. */
  readonly caller: Caller | undefined;
  /** The log of this request: its lines carry the correlation. */
  readonly log: Log;
}

/** Answers a transfer, and reads the request to its end or closes the connection. */
export type Handler = (transfer: Transfer) => Promise<void>;

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

/** Refuses a transfer without a valid session token: HTTP 403 with the envelope of status 4, and the detail in a header. */
export function refuseWithoutToken(
  clock: Clock,
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault,
): void {
  drain(request, clock);
  response.setHeader(detailHeader, encodeDetail(fault.message));
  refuse(response, fault, 403);
}
