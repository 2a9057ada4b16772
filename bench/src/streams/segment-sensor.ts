import { type MeasuringCore, type MeasuringOrder, Scan } from '@azimuth/device';
import { beamInterval } from '@azimuth/device/cores';
import { hostTime, type SegmentTime } from './segment-times.js';

/** ms: timers of Node are late by up to 1 ms, so the sensor waits actively for the rest. */
const activeWait = 2;

type Measured = (scan: Scan, beams?: number) => void;

/**
 * A sensor that passes each segment when its last beam is measured. Every beam has three echoes. It records when it has
 * passed each segment. If the process is late, it passes the missing segments one after the other, and leaves out none.
 */
export class SegmentSensor implements MeasuringCore {
  #passed: SegmentTime[] = [];
  #cancel: (() => void) | undefined;

  start(order: MeasuringOrder, measured: Measured): void {
    const { geometry, origin, now } = order;
    const scan = new Scan(geometry);
    for (let place = 0; place < scan.distance.length; place++) {
      scan.distance[place] = 1000 + 500 * (place % 3) + (place % 1000);
      scan.rssi[place] = 20_000 + place;
    }
    const period = 1_000_000 / geometry.frequency;
    const revolutions = Math.ceil((now() - origin.time) / period);
    scan.number = origin.number + revolutions;
    scan.time = origin.time + revolutions * period;
    this.#passNext(0, scan, order, measured);
  }

  stop(): void {
    this.#cancel?.();
  }

  /** The times since the last call. */
  taken(): readonly SegmentTime[] {
    const passed = this.#passed;
    this.#passed = [];
    return passed;
  }

  #passNext(index: number, scan: Scan, order: MeasuringOrder, measured: Measured): void {
    const { beams, beamsPerSegment, frequency } = scan.geometry;
    const end = Math.min((index + 1) * beamsPerSegment, beams);
    const due = scan.time + (end - 1) * beamInterval(scan.geometry);
    const wait = Math.max(0, (due - order.now()) / 1000 - activeWait);
    this.#cancel = order.clock.after(wait, () => {
      while (order.now() < due);
      const at = hostTime();
      const firstBeam = at - (order.now() - scan.time) / 1000;
      this.#passed.push({ frame: scan.number, index, at, firstBeam });
      measured(scan, end);
      if (end < beams) {
        this.#passNext(index + 1, scan, order, measured);
      } else {
        scan.number += 1;
        scan.time += 1_000_000 / frequency;
        this.#passNext(0, scan, order, measured);
      }
    });
  }
}
