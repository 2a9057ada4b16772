import { type MeasuringCore, type MeasuringOrder, type Motion, RevolutionTimer, Scan } from '@azimuth/device';

/** A measuring core with the same distance on all beams. It records its orders. */
export class FlatCore implements MeasuringCore {
  readonly orders: MeasuringOrder[] = [];
  /** Scans that it has computed. */
  computed = 0;
  stops = 0;
  distance = 2000;
  turning: Motion | undefined;
  /** Scan frequency, Hz; as ordered if undefined. */
  frequency: number | undefined;
  /** Changes a scan before it is delivered. */
  prepared: (scan: Scan) => Scan = (scan) => scan;
  #timer: RevolutionTimer | undefined;

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
        scan.rssi[3 * beam] = 1028;
      }
      measured(this.prepared(scan));
    };
    this.#timer = new RevolutionTimer(order, turn, frequency);
  }

  stop(): void {
    this.stops += 1;
    this.#timer?.end();
  }

  motion(): Motion {
    return (
      this.turning ?? { acceleration: [0, 0, 9.81], angularVelocity: [0, 0, 0], orientation: [1, 0, 0, 0] }
    );
  }
}
