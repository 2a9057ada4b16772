import { VirtualClock } from '../../src/index.js';

/** Counts the timers that wait. */
export class CountingClock extends VirtualClock {
  booked = 0;

  override after(milliseconds: number, callback: () => void): () => void {
    let waiting = true;
    const done = () => {
      if (waiting) this.booked -= 1;
      waiting = false;
    };
    this.booked += 1;
    const cancel = super.after(milliseconds, () => {
      done();
      callback();
    });
    return () => {
      done();
      cancel();
    };
  }
}

/** A clock whose timers are 20 ms late. */
export class LateClock extends VirtualClock {
  override after(milliseconds: number, callback: () => void): () => void {
    return super.after(milliseconds + 20, callback);
  }
}
