import type { Frame } from '@azimuth/client';
import { ScanHistory } from '../../src/live/scan-history.js';

/** A scan as the client hands it over. @param distance mm of each echo place, beam by beam; 0 for none */
export function frameOf(
  distance: readonly number[],
  echoes = 1,
  more: Partial<Frame> = {},
): Frame & { readonly beams: number } {
  const beams = distance.length / echoes;
  return {
    ...{ number: 1, sender: 1, time: 1000, endTime: 1900, beams, echoes },
    azimuth: Float32Array.from({ length: beams }, (_, beam) => (beam * Math.PI) / 4),
    distance: Float32Array.from(distance),
    rssi: Uint16Array.from(distance, (_, place) => place + 10),
    ...{ properties: undefined, segments: [0], complete: true },
    ...more,
  };
}

/** A history with these scans, the last one being the newest. */
export function historyOf(...frames: readonly Frame[]): ScanHistory {
  const history = new ScanHistory({ beams: 1000, echoes: 3000 });
  for (const [index, frame] of frames.entries()) history.add(frame, index * 20);
  return history;
}
