import { Driver, type DriverScan, type Point, type Pose, type Segment } from './driver.js';

type Last = Pick<DriverScan, 'number' | 'begin'> | undefined;

/** Drivers that break one rule each. `DRIVER_MISTAKE=arrival` lets the tests use one of them. */
export const mistakes: Readonly<Record<string, new () => Driver>> = {
  'segment-stamp': class extends Driver {
    override beamTime({ firstBeamTime }: Segment): number {
      return firstBeamTime[0] ?? 0;
    }
  },
  arrival: class extends Driver {
    override beamTime(_segment: Segment, _beam: number, arrival: number): number {
      return arrival;
    }
  },
  spread: class extends Driver {
    override assembled(segments: ReadonlyMap<number, readonly Point[]>): readonly Point[] {
      const points = super.assembled(segments);
      const begin = points[0]?.time ?? 0;
      return points.map((point, beam) => ({ ...point, time: begin + (beam * 66_667) / points.length }));
    }
  },
  'count-beams': class extends Driver {
    override assembled(segments: ReadonlyMap<number, readonly Point[]>): readonly Point[] {
      const points = super.assembled(segments);
      const begin = points[0]?.time ?? 0;
      // From -138° on, 1/3° from beam to beam, at 15 Hz.
      return points.map(({ range }, beam) => ({
        range,
        angle: ((beam / 3 - 138) * Math.PI) / 180,
        time: begin + (beam * 1_000_000) / (15 * 1080),
      }));
    }
  },
  append: class extends Driver {
    override assembled(segments: ReadonlyMap<number, readonly Point[]>): readonly Point[] {
      return [...segments.values()].flat();
    }
  },
  'only-newer': class extends Driver {
    override hasBooted(): boolean {
      return false;
    }
  },
  'one-clock': class extends Driver {
    override isNewClock(_begin: number, _number: number, _period: number, last: Last): boolean {
      return last === undefined;
    }
  },
  'only-later': class extends Driver {
    override isWanted(begin: number, last: Last): boolean {
      return last === undefined || begin > last.begin;
    }
  },
  steady: class extends Driver {
    override beginOf(points: readonly Point[], last: Last, period: number): number {
      return last === undefined ? (points[0]?.time ?? 0) : last.begin + period;
    }
  },
  'last-beam': class extends Driver {
    override beginOf(points: readonly Point[]): number {
      return points.at(-1)?.time ?? 0;
    }
  },
  'single-stamps': class extends Driver {
    override smoothBegin(recent: readonly Pick<DriverScan, 'begin'>[]): number {
      return recent.at(-1)?.begin ?? 0;
    }
  },
  'any-echoes': class extends Driver {
    override isRepeated(): boolean {
      return false;
    }
  },
  'one-scanner': class extends Driver {
    override senderOf(): number {
      return 0;
    }
  },
  'not-deskewed': class extends Driver {
    override deskewed(scan: DriverScan, poseAt: (time: number) => Pose): readonly { x: number; y: number }[] {
      return super.deskewed(scan, () => poseAt(scan.begin));
    }
  },
  'imu-arrival': class extends Driver {
    override addTurn(_time: number, rate: number, arrival: number): void {
      super.addTurn(arrival, rate, arrival);
    }
  },
  'offset-once': class extends Driver {
    #ahead: number | undefined;

    override onThisComputer(time: number): number {
      this.#ahead ??= super.onThisComputer(time) - time;
      return time + this.#ahead;
    }
  },
  'newest-stamp': class extends Driver {
    override meanTime(_scan: DriverScan, { time }: Point): number {
      return time;
    }
  },
};
