import type { Frame } from '@azimuth/client';

/** A hall of 9 × 12 m with a post of 40 cm, a reflector on the left wall, and glass ahead that is seen through. */
export function roomFrame(step = 0.25): Frame {
  const beams = Math.round(276 / step) + 1;
  const azimuth = Float32Array.from({ length: beams }, (_, i) => ((-138 + i * step) * Math.PI) / 180);
  const distance = new Float32Array(beams * 3);
  const rssi = new Uint16Array(beams * 3);
  const properties = new Uint8Array(beams);
  azimuth.forEach((angle, beam) => {
    const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
    const wall = Math.min(
      dx > 0 ? 8000 / dx : Number.POSITIVE_INFINITY,
      dx < 0 ? -4000 / dx : Number.POSITIVE_INFINITY,
      dy > 0 ? 4500 / dy : Number.POSITIVE_INFINITY,
      dy < 0 ? -4500 / dy : Number.POSITIVE_INFINITY,
    );
    const along = 3000 * dx - 1500 * dy;
    const aside = Math.abs(-3000 * dy - 1500 * dx);
    const post = along > 0 && aside < 200 ? along - Math.sqrt(200 ** 2 - aside ** 2) : undefined;
    const glass = dx > 0 && Math.abs(dy / dx) < 0.15 ? 6000 / dx : undefined;
    const seen = post === undefined ? (glass === undefined ? [wall] : [glass, wall]) : [post];
    const noise = 12 * Math.sin(beam * 12.9898) * Math.cos(beam * 78.233);
    seen.forEach((value, echo) => {
      distance[beam * 3 + echo] = value + noise;
      rssi[beam * 3 + echo] = Math.min(65_535, Math.round(9e7 / value + (value === post ? 9000 : 0)));
    });
    if (dy > 0 && Math.abs(wall * dx - 2000) < 150 && seen[0] === wall) {
      properties[beam] = 1;
      rssi[beam * 3] = 60_000;
    }
  });
  return {
    number: 4711,
    sender: 24_000_001,
    time: 1_000_000,
    endTime: 1_050_000,
    beams,
    echoes: 3,
    azimuth,
    distance,
    rssi,
    properties,
    segments: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    complete: true,
  };
}

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
