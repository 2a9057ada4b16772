import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Device, Log } from '@azimuth/device';
import { Fault, type FileEndpoint } from '@azimuth/model';
import { refuse } from '../http/reply.js';
import { answerCrownFile } from './diagnostic-file.js';
import { answerUpdate } from './firmware-upload.js';
import { answerParameterBackup } from './parameter-backup.js';
import type { Handler } from './transfer.js';
import { refuseWithoutToken, tokenIsGood } from './transfer.js';

const handlers: Readonly<Record<string, Handler>> = {
  parameterbackup: answerParameterBackup,
  update: answerUpdate,
  'crown/file': answerCrownFile,
};

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
  if (file.needsToken(verb, device.edition.release) && !tokenIsGood(device, request)) {
    refuseWithoutToken(device, request, response);
    return;
  }
  const handler = handlers[file.name];
  if (handler === undefined) throw new TypeError(`${file.name} has nothing behind it`);
  await handler({ device, file, request, response, log });
}
