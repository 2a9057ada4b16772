import { type MeasuringCore, type MeasuringOrder, Scan } from '@azimuth/device';

/** A measuring core that measures when the test says so, like a sensor. */
export class DrivenCore implements MeasuringCore {
  readonly orders: MeasuringOrder[] = [];
  /** The scan that is passed. */
  scan = new Scan({ frequency: 1, firstAngle: 0, step: 1, beams: 1, beamsPerSegment: 1 });
  #measured: ((scan: Scan, beams?: number) => void) | undefined;

  start(order: MeasuringOrder, measured: (scan: Scan, beams?: number) => void): void {
    this.orders.push(order);
    this.scan = new Scan(order.geometry);
    this.#measured = measured;
  }

  stop(): void {
    this.#measured = undefined;
  }

  get isRunning(): boolean {
    return this.#measured !== undefined;
  }

  get order(): MeasuringOrder {
    const order = this.orders.at(-1);
    if (order === undefined) throw new Error('the core was not started');
    return order;
  }

  /** µs of a revolution. */
  get period(): number {
    return 1_000_000 / this.order.geometry.frequency;
  }

  /** Begins revolution `number`, with all beams at this distance (mm). */
  begin(number: number, distance = 2000): void {
    const { origin } = this.order;
    this.scan.number = number;
    this.scan.time = origin.time + (number - origin.number) * this.period;
    for (let beam = 0; beam < this.scan.geometry.beams; beam++) {
      this.scan.distance[3 * beam] = distance;
      this.scan.rssi[3 * beam] = 1028;
    }
  }

  /** Passes the beams that are measured so far: by default, the whole scan. Does nothing while it is stopped. */
  pass(beams?: number): void {
    this.#measured?.(this.scan, beams);
  }
}
