import type { Telegram } from '@azimuth/telegrams';

/** The stream that a telegram belongs to. */
export type StreamKind = Telegram['kind'];

/** The times and numbers of a telegram, in ms on the clock of its scanner. */
export interface Stamped {
  readonly kind: StreamKind;
  /** `Compact` or `MSGPACK`; IMU and encoder data are always Compact. */
  readonly format: 'Compact' | 'MSGPACK';
  /** The number that stands for the serial number; undefined if such telegrams do not have it. */
  readonly sender: number | undefined;
  /** When it was passed to the network. If the telegram does not tell that, the time of its last beam. */
  readonly sent: number;
  /** When its first beam was measured. */
  readonly first: number;
  /** When its last beam was measured. */
  readonly last: number;
  /** The number of its scan; 0 if it is not scan data. */
  readonly scan: number;
  readonly segment: number;
}

/** A transmit time that is further from the beams (ms) does not belong to their clock. */
const furthestTransmit = 10_000;

/** Returns the times and numbers of a telegram; undefined for a scan without beams. */
export function stampedOf(telegram: Telegram): Stamped | undefined {
  switch (telegram.kind) {
    case 'scan': {
      const { modules, transmitTime } = telegram.telegram;
      const [module] = modules;
      const first = module?.firstBeamTime[0];
      const last = module?.lastBeamTime[0];
      if (module === undefined || first === undefined || last === undefined) return undefined;
      return {
        kind: 'scan',
        format: telegram.format,
        sender: module.sender,
        sent: transmitOr(last, transmitTime),
        first: first / 1000,
        last: last / 1000,
        scan: module.frameNumber,
        segment: module.segmentIndex,
      };
    }
    case 'encoder': {
      const { sender, time, transmitTime } = telegram.telegram;
      return { ...moment('encoder', time), sender, sent: transmitOr(time, transmitTime) };
    }
    case 'imu':
      return moment('imu', telegram.telegram.time);
  }
}

function moment(kind: 'imu' | 'encoder', time: number): Stamped {
  const at = time / 1000;
  return { kind, format: 'Compact', sender: undefined, sent: at, first: at, last: at, scan: 0, segment: 0 };
}

/** @param last µs. @param transmit µs */
function transmitOr(last: number, transmit: number): number {
  return (Math.abs(transmit - last) <= furthestTransmit * 1000 ? transmit : last) / 1000;
}

/** What the stamps of a telegram count from. */
export type StampClock = 'uptime' | 'UTC' | 'unknown';

const year = 365.25 * 86_400_000;
/** No scanner is up for longer (ms). */
const longestUptime = 10 * year;
/** 2000 and 2106, the years of the interface, in ms since 1970. */
const earliestDate = 30 * year;
const latestDate = 136 * year;

/** Returns what a stamp (ms) counts from: the last boot, 1970, or neither. */
export function clockOf(stamp: number): StampClock {
  if (stamp >= 0 && stamp < longestUptime) return 'uptime';
  return stamp >= earliestDate && stamp < latestDate ? 'UTC' : 'unknown';
}
