import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  noServiceWorker,
  pathOf,
  refusalOfBrowser,
  requestsServiceWorker,
  respondForbidden,
  respondJson,
} from '@azimuth/http';
import { isOwnPage } from '@azimuth/server/pages';

/** Where the scanners are: `/scanners/23450001/api/DeviceIdent`. */
export const scannersPath = '/scanners';

/** What a request asks of one scanner. */
export interface ScannerPath {
  readonly serial: string;
  /** The target as the scanner itself has it, with its query. Without the slash behind the serial number, it begins with none. */
  readonly target: string;
}

const before = `${scannersPath}/`;

/** Undefined if the request is not for one scanner. */
export function scannerPathOf(url: string): ScannerPath | undefined {
  if (!url.startsWith(before)) return undefined;
  const rest = url.slice(before.length);
  const serial = /^[^/?]*/.exec(rest)?.[0] ?? '';
  return serial === '' ? undefined : { serial, target: rest.slice(serial.length) };
}

/** Is this request for one scanner? */
export function isForScanner({ url = '' }: IncomingMessage): boolean {
  return scannerPathOf(url) !== undefined;
}

/** Where a page of several scanners asks how scan data comes to it. Not a path of the scanner. */
const dataPath = '/data';

/** What a port that has a scanner answers itself below its path, in the same way for all of them; undefined if the scanner is asked. */
export function ownAnswer(
  { serial, target }: ScannerPath,
  request: IncomingMessage,
  response: ServerResponse,
): (() => void) | undefined {
  const refusal =
    isOwnPage(pathOf(target)) || !target.startsWith('/') ? undefined : refusalOfBrowser(request);
  const answer = (reply: () => void) => () => {
    request.resume();
    reply();
  };
  if (refusal !== undefined || requestsServiceWorker(request))
    return answer(() => respondForbidden(response, refusal ?? noServiceWorker));
  // Relative links of its pages need the slash.
  const slashed = `${scannersPath}/${serial}/${target}`;
  if (!target.startsWith('/')) return answer(() => response.writeHead(301, { Location: slashed }).end());
  // Pages that show several scanners ask how scan data comes to them: from the scanner itself.
  return target === dataPath ? answer(() => respondJson(response, 200, { state: 'live' })) : undefined;
}
