import { echoesPerBeam, type Scan } from '../scan/scan.js';

/** Most beams and segments of a scan, for all of which memory is allocated. */
const mostBeams = 65_535;
const mostSegments = 1000;

/**
 * The fault of a scan that a core hands over; undefined if it has none. A core may be written by anybody: a wrong scan must
 * not stop the scanner. Whether its number and time follow those of the scan before is the concern of ScanPace.
 */
export function scanFault(scan: Scan): string | undefined {
  const { number, time, geometry, distance, rssi, flags } = scan;
  const { beams, beamsPerSegment, frequency, step, firstAngle } = geometry;
  if (!Number.isSafeInteger(number) || number < 0)
    return `its number: expected a whole number, got ${number}`;
  if (!Number.isFinite(time) || time < 0) return `its time: expected µs of the scanner's clock, got ${time}`;
  if (![beams, beamsPerSegment].every((count) => Number.isSafeInteger(count) && count > 0)) {
    return `its geometry: expected whole numbers above 0, got ${beams} beams, ${beamsPerSegment} a segment`;
  }
  if (beams > mostBeams || beams > beamsPerSegment * mostSegments) {
    return `its geometry: expected at most ${mostBeams} beams in ${mostSegments} segments, got ${beams} beams, ${beamsPerSegment} a segment`;
  }
  // In plain JavaScript, they may be texts: sums of angles would be, too.
  const numbers = Object.entries({ firstAngle, step, frequency });
  const text = numbers.find(([, value]) => typeof value !== 'number');
  if (text !== undefined)
    return `its geometry: expected numbers, got ${typeof text[1]} "${text[1]}" as ${text[0]}`;
  const isTurn = Math.abs(firstAngle) <= 360 && (beams - 1) * step <= 360;
  if (!(frequency > 0 && frequency <= 1000 && step > 0 && isTurn)) {
    return `its ${beams} beams begin at ${firstAngle}°, ${step}° apart, at ${frequency} Hz; expected one turn, up to 1000 Hz`;
  }
  const places = beams * echoesPerBeam;
  for (const [name, { length }] of Object.entries({ distance, rssi, flags })) {
    if (length !== places) return `${name}: expected ${places} places for ${beams} beams, got ${length}`;
  }
  return undefined;
}
