import type { Frame } from '@azimuth/client';
import type { ReceiverLosses } from '@azimuth/client/receive';
import { degrees, echoesOf, nearestOf } from '../picture/echoes.js';
import { metres } from '../picture/range.js';

/** What stands below the picture of a frame. @param rate frames a second, where it is known */
export function statusLine(
  frame: Frame,
  facts: { readonly losses: ReceiverLosses; readonly range: number; readonly rate?: number },
): string {
  const { losses, range, rate } = facts;
  const nearest = nearestOf(frame);
  return [
    `frame ${frame.number}${frame.complete ? '' : ' (incomplete)'}`,
    ...(rate === undefined ? [] : [`${rate.toFixed(1)} Hz`]),
    `${frame.beams} beams`,
    `${[...echoesOf(frame)].length} echoes`,
    `lost ${lossesInWords(losses)}`,
    nearest === undefined
      ? 'nothing seen'
      : `nearest ${(nearest.distance / 1000).toFixed(3)} m at ${degrees(nearest.azimuth).toFixed(1)}°`,
    `range ${metres(range)}`,
  ].join('  ');
}

/** `0`, or `3 telegrams, 1 damaged`. */
export function lossesInWords(losses: ReceiverLosses): string {
  const words = [
    [losses.telegrams, 'telegrams'],
    [losses.damaged, 'damaged'],
    [losses.overrun, 'not read in time'],
    [losses.restarts, 'restarts'],
  ] as const;
  const some = words.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return some.length === 0 ? '0' : some.join(', ');
}
