import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Device } from '@azimuth/device';
import { detailHeader, Fault, reaches, sessionTokenHeader } from '@azimuth/model';
import { valuesOf } from '../http/admission.js';
import { encodeDetail, refuse } from '../http/reply.js';
import { drain } from './drain.js';

/** The level that transfers need, as CreateSessionToken does. */
const needed = 'Service';

/** Does a request carry one session token, known, not expired and of a sufficient level? */
export function tokenIsGood({ sessionTokens }: Device, { rawHeaders }: IncomingMessage): boolean {
  const [token, ...others] = valuesOf(rawHeaders, sessionTokenHeader.toLowerCase());
  const level = sessionTokens.levelOf(token);
  return level !== undefined && others.length === 0 && reaches(level, needed);
}

/**
 * HTTP 403 with the envelope of status 4. The detail tells what to do; whether the token is unknown or has expired it
 * does not.
 */
export function refuseWithoutToken(device: Device, request: IncomingMessage, response: ServerResponse): void {
  drain(request, device.clock);
  const came = valuesOf(request.rawHeaders, sessionTokenHeader.toLowerCase()).length;
  const which = came === 0 ? 'none came' : came > 1 ? `${came} came` : 'one that is not good came';
  const why = `${sessionTokenHeader}: one token of CreateSessionToken expected, not expired; ${which}`;
  response.setHeader(detailHeader, encodeDetail(why));
  refuse(response, new Fault('accessDenied', '', why), 403);
}
