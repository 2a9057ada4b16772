import { beamInterval } from '../../src/cores.js';
import {
  type MeasuringCore,
  type MeasuringOrder,
  type Motion,
  RevolutionTimer,
  Scan,
  type ScanGeometry,
} from '../../src/index.js';

type Quaternion = readonly [number, number, number, number];

/** A core with scripted echoes: distances in mm by the angle of the beam in degrees. */
export class ScriptedCore implements MeasuringCore {
  echoes: Readonly<Record<number, readonly number[]>> = { 0: [2000] };
  strength = 1000;
  /** Additional distance of a beam (rad) at a time in s, beside the echoes, in mm. */
  distance: ((angle: number, time: number) => number) | undefined;
  /** The orientation at a time in s. */
  orientation: (time: number) => Quaternion = () => [1, 0, 0, 0];
  /** True: measures other beams than ordered. */
  geometry: ScanGeometry | undefined;
  /** Angle of the first beam in degrees, if it is not the one that was ordered. */
  firstAngle: number | undefined;
  turning = false;
  #timer: RevolutionTimer | undefined;

  start(order: MeasuringOrder, measured: (scan: Scan) => void): void {
    this.turning = true;
    const { firstAngle = order.geometry.firstAngle } = this;
    const scan = new Scan(this.geometry ?? { ...order.geometry, firstAngle });
    this.#timer = new RevolutionTimer(order, (number, time) => {
      scan.clear();
      scan.number = number;
      scan.time = time;
      this.#measureScan(scan);
      for (const [angle, distances] of Object.entries(this.echoes)) {
        const { firstAngle, step } = scan.geometry;
        const place = 3 * Math.round((Number(angle) - firstAngle) / step);
        for (const [echo, distance] of distances.entries()) {
          scan.distance[place + echo] = distance;
          scan.rssi[place + echo] = this.strength + echo;
        }
      }
      measured(scan);
    });
  }

  #measureScan({ geometry, distance, time }: Scan): void {
    const { firstAngle, step, beams } = geometry;
    for (let beam = 0; this.distance !== undefined && beam < beams; beam++) {
      const angle = ((firstAngle + beam * step) * Math.PI) / 180;
      distance[3 * beam] = this.distance(angle, (time + beam * beamInterval(geometry)) / 1_000_000);
    }
  }

  stop(): void {
    this.turning = false;
    this.#timer?.end();
  }

  motion(time: number): Motion {
    return {
      acceleration: [0, 0, 9.81],
      angularVelocity: [0, 0, 0],
      orientation: this.orientation(time / 1_000_000),
    };
  }
}
