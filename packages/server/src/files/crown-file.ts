import type { ServerResponse } from 'node:http';
import { TooFewFiles } from '@azimuth/device';
import { Fault } from '@azimuth/model';
import { asDeclared, refuse } from '../http/reply.js';
import { filePathOf } from './file-path.js';
import { sentFiles } from './sent-files.js';
import type { Transfer } from './transfer.js';

/** Seconds. */
const retryAfter = 1;

/**
 * GET /crown/file: the diagnostic archive, under the names that it has. What is asked for is compared with these names
 * and never made a path. HTTP 400 for a bad operation, 404 for a name that nothing has, 500 where it cannot be read
 * (specification, Real HTTP error codes), each with the envelope as its body: clients end at what is no JSON.
 */
export async function answerCrownFile({ device, request, response, log }: Transfer): Promise<void> {
  request.resume();
  try {
    const name = filePathOf(request.url ?? '');
    const archive = await device.diagnosis.file(name);
    if (archive === undefined) refuse(response, new Fault('notFound', 'filePath', 'no such file'), 404);
    else if (!sentFiles.hasRoomFor(archive)) refuseForNow(response);
    else send(response, name, archive);
  } catch (error) {
    if (error instanceof TooFewFiles) throw error;
    if (error instanceof Fault) {
      refuse(response, error, 400);
      return;
    }
    log.error('A diagnostic file could not be read', { reason: String(error) });
    refuse(response, new Fault('internalServerError', '', 'the log of the scanner says why'), 500);
  }
}

function send(response: ServerResponse, name: string, archive: Uint8Array): void {
  response.writeHead(200, {
    'Content-Type': 'application/zip',
    'Content-Length': archive.length,
    'Content-Disposition': `attachment; filename*=UTF-8''${encoded(name)}`,
    'Cache-Control': 'no-store',
    ...asDeclared,
  });
  sentFiles.send(response, archive);
}

function refuseForNow(response: ServerResponse): void {
  response.setHeader('Retry-After', retryAfter);
  refuse(response, new Fault('internalServerError', '', 'too many files are being sent; try again'), 503);
}

/** As RFC 8187 wants it: brackets are among what it has encoded, and a name may hold them. */
function encoded(name: string): string {
  return encodeURIComponent(name).replaceAll('(', '%28').replaceAll(')', '%29');
}
