import type { Frame } from '@azimuth/client';
import type { ReceiverLosses } from '@azimuth/client/receive';
import { degrees } from '../picture/echoes.js';

/** A frame as a line of JSON: angles in degrees, distances in mm, `echoes` places a beam with 0 for none. */
export function frameJson(frame: Frame, losses: ReceiverLosses): string {
  const { number, sender, time, endTime, complete, segments, beams, echoes } = frame;
  return JSON.stringify({
    frame: number,
    sender,
    time,
    endTime,
    complete,
    segments,
    beams,
    echoes,
    azimuth: Array.from(frame.azimuth, (rad) => rounded(degrees(rad), 10_000)),
    distance: Array.from(frame.distance, (mm) => rounded(mm, 10)),
    ...(frame.rssi === undefined ? {} : { rssi: [...frame.rssi] }),
    ...(frame.properties === undefined ? {} : { properties: [...frame.properties] }),
    losses,
  });
}

function rounded(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}
