import { type MeasuringCore, type MeasuringOrder, type Motion, Rotation, Scan } from '@azimuth/device';

/** A core that sees the same distance all around, and counts what it is asked for. */
export class FlatCore implements MeasuringCore {
  readonly orders: MeasuringOrder[] = [];
  /** Scans that it has computed. */
  computed = 0;
  stops = 0;
  distance = 2000;
  turning: Motion | undefined;
  /** Turns a second of a core that turns at a rate of its own; as ordered where it is not stated. */
  frequency: number | undefined;
  /** What becomes of a scan before it is handed over. */
  prepared: (scan: Scan) => Scan = (scan) => scan;
  #rotation: Rotation | undefined;

  start(order: MeasuringOrder, measured: (scan: Scan) => void): void {
    this.orders.push(order);
    const frequency = this.frequency ?? order.geometry.frequency;
    const scan = new Scan({ ...order.geometry, frequency });
    const turn = (number: number, time: number) => {
      this.computed += 1;
      scan.clear();
      scan.number = number;
      scan.time = time;
      for (let beam = 0; beam < order.geometry.beams; beam += 1) {
        scan.distance[3 * beam] = this.distance;
        scan.rssi[3 * beam] = 1000;
      }
      measured(this.prepared(scan));
    };
    this.#rotation = new Rotation(order, turn, frequency);
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
