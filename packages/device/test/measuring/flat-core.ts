import { type MeasuringCore, type MeasuringOrder, type Motion, Rotation, Scan } from '../../src/index.js';

/** A core that sees the same distance all around, and counts what it is asked for. */
export class FlatCore implements MeasuringCore {
  readonly orders: MeasuringOrder[] = [];
  /** Scans that it has computed. */
  computed = 0;
  stops = 0;
  distance = 2000;
  turning: Motion | undefined;
  #rotation: Rotation | undefined;

  start(order: MeasuringOrder, measured: (scan: Scan) => void): void {
    this.orders.push(order);
    const scan = new Scan(order.geometry);
    this.#rotation = new Rotation(order, (number, time) => {
      this.computed += 1;
      scan.clear();
      scan.number = number;
      scan.time = time;
      for (let beam = 0; beam < order.geometry.beams; beam += 1) {
        scan.distance[3 * beam] = this.distance;
        scan.rssi[3 * beam] = 1000;
      }
      measured(scan);
    });
  }

  stop(): void {
    this.stops += 1;
    this.#rotation?.end();
  }

  motion(): Motion {
    return (
      this.turning ?? { acceleration: [0, 0, 9.81], angularVelocity: [0, 0, 0], orientation: [1, 0, 0, 0] }
    );
  }
}
