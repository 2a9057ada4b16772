import { csvText, type Frame } from '@azimuth/client';
import type { ReceiverLosses } from '@azimuth/client/receive';
import { counted } from '@azimuth/model';
import { jsonText } from '../output/output.js';
import { degrees, frameEchoes, metres, nearestEcho } from '../picture/echoes.js';

/** Returns the line below the picture of a frame. @param rate frames in a second, if it is known */
export function statusLine(
  frame: Frame,
  facts: { readonly losses: ReceiverLosses; readonly range: number; readonly rate?: number },
): string {
  const { losses, range, rate } = facts;
  const nearest = nearestEcho(frame);
  return [
    `frame ${frame.number}${frame.complete ? '' : ' (incomplete)'}`,
    ...(rate === undefined ? [] : [`${rate.toFixed(1)} Hz`]),
    counted(frame.beams, 'beam'),
    counted([...frameEchoes(frame)].length, 'echo', 'echoes'),
    `lost ${lossesText(losses)}`,
    nearest === undefined
      ? 'nothing seen'
      : `nearest ${(nearest.distance / 1000).toFixed(3)} m at ${degrees(nearest.azimuth).toFixed(1)}°`,
    `range ${metres(range)}`,
  ].join('  ');
}

/** Returns `0`, or `3 telegrams, 1 damaged`. */
export function lossesText(losses: ReceiverLosses): string {
  const words = [
    [losses.telegrams, 'telegrams'],
    [losses.damaged, 'damaged'],
    [losses.overrun, 'not read in time'],
    [losses.restarts, 'restarts'],
  ] as const;
  const some = words.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return some.length === 0 ? '0' : some.join(', ');
}

/**
 * Returns a frame as a line of JSON: angles in degrees, distances in mm, `echoes` places for each beam with 0 for
 * none.
 */
export function frameJson(frame: Frame, losses: ReceiverLosses): string {
  const { number, sender, time, endTime, complete, segments, beams, echoes } = frame;
  return jsonText({
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
    rssi: frame.rssi === undefined ? undefined : [...frame.rssi],
    properties: frame.properties === undefined ? undefined : [...frame.properties],
    losses,
  });
}

function rounded(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}

const tableHead = [
  ...['frame', 'beam', 'echo', 'azimuth_deg', 'distance_mm', 'rssi', 'x_mm', 'y_mm'],
  'reflector',
];

/** Returns a frame as comma-separated values: a line for each echo. x points ahead, y to the left. */
export function frameCsv(frame: Frame): string {
  const rows = [...frameEchoes(frame)].map(({ beam, echo, azimuth, distance, rssi, reflector }) => [
    ...[frame.number, beam, echo, degrees(azimuth).toFixed(4), distance.toFixed(1), rssi ?? ''],
    ...[(distance * Math.cos(azimuth)).toFixed(1), (distance * Math.sin(azimuth)).toFixed(1)],
    reflector ? 1 : 0,
  ]);
  return csvText(tableHead, rows, '\n');
}
