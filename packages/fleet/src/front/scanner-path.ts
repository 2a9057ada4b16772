/** Where the scanners are: `/scanners/23450001/api/DeviceIdent`. */
export const scannersPath = '/scanners';

/** What a request asks of one scanner. */
export interface ScannerPath {
  readonly serial: string;
  /** The target as the scanner itself has it, with its query; empty if the slash behind the serial number is missing. */
  readonly target: string;
}

/** Undefined if the request is not for one scanner. */
export function scannerPathOf(url: string): ScannerPath | undefined {
  const [, serial, target = ''] = /^\/scanners\/([A-Za-z0-9]{1,9})(?:(\/.*))?$/s.exec(url) ?? [];
  return serial === undefined ? undefined : { serial, target };
}
