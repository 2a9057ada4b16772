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

/** The path of the scanners: `/scanners/23450001/api/DeviceIdent`. */
export const scannersPath = '/scanners';

/** A request for one scanner. */
export interface ScannerPath {
  readonly serial: string;
  /** The target for the scanner itself, with its query. Without the slash behind the serial number, it begins with none. */
  readonly target: string;
}

const before = `${scannersPath}/`;

/** Returns the scanner and its target; undefined if the request is not for one scanner. */
export function scannerPathOf(url: string): ScannerPath | undefined {
  if (!url.startsWith(before)) return undefined;
  const end = endOfSerial(url);
  return end === before.length
    ? undefined
    : { serial: url.slice(before.length, end), target: url.slice(end) };
}

/** Index behind the serial number in a path below {@link scannersPath}. */
function endOfSerial(url: string): number {
  for (let at = before.length; at < url.length; at++) {
    const character = url.charCodeAt(at);
    if (character === slash || character === questionMark) return at;
  }
  return url.length;
}

const [slash, questionMark] = ['/', '?'].map((character) => character.charCodeAt(0));

/** True if this request is for one scanner. */
export function isForScanner({ url = '' }: IncomingMessage): boolean {
  return scannerPathOf(url) !== undefined;
}

/** The path at which a page of several scanners reads its source of scan data. It is not a path of the scanner. */
const dataPath = '/data';

/**
 * Responds to paths below the path of a scanner that are equal for all scanners; undefined if the scanner must respond
 * itself.
 */
export function portResponse(
  { serial, target }: ScannerPath,
  request: IncomingMessage,
  response: ServerResponse,
): (() => void) | undefined {
  const refusal =
    isOwnPage(pathOf(target)) || !target.startsWith('/') ? undefined : refusalOfBrowser(request);
  const afterReading = (respond: () => void) => () => {
    request.resume();
    respond();
  };
  if (refusal !== undefined || requestsServiceWorker(request))
    return afterReading(() => respondForbidden(response, refusal ?? noServiceWorker));
  // Relative links of its pages need the slash.
  const slashed = `${scannersPath}/${serial}/${target}`;
  if (!target.startsWith('/'))
    return afterReading(() => response.writeHead(301, { Location: slashed }).end());
  // Pages that show several scanners read here that scan data comes from the scanner itself.
  return target === dataPath ? afterReading(() => respondJson(response, 200, { state: 'live' })) : undefined;
}
