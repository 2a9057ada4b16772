import type { ServerResponse } from 'node:http';
import type { Device } from '@azimuth/device';
import type { Caller } from '@azimuth/device/network-interface';
import { type RequestContext, refuse, valuesOf } from '@azimuth/http';
import { type FileEndpoint, Refusal, sessionTokenHeader } from '@azimuth/model';
import type { Exchange } from '../rest/rest-interface.js';
import { respondCrownFile } from './diagnostic-file.js';
import { respondUpdate } from './firmware-upload.js';
import { respondParameterBackup } from './parameter-backup.js';
import { type Handler, refuseWithoutToken } from './transfer.js';

const handlers: Readonly<Record<string, Handler>> = {
  parameterbackup: respondParameterBackup,
  update: respondUpdate,
  'crown/file': respondCrownFile,
};

/**
 * File transfers under `/api/`, outside the JSON envelope. A verb that the file does not have gets status 5, as any
 * unknown name does. If the release requires a session token, a missing or wrong one gets HTTP 403. The body of a
 * refused request is read and dropped, so that the client receives the refusal and can reuse the connection.
 */
export async function respondFile(
  device: Device,
  file: FileEndpoint,
  context: RequestContext,
  response: ServerResponse,
  exchange: Exchange,
): Promise<void> {
  const { request } = context;
  const verb = file.verbs.find((known) => known === request.method);
  if (verb === undefined) {
    request.resume();
    const expected = file.verbs.join(', ');
    refuse(
      response,
      new Refusal('notFound', '', `${file.name} is a file: ${expected} only, not ${request.method}`),
    );
    return;
  }
  const tokens = valuesOf(request.rawHeaders, sessionTokenHeader.toLowerCase());
  let caller: Caller | undefined;
  try {
    caller = device.features.sessionTokens.admitTransfer(file, verb, tokens);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refuseWithoutToken(device.clock, request, response, error);
    return;
  }
  if (caller !== undefined) exchange.note?.admitted(caller.level);
  const handler = handlers[file.name];
  if (handler === undefined) throw new TypeError(`${file.name} has no handler`);
  await handler({ device, file, context, request, response, caller, log: exchange });
}
