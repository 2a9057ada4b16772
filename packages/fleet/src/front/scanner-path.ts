/** Where the scanners are: `/scanners/23450001/api/DeviceIdent`. */
export const scannersPath = '/scanners';

/** What a request asks of one scanner. */
export interface ScannerPath {
  readonly serial: string;
  /** The target as the scanner itself has it, with its query; empty if the slash behind the serial number is missing. */
  readonly target: string;
}

const before = `${scannersPath}/`;

/** Undefined if the request is not for one scanner. */
export function scannerPathOf(url: string): ScannerPath | undefined {
  if (!url.startsWith(before)) return undefined;
  const slash = url.indexOf('/', before.length);
  const serial = slash < 0 ? url.slice(before.length) : url.slice(before.length, slash);
  if (serial === '' || serial.includes('?')) return undefined;
  return { serial, target: slash < 0 ? '' : url.slice(slash) };
}
