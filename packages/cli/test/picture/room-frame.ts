import type { Frame } from '@azimuth/client';

/** Degrees, then distance (mm) and signal of each echo. */
export type Beam = readonly [degrees: number, ...echoes: (readonly [mm: number, rssi: number])[]];

/** A frame of these beams. */
export function frameOfBeams(...beams: readonly Beam[]): Frame {
  const echoes = Math.max(1, ...beams.map((beam) => beam.length - 1));
  const distance = new Float32Array(beams.length * echoes);
  const rssi = new Uint16Array(beams.length * echoes);
  beams.forEach(([, ...seen], beam) => {
    seen.forEach(([mm, signal], echo) => {
      distance[beam * echoes + echo] = mm;
      rssi[beam * echoes + echo] = signal;
    });
  });
  return {
    number: 7,
    sender: 24_000_001,
    time: 0,
    endTime: 0,
    beams: beams.length,
    echoes,
    azimuth: Float32Array.from(beams, ([degrees]) => (degrees * Math.PI) / 180),
    distance,
    rssi,
    properties: new Uint8Array(beams.length),
    segments: [0],
    complete: true,
  };
}
