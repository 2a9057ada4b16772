import type { IncomingMessage } from 'node:http';

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

/** Whether the request is to become a WebSocket of a scanner. Any other one with such a header, as `h2c`, is answered as without it. */
export function isForWebSocket({ method, headers, url = '' }: IncomingMessage): boolean {
  return (
    method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && scannerPathOf(url) !== undefined
  );
}
