// A measuring core for `azimuth serve --core`: the same prepared scans as those of the core in C, segment by segment.
import type { MeasuringCore, MeasuringOrder, RevolutionTimer, Scan } from '@azimuth/device';

interface Tools {
  readonly Scan: typeof Scan;
  readonly RevolutionTimer: typeof RevolutionTimer;
}

export default ({ Scan, RevolutionTimer }: Tools): MeasuringCore => {
  let timer: RevolutionTimer | undefined;
  let cancel: () => void = () => undefined;
  return {
    start(order: MeasuringOrder, measured) {
      const scan = new Scan(order.geometry);
      const { beams, beamsPerSegment, frequency, step } = order.geometry;
      const beamTime = (1000 * step) / (360 * frequency);
      for (let echo = 0; echo < 3 * beams; echo++) {
        scan.distance[echo] = 2000 + 1000 * (echo % 3) + echo;
        scan.rssi[echo] = 10_000 + echo;
      }
      const measureFrom = (first: number) => {
        const end = Math.min(beams, first + beamsPerSegment);
        const wait = scan.time / 1000 + (end - 1) * beamTime - order.now() / 1000;
        cancel = order.clock.after(Math.max(0, wait), () => {
          measured(scan, end);
          if (end < beams) measureFrom(end);
        });
      };
      timer = new RevolutionTimer(order, (number, time) => {
        scan.number = number;
        scan.time = time;
        measureFrom(0);
      });
    },
    stop() {
      timer?.end();
      cancel();
    },
  };
};
