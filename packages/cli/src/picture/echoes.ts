import { type Frame, reflectorEchoes } from '@azimuth/client';

/** One echo of a frame. */
export interface Echo {
  readonly beam: number;
  /** Index in its beam; 0 is the nearest. */
  readonly echo: number;
  /** rad, counter-clockwise about the axis ahead. */
  readonly azimuth: number;
  /** mm. */
  readonly distance: number;
  /** 0 to 65535; undefined if the scanner does not send it. */
  readonly rssi: number | undefined;
  readonly reflector: boolean;
}

/** Yields the echoes, beam by beam. */
export function* frameEchoes(frame: Frame): Generator<Echo> {
  for (let beam = 0; beam < frame.beams; beam++) {
    const first = beam * frame.echoes;
    const properties = frame.properties?.[beam] ?? 0;
    const reflectors = reflectorEchoes(properties, frame.distance, frame.rssi, first, frame.echoes);
    for (let echo = 0; echo < frame.echoes; echo++) {
      const distance = frame.distance[first + echo] ?? 0;
      if (!(distance > 0)) continue;
      const azimuth = frame.azimuth[beam] ?? 0;
      const rssi = frame.rssi?.[first + echo];
      yield { beam, echo, azimuth, distance, rssi, reflector: ((reflectors >> echo) & 1) === 1 };
    }
  }
}

/** Returns the echo with the smallest distance; undefined if there is none. */
export function nearestEcho(frame: Frame): Echo | undefined {
  let nearest: Echo | undefined;
  for (const echo of frameEchoes(frame)) {
    if (nearest === undefined || echo.distance < nearest.distance) nearest = echo;
  }
  return nearest;
}

export function degrees(rad: number): number {
  return (rad * 180) / Math.PI;
}

/** The scale of the signal strengths of a picture from weak to strong, without a few outliers. */
interface SignalSpan {
  readonly weakest: number;
  readonly strongest: number;
  /** Returns 0 for the weakest, 1 for the strongest. */
  relativeStrength(rssi: number): number;
}

export function signalSpan(echoes: readonly Echo[]): SignalSpan {
  const signals = Uint16Array.from(echoes, ({ rssi = 0 }) => rssi).sort();
  const at = (share: number) => signals[Math.round((signals.length - 1) * share)] ?? 0;
  const weakest = at(0.02);
  const strongest = at(0.98);
  const width = Math.max(1, strongest - weakest);
  return { weakest, strongest, relativeStrength: (rssi) => (rssi - weakest) / width };
}

/** mm. */
const smallest = 1000;
const maxRange = 1_000_000;

/** Round ranges in mm: 1, 2, 5, 10, 20, 50 m … and some between. */
const steps = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];

/**
 * Returns the range of a picture of this frame (mm): all echoes except a few outliers are in it.
 * @returns at least 1 m, at most 1 km; 10 m without echoes
 */
export function pictureRange(frame: Frame): number {
  const distances = frame.distance.filter((distance) => distance > 0).sort();
  const far = distances[Math.floor((distances.length - 1) * 0.98)];
  return far === undefined ? 10_000 : roundRange(far * 1.05);
}

/** Returns the next larger round range (mm). */
export function roundRange(distance: number): number {
  const preferred = Math.min(maxRange, Math.max(smallest, distance));
  const decade = 10 ** Math.floor(Math.log10(preferred));
  const step = steps.find((step) => step * decade >= preferred * (1 - 1e-9)) ?? 10;
  return Math.min(maxRange, step * decade);
}

/** Returns the distances of range rings (mm): four to nine, the last one not beyond the range. */
export function ringDistances(range: number): readonly number[] {
  const decade = 10 ** Math.floor(Math.log10(range / 4));
  const apart = ([1, 2, 5, 10].findLast((step) => range / (step * decade) >= 4) ?? 1) * decade;
  return Array.from({ length: Math.floor(range / apart + 1e-9) }, (_, i) => (i + 1) * apart);
}

/** Returns `5 m`, `0.5 m`. */
export function metres(distance: number): string {
  return `${Number((distance / 1000).toFixed(2))} m`;
}
