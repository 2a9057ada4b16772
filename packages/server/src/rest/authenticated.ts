import type { IncomingMessage } from 'node:http';
import type { Caller, Device, Log } from '@azimuth/device';
import { general, type Method } from '@azimuth/model';
import { basicCredentials } from './basic-credentials.js';

const { CreateSessionToken } = general.members;

/**
 * Who calls a method that is not open to everybody: by the header in the body or, for CreateSessionToken alone and
 * where there is none, by HTTP Basic.
 * @throws Fault 4 or 10
 */
export function authenticated(
  access: Device['access'],
  method: Method<unknown, unknown>,
  header: unknown,
  name: string,
  request: IncomingMessage,
  log: Log,
): Caller {
  if (method === CreateSessionToken && header === undefined) {
    const basic = basicCredentials(request.headers.authorization);
    if (basic !== undefined) return access.authenticatePassword(basic.user, basic.readings, name, log);
  }
  return access.authenticate(header, name, log);
}
