import type { Frame } from '@azimuth/client';

/** One echo of a frame. */
export interface Echo {
  readonly beam: number;
  /** 0 is the nearest of its beam. */
  readonly echo: number;
  /** rad, counter-clockwise about the axis ahead. */
  readonly azimuth: number;
  /** mm. */
  readonly distance: number;
  /** 0 to 65535; undefined where the scanner does not send it. */
  readonly rssi: number | undefined;
  readonly reflector: boolean;
}

/** The echoes that there are, beam by beam. The mark of a reflector belongs to the last echo of its beam. */
export function* echoesOf(frame: Frame): Generator<Echo> {
  for (let beam = 0; beam < frame.beams; beam++) {
    const first = beam * frame.echoes;
    const last = lastEcho(frame, first);
    const reflecting = ((frame.properties?.[beam] ?? 0) & 1) === 1;
    for (let echo = 0; echo <= last; echo++) {
      const distance = frame.distance[first + echo] ?? 0;
      if (!(distance > 0)) continue;
      const azimuth = frame.azimuth[beam] ?? 0;
      const rssi = frame.rssi?.[first + echo];
      yield { beam, echo, azimuth, distance, rssi, reflector: reflecting && echo === last };
    }
  }
}

/** The echo with the smallest distance; undefined where there is none. */
export function nearestOf(frame: Frame): Echo | undefined {
  let nearest: Echo | undefined;
  for (const echo of echoesOf(frame)) {
    if (nearest === undefined || echo.distance < nearest.distance) nearest = echo;
  }
  return nearest;
}

function lastEcho({ echoes, distance }: Frame, first: number): number {
  for (let echo = echoes - 1; echo >= 0; echo--) {
    if ((distance[first + echo] ?? 0) > 0) return echo;
  }
  return -1;
}

export function degrees(rad: number): number {
  return (rad * 180) / Math.PI;
}
