import type { PointInSight } from './frame-points.js';
import { degrees } from './texts.js';

/** A scan as it is written to a table. */
export interface ScanTable {
  /** Name of the scanner. */
  readonly scanner: string;
  readonly number: number;
  /** µs on the clock of the scanner. */
  readonly time: number;
  readonly points: readonly PointInSight[];
}

const head = [
  ...['scanner', 'frame', 'time_us', 'beam', 'azimuth_deg', 'echo', 'distance_m', 'rssi'],
  ...['reflector', 'blooming', 'x_m', 'y_m'],
];

/** The echoes of scans as comma-separated values (RFC 4180): a line each. Points are in the coordinates of the machine. */
export function csvOf(scans: readonly ScanTable[]): string {
  const lines = scans.flatMap(({ scanner, number, time, points }) =>
    points.map((point) =>
      [
        ...[quoted(scanner), number, time, point.beam, degrees(point.azimuth), point.echo],
        ...[point.distance.toFixed(4), point.rssi ?? '', Number(point.isReflector), Number(point.isBlooming)],
        ...[point.point.x.toFixed(4), point.point.y.toFixed(4)],
      ].join(','),
    ),
  );
  return `${[head.join(','), ...lines].join('\r\n')}\r\n`;
}

/** A text as one field. A spreadsheet would compute a name that begins like a formula: it gets an apostrophe. */
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
