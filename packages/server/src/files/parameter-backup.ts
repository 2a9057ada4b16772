import type { ServerResponse } from 'node:http';
import { BodyBrokenOff, BodyRefused, refuse, respond } from '@azimuth/http';
import { retryAfter } from '@azimuth/http/limits';
import { backupRestore, Refusal, type Status } from '@azimuth/model';
import { successBody } from '../rest/response-bodies.js';
import { sendFile, type Transfer } from './transfer.js';
import { PartRefused, PartTooLarge, UploadedFiles } from './uploaded-file.js';

const { PUT: upload = { text: '' } } = backupRestore.members.parameterbackup.facts.verbs;
const uploads = new UploadedFiles(upload);

/**
 * GET, PUT and POST /parameterbackup: the one backup file of the scanner. HTTP 200 when an upload is on disk, whatever
 * its content (RestoreParameterBackup checks it); 404 if there is no file, 400 for an upload without a file, 413 if it
 * is too large, 503 if too many uploads come at once, 500 if it cannot be stored or read. Every response except the
 * file itself has the envelope as its body, because clients fail on anything but JSON.
 */
export async function respondParameterBackup(transfer: Transfer): Promise<void> {
  if (transfer.request.method === 'GET') await send(transfer);
  else await restore(transfer);
}

async function send({ device, request, response, log }: Transfer): Promise<void> {
  request.resume();
  try {
    const file = await device.features.backups.file();
    if (file === undefined) {
      fail(response, 404, 'notFound', 'there is no backup file yet: call CreateParameterBackup first');
      return;
    }
    // An encrypted backup is not JSON, and an uploaded file may be anything.
    const type = file[0] === '{'.charCodeAt(0) ? 'application/json' : 'application/octet-stream';
    sendFile(response, file, { type, disposition: 'attachment; filename="parameterbackup"' });
  } catch (error) {
    log.error('The parameter backup could not be read', { reason: String(error) });
    fail(response, 500, 'internalServerError', 'the log of the scanner says why');
  }
}

async function restore({ device, request, response, caller, log }: Transfer): Promise<void> {
  try {
    const file = await uploads.of(request, device.clock);
    await device.features.backups.receive(file);
    // Only a client with a token is logged: others must not be able to fill the log.
    if (caller !== undefined) {
      log.info('A parameter backup was transferred', { bytes: file.length });
    }
    respond(response, successBody());
  } catch (error) {
    if (error instanceof BodyBrokenOff) return;
    if (error instanceof PartRefused) fail(response, 400, 'parsingFailed', error.message);
    else if (error instanceof PartTooLarge) fail(response, 413, 'parsingFailed', error.message);
    else if (error instanceof BodyRefused) {
      response.setHeader('Retry-After', retryAfter);
      fail(response, 503, 'internalServerError', error.message);
    } else if (error instanceof Refusal) refuse(response, error, 500);
    else {
      log.error('A parameter backup could not be taken', { reason: String(error) });
      fail(response, 500, 'internalServerError', 'the log of the scanner says why');
    }
  }
}

function fail(response: ServerResponse, httpStatus: number, status: Status, why: string): void {
  refuse(response, new Refusal(status, '', why), httpStatus);
}
