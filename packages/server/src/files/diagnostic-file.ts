import { refuse } from '@azimuth/http';
import { Refusal } from '@azimuth/model';
import { sendFile, type Transfer } from './transfer.js';

/**
 * GET /crown/file: files of the diagnostic archive. The requested name is compared with the names in the archive and
 * never used as a path. HTTP 400 for a bad operation, 404 for an unknown name, 500 if the file cannot be read
 * (specification, Real HTTP error codes). Each error has the envelope as its body, because clients fail on anything but
 * JSON.
 */
export async function respondCrownFile({ device, request, response, log }: Transfer): Promise<void> {
  request.resume();
  try {
    const name = filePathOf(request.url ?? '');
    const archive = await device.features.diagnosis.file(name);
    if (archive === undefined)
      refuse(response, new Refusal('notFound', 'filePath', 'there is no such file'), 404);
    else {
      const disposition = `attachment; filename*=UTF-8''${encoded(name)}`;
      sendFile(response, archive, { type: 'application/zip', disposition });
    }
  } catch (error) {
    if (error instanceof Refusal) {
      refuse(response, error, 400);
      return;
    }
    log.error('A diagnostic file could not be read', { reason: String(error) });
    refuse(response, new Refusal('internalServerError', '', 'the log of the scanner says why'), 500);
  }
}

/** Encodes brackets, too, as RFC 8187 requires: a name may contain them. */
function encoded(name: string): string {
  return encodeURIComponent(name).replaceAll('(', '%28').replaceAll(')', '%29');
}

const parameter = 'filePath';

/**
 * Returns the requested file: the query parameter filePath.
 * @throws Refusal 1 if it is missing, 2 if it is given twice or leads out of the folder
 */
function filePathOf(target: string): string {
  const query = target.indexOf('?');
  const values = new URLSearchParams(query < 0 ? '' : target.slice(query)).getAll(parameter);
  const [path = '', ...more] = values;
  if (path === '') throw new Refusal('parsingFailed', parameter, 'missing');
  if (more.length > 0) throw new Refusal('invalidData', parameter, 'given twice');
  checkInsideFolder(path);
  return path;
}

/** @throws Refusal 2 for an absolute path, a path with `..`, and characters that are not in a name */
function checkInsideFolder(path: string): void {
  if (/[\p{Cc}\uFFFD]/u.test(path))
    throw new Refusal('invalidData', parameter, 'the path contains characters that are not allowed');
  if (/^[/\\]/.test(path) || /^[a-z][a-z0-9+.-]*:/i.test(path)) {
    throw new Refusal('invalidData', parameter, 'an absolute path leads out of the folder');
  }
  if (path.split(/[/\\]/).includes('..')) {
    throw new Refusal('invalidData', parameter, 'this path leads out of the folder');
  }
}
