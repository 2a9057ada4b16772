import {
  angleOf,
  echoesPerBeam,
  type MeasuringCore,
  type MeasuringOrder,
  RevolutionTimer,
  Scan,
} from 'azimuth-scanner/device';

/** A measuring core that sees a wall, 2 m ahead and endlessly long. Put your sensor in its place. */
export class WallCore implements MeasuringCore {
  #timer: RevolutionTimer | undefined;

  /** Switch the laser on, and pass every revolution from now on. */
  start(order: MeasuringOrder, measured: (scan: Scan) => void): void {
    const scan = new Scan(order.geometry);
    // A sensor has a rotating mirror; this replaces it, at the rate of the performance profile.
    this.#timer = new RevolutionTimer(order, (number, time) => {
      scan.number = number;
      scan.time = time;
      measure(scan);
      measured(scan);
    });
  }

  /** Switch the laser off. */
  stop(): void {
    this.#timer?.end();
  }
}

function measure(scan: Scan): void {
  scan.clear();
  for (let beam = 0; beam < scan.geometry.beams; beam += 1) {
    const ahead = Math.cos((angleOf(scan.geometry, beam) * Math.PI) / 180);
    // From 84° on the wall is too far away; behind there is nothing.
    if (ahead < 0.1) continue;
    const first = beam * echoesPerBeam;
    scan.distance[first] = 2000 / ahead;
    scan.rssi[first] = 40_000 * ahead;
  }
}
