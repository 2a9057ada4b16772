import { decodeTelegram } from 'azimuth-scanner/client';

/** An echo. `angle` in rad, `range` in mm, `time` in µs of the clock of the scanner. */
export interface Point {
  readonly angle: number;
  readonly range: number;
  readonly time: number;
}

/** A scan as the driver hands it on. */
export interface DriverScan {
  /** Serial number of the scanner. */
  readonly sender: number;
  readonly number: number;
  /** Time of the first beam that has come, in µs. */
  readonly begin: number;
  /** The same, by the numbers and times of the last scans: noise of single stamps is gone. */
  readonly smoothBegin: number;
  /** µs of a revolution. */
  readonly period: number;
  /** One for each beam that has come, in the order of their angles. `range` is 0 without an echo. */
  readonly points: readonly Point[];
  /** Scans that are missing before this one. */
  readonly missing: number;
  /** True if its times must not be compared with those of the scan before. */
  readonly isNewClock: boolean;
  /** True if its echoes are those of an earlier scan. */
  readonly isRepeated: boolean;
}

/** A position on a plane: m, and rad counter-clockwise. */
export interface Pose {
  readonly x: number;
  readonly y: number;
  readonly heading: number;
}

export interface Segment {
  readonly sender: number;
  readonly frameNumber: number;
  readonly segmentIndex: number;
  readonly columns: number;
  readonly echoes: number;
  readonly firstBeamTime: ArrayLike<number>;
  readonly lastBeamTime: ArrayLike<number>;
  readonly firstAzimuth: ArrayLike<number>;
  readonly lastAzimuth: ArrayLike<number>;
  /** For each beam, its echoes one after the other, the nearest first. */
  readonly distance: ArrayLike<number>;
}

/** A scan whose segments come. */
interface OpenScan {
  readonly segments: Map<number, readonly Point[]>;
  period: number;
  /** Telegrams of later scans that have come. */
  later: number;
}

interface Sender {
  readonly open: Map<number, OpenScan>;
  newest: number;
  last: Pick<DriverScan, 'number' | 'begin'> | undefined;
  /** The last scans of one clock. */
  recent: readonly Pick<DriverScan, 'number' | 'begin' | 'points'>[];
}

/** Telegrams of later scans after which nothing of a scan is expected any more: networks change the order. */
const patience = 4;
/** Numbers of scans go back by more than this only if the scanner has booted. */
const mostBehind = 10;
/** µs: two scans whose times differ by more from what their numbers say have different clocks. */
const clockTolerance = 2000;
/** Scans over which noise of stamps is smoothed: 4 s. */
const smoothed = 60;
/** Earlier scans whose echoes may come again. */
const compared = 4;
/** µs in which one telegram or more has come without a delay. */
const window = 1_000_000;

/** A driver that keeps all rules of docs/driver-time.md. */
export class Driver {
  readonly scans: DriverScan[] = [];
  readonly #senders = new Map<number, Sender>();
  readonly #turns: { readonly time: number; readonly rate: number }[] = [];
  readonly #delays: { readonly arrival: number; readonly ahead: number }[] = [];

  /** Receives a datagram. @param arrival µs of the clock of this computer */
  receive(datagram: Uint8Array, arrival: number): void {
    const { kind, telegram } = decodeTelegram(datagram);
    if (kind === 'imu') this.addTurn(telegram.time, telegram.angularVelocity[2] ?? 0, arrival);
    if (kind === 'scan') for (const segment of telegram.modules) this.#add(segment, arrival);
  }

  /** µs at which a beam of a segment was measured. */
  beamTime({ firstBeamTime, lastBeamTime, columns }: Segment, beam: number, _arrival: number): number {
    const first = firstBeamTime[0] ?? 0;
    const last = lastBeamTime[0] ?? first;
    return columns === 1 ? first : first + (beam * (last - first)) / (columns - 1);
  }

  /** The number that tells scanners apart. */
  senderOf({ sender }: Segment): number {
    return sender;
  }

  /** True if a segment belongs to the time after a boot. */
  hasBooted(number: number, newest: number): boolean {
    return number < newest - mostBehind;
  }

  /** The points of a scan, of the segments that have come. */
  assembled(segments: ReadonlyMap<number, readonly Point[]>): readonly Point[] {
    return [...segments].sort(([one], [other]) => one - other).flatMap(([, points]) => points);
  }

  /** The time of a scan. */
  beginOf(points: readonly Point[], _last: Sender['last'], _period: number): number {
    return points[0]?.time ?? 0;
  }

  /** True if the times of a scan do not go on from those of the last one. */
  isNewClock(begin: number, number: number, period: number, last: Sender['last']): boolean {
    if (last === undefined) return true;
    return Math.abs(begin - last.begin - (number - last.number) * period) > clockTolerance;
  }

  /** The time of the newest scan, on the straight line through numbers and times of the last ones. */
  smoothBegin(recent: Sender['recent']): number {
    const newest = recent.at(-1) ?? { number: 0, begin: 0 };
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    // Differences are small enough for exact sums.
    const numbers = recent.map(({ number }) => number - newest.number);
    const times = recent.map(({ begin }) => begin - newest.begin);
    const [number, time] = [mean(numbers), mean(times)];
    const spread = mean(numbers.map((one) => (one - number) ** 2));
    const period = mean(numbers.map((one, index) => (one - number) * ((times[index] ?? 0) - time))) / spread;
    return newest.begin + time - (spread === 0 ? 0 : period * number);
  }

  /** True if echoes have come before. Noise makes all scans differ. */
  isRepeated(points: readonly Point[], recent: Sender['recent']): boolean {
    if (!points.some(({ range }) => range > 0)) return false;
    return recent
      .slice(-compared)
      .some(
        (earlier) =>
          earlier.points.length === points.length &&
          points.every(({ range }, beam) => range === earlier.points[beam]?.range),
      );
  }

  /** True if a scan is handed on. */
  isWanted(_begin: number, _last: Sender['last']): boolean {
    return true;
  }

  #add(segment: Segment, arrival: number): void {
    const number = segment.frameNumber;
    const key = this.senderOf(segment);
    const sender = this.#senders.get(key) ?? { open: new Map(), newest: number, last: undefined, recent: [] };
    this.#senders.set(key, sender);
    if (this.hasBooted(number, sender.newest)) {
      for (const open of [...sender.open.keys()]) this.#hand(sender, key, open);
      sender.last = undefined;
      sender.newest = number;
    }
    // What comes later than this is lost.
    if (sender.last !== undefined && number <= sender.last.number) return;
    sender.newest = Math.max(sender.newest, number);
    const scan = sender.open.get(number) ?? { segments: new Map(), period: 0, later: 0 };
    sender.open.set(number, scan);
    // A network may deliver a datagram twice.
    if (!scan.segments.has(segment.segmentIndex)) {
      scan.segments.set(segment.segmentIndex, this.#points(segment, arrival));
      scan.period ||= periodOf(segment);
      this.#delays.push({ arrival, ahead: arrival - (segment.lastBeamTime[0] ?? 0) });
    }
    for (const [open, { later }] of [...sender.open]) {
      if (open >= number) continue;
      const waiting = sender.open.get(open);
      if (waiting !== undefined) waiting.later = later + 1;
      if (later + 1 >= patience) this.#hand(sender, key, open);
    }
  }

  #points(segment: Segment, arrival: number): readonly Point[] {
    return Array.from({ length: segment.columns }, (_, beam) => ({
      angle: angleOf(segment, beam),
      range: segment.distance[beam * segment.echoes] ?? 0,
      time: this.beamTime(segment, beam, arrival),
    }));
  }

  #hand(sender: Sender, key: number, number: number): void {
    const scan = sender.open.get(number);
    sender.open.delete(number);
    if (scan === undefined) return;
    const { period } = scan;
    const { last } = sender;
    const points = this.assembled(scan.segments);
    const begin = this.beginOf(points, last, period);
    if (!this.isWanted(begin, last)) return;
    const missing = last === undefined ? 0 : number - last.number - 1;
    const isNewClock = this.isNewClock(begin, number, period, last);
    const isRepeated = this.isRepeated(points, sender.recent);
    if (isNewClock) sender.recent = [];
    sender.recent = [...sender.recent, { number, begin, points }].slice(-smoothed);
    const smoothBegin = this.smoothBegin(sender.recent);
    const times = { begin, smoothBegin, period, isNewClock };
    this.scans.push({ sender: key, number, ...times, points, missing, isRepeated });
    sender.last = { number, begin };
  }

  /** Points in m, in the coordinates of the world: each from the pose of the scanner at its own time. */
  deskewed({ points }: DriverScan, poseAt: (time: number) => Pose): readonly { x: number; y: number }[] {
    return points
      .filter(({ range }) => range > 0)
      .map(({ angle, range, time }) => placed(poseAt(time), angle, range / 1000));
  }

  /** Receives a turn rate of the IMU in rad/s. The stamp counts, not the arrival. */
  addTurn(time: number, rate: number, _arrival: number): void {
    const turns = this.#turns;
    // Datagrams may overtake each other.
    const behind = turns.findLastIndex((turn) => turn.time <= time);
    turns.splice(behind + 1, 0, { time, rate });
  }

  /** The angle in rad by which the scanner has turned between two times of its clock. */
  turned(from: number, to: number): number {
    const turns = this.#turns;
    let angle = 0;
    for (const [index, { time, rate }] of turns.entries()) {
      const next = turns[index + 1];
      if (next === undefined) break;
      const length = Math.min(next.time, to) - Math.max(time, from);
      if (length > 0) angle += ((rate + next.rate) / 2) * (length / 1_000_000);
    }
    return angle;
  }

  /** A time of the scanner on the clock of this computer: by the telegrams of the last second that came fastest. */
  onThisComputer(time: number): number {
    const newest = this.#delays.at(-1)?.arrival ?? 0;
    const recent = this.#delays.filter(({ arrival }) => arrival > newest - window);
    return time + Math.min(...recent.map(({ ahead }) => ahead));
  }

  /** Mean time of the echoes in a scan with a moving average over so many scans. */
  meanTime({ period }: DriverScan, { time }: Point, scans: number): number {
    return time - ((scans - 1) / 2) * period;
  }
}

function angleOf({ firstAzimuth, lastAzimuth, columns }: Segment, beam: number): number {
  const first = firstAzimuth[0] ?? 0;
  const last = lastAzimuth[0] ?? first;
  return columns === 1 ? first : first + (beam * (last - first)) / (columns - 1);
}

/** µs of a revolution: the mirror has the same speed in all directions. */
function periodOf({ firstBeamTime, lastBeamTime, firstAzimuth, lastAzimuth }: Segment): number {
  const time = (lastBeamTime[0] ?? 0) - (firstBeamTime[0] ?? 0);
  return (time * 2 * Math.PI) / ((lastAzimuth[0] ?? 0) - (firstAzimuth[0] ?? 0));
}

export function placed({ x, y, heading }: Pose, angle: number, range: number): { x: number; y: number } {
  return { x: x + range * Math.cos(heading + angle), y: y + range * Math.sin(heading + angle) };
}

/** Continues a time of 32 bits, as in LMDscandata: it begins at 0 again after 71.6 minutes. */
export class LongTime {
  #last: number | undefined;

  /** @param time µs, 0 to 2³² − 1. @returns µs that go on rising */
  of(time: number): number {
    const before = this.#last ?? time;
    // The difference in 32 bits, with its sign.
    this.#last = before + ((time - before) | 0);
    return this.#last;
  }
}
