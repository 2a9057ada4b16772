import { echoesPerBeam, type Scan } from '../scan/scan.js';

/**
 * What is wrong with a scan that a core hands over; undefined where nothing is. A core is somebody else's: what it gives
 * must not bring the scanner down.
 * @param last number of the scan before; undefined for the first one of an order
 */
export function scanFault(scan: Scan, last: number | undefined): string | undefined {
  const { number, time, geometry, distance, rssi, flags } = scan;
  const { beams, beamsPerSegment, frequency, step, firstAngle } = geometry;
  if (!Number.isSafeInteger(number) || number < 0)
    return `its number is ${number}, a whole number was expected`;
  if (last !== undefined && number <= last) return `its number is ${number}, more than ${last} was expected`;
  if (!Number.isFinite(time) || time < 0)
    return `its time is ${time}, µs of the scanner's clock were expected`;
  if (![beams, beamsPerSegment].every((count) => Number.isSafeInteger(count) && count > 0)) {
    return `it has ${beams} beams, ${beamsPerSegment} a segment, whole numbers above 0 were expected`;
  }
  if (!(frequency > 0 && frequency <= 1000 && step > 0 && Number.isFinite(firstAngle))) {
    return `its beams begin at ${firstAngle}°, ${step}° apart, at ${frequency} Hz`;
  }
  const places = beams * echoesPerBeam;
  for (const [name, { length }] of Object.entries({ distance, rssi, flags })) {
    if (length !== places) return `${name} has ${length} places, ${places} were expected for ${beams} beams`;
  }
  return undefined;
}
