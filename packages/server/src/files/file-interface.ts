import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Device, Later, type Log } from '@azimuth/device';
import { Fault, type FileEndpoint } from '@azimuth/model';
import { refuse } from '../http/reply.js';
import type { Handler } from './transfer.js';

// Loaded when somebody asks for the file, so that a scanner starts without it; so is the check of its token.
const handlers: Readonly<Record<string, Later<Handler>>> = {
  parameterbackup: new Later(async () => (await import('./parameter-backup.js')).answerParameterBackup),
  update: new Later(async () => (await import('./update.js')).answerUpdate),
  'crown/file': new Later(async () => (await import('./crown-file.js')).answerCrownFile),
};
const sessionToken = new Later(() => import('./session-token.js'));

/**
 * File transfers under `/api/`, outside the JSON envelope: a verb that the file lacks is status 5 as for any name, a
 * missing or wrong session token HTTP 403 where the release asks for one. What comes with a refused request is read and
 * dropped, so that its client hears of the refusal, and the connection stays of use.
 */
export async function answerFile(
  device: Device,
  file: FileEndpoint,
  request: IncomingMessage,
  response: ServerResponse,
  log: Log,
): Promise<void> {
  const verb = file.verbs.find((known) => known === request.method);
  if (verb === undefined) {
    request.resume();
    const expected = file.verbs.join(', ');
    refuse(
      response,
      new Fault('notFound', '', `${file.name} is a file: ${expected} only, not ${request.method}`),
    );
    return;
  }
  if (file.needsToken(verb, device.edition.release)) {
    const { tokenIsGood, refuseWithoutToken } = await sessionToken.loaded();
    if (!tokenIsGood(device, request)) {
      refuseWithoutToken(device, request, response);
      return;
    }
  }
  const handler = await handlers[file.name]?.loaded();
  if (handler === undefined) throw new TypeError(`${file.name} has nothing behind it`);
  await handler({ device, file, request, response, log });
}
