import { VirtualClock } from '@azimuth/device';

/** Counts the timers that are pending. */
export class CountingClock extends VirtualClock {
  pending = 0;

  override after(milliseconds: number, callback: () => void): () => void {
    let waiting = true;
    const done = () => {
      if (waiting) this.pending -= 1;
      waiting = false;
    };
    this.pending += 1;
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
