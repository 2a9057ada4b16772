import {
  angleOf,
  EchoFlag,
  echoesPerBeam,
  type MeasuringCore,
  type MeasuringOrder,
  RevolutionTimer,
  Scan,
  type ScanGeometry,
} from '../../src/index.js';

/** Distances of the echoes of a beam at this angle (degrees), the nearest first. */
export type Sight = (angle: number) => readonly number[];

export const nothing: Sight = () => [];

/** Something at a distance between two angles. */
export function arc(from: number, to: number, ...distances: readonly number[]): Sight {
  return (angle) => (angle >= from && angle <= to ? distances : []);
}

/** The first of two sights at angles where it has an echo, otherwise the second. */
export function before(...sights: readonly Sight[]): Sight {
  return (angle) => sights.map((sight) => sight(angle)).find(({ length }) => length > 0) ?? [];
}

/** 10 turns a second, a beam at every degree from -90° to 90°: the last of them is measured 50 ms after the first. */
export const halfTurn: ScanGeometry = {
  frequency: 10,
  firstAngle: -90,
  step: 1,
  beams: 181,
  beamsPerSegment: 181,
};

/** A core with scripted echoes. */
export class ScriptedCore implements MeasuringCore {
  geometry = halfTurn;
  sight: Sight = nothing;
  /** Distances at which it sees reflectors. */
  reflectorsAt: ReadonlySet<number> = new Set();
  /** Number of its scans. */
  computed = 0;
  #timer: RevolutionTimer | undefined;

  get frequency(): number {
    return this.geometry.frequency;
  }

  start(order: MeasuringOrder, measured: (scan: Scan) => void): void {
    let scan = new Scan(this.geometry);
    this.#timer = new RevolutionTimer(
      order,
      (number, time) => {
        if (scan.geometry !== this.geometry) scan = new Scan(this.geometry);
        this.computed += 1;
        scanOf(scan, this.sight, number, time);
        for (const [place, distance] of scan.distance.entries()) {
          if (this.reflectorsAt.has(distance)) scan.flags[place] = EchoFlag.reflector;
        }
        measured(scan);
      },
      this.geometry.frequency,
    );
  }

  stop(): void {
    this.#timer?.end();
  }
}

/** Fills a scan with the scripted echoes. */
export function scanOf(scan: Scan, sight: Sight, number = 1, time = 0): Scan {
  scan.clear();
  scan.number = number;
  scan.time = time;
  for (let beam = 0; beam < scan.geometry.beams; beam++) {
    for (const [echo, distance] of sight(angleOf(scan.geometry, beam)).entries()) {
      scan.distance[beam * echoesPerBeam + echo] = distance;
      scan.rssi[beam * echoesPerBeam + echo] = 1000;
    }
  }
  return scan;
}
