import { TimeRole } from '../groups/date-and-system-time.js';
import { DeviceStatus } from '../groups/status.js';
import { array, ipv4 } from '../types/array.js';
import { boolean, enumeration } from '../types/enumeration.js';
import { float } from '../types/float.js';
import { integer } from '../types/integer.js';
import { string } from '../types/string.js';
import { struct } from '../types/struct.js';
import type { TypeOf } from '../types/value-type.js';

/** Why DeviceStatus is what it is: each state that applies, with one of its reasons, the gravest first. */
export const conditionState = array(
  struct({
    Status: enumeration(DeviceStatus, DeviceStatus.DS_UnknownState),
    /** In words. */
    Reason: string({ maxLength: 200 }),
  }),
  { maxItems: 50 },
);

export type ConditionState = TypeOf<typeof conditionState>;

export const firmwareState = struct({
  /**
   * Reason why the last firmware file was not installed, in words. Empty if nothing was refused since the last boot.
   */
  Fault: string({ maxLength: 200 }),
  /** Percentage of the installation in progress, or of the last one since the boot. */
  Progress: integer('uint8', { maximum: 100 }),
});

export type FirmwareState = TypeOf<typeof firmwareState>;

/** Source of the address in force. */
export const NetworkSource = {
  /** The scanner requests an address by DHCP, and has none. */
  NONE: 0,
  STATIC: 1,
  DHCP: 2,
} as const;

export const networkState = struct({
  Source: enumeration(NetworkSource, NetworkSource.STATIC),
  /** The address in force with its subnet and gateway; 0.0.0.0 without one. */
  Address: ipv4([0, 0, 0, 0]),
  Mask: ipv4([0, 0, 0, 0]),
  Gateway: ipv4([0, 0, 0, 0]),
  /** Reason why the last settings are not in force, in words. Empty if they are. */
  Fault: string({ maxLength: 200 }),
});

export type NetworkState = TypeOf<typeof networkState>;

/** State of the system plug in the connector. */
export const PlugState = {
  /** There is no plug. */
  NONE: 0,
  /** The plug is neither read nor written, because enableCloningPlug is off. */
  IGNORED: 1,
  /** The plug has the stored parameters of this scanner. */
  CURRENT: 2,
  /** The plug gets the stored parameters at the next save or boot. */
  DUE: 3,
  /**
   * The plug has parameters of another scanner, or parameters of this one that it has never read. The next boot loads
   * them.
   */
  WAITING: 4,
  /** The parameters in the plug cannot be used. The plug is not written. */
  REFUSED: 5,
  /** The plug cannot be read or written. The next save or boot tries again. */
  FAILED: 6,
} as const;

export const plugState = struct({
  State: enumeration(PlugState, PlugState.NONE),
  /** Serial number of the scanner whose parameters the plug has; empty if that is not known. */
  SerialNumber: string({ maxLength: 9 }),
  /** Problem, in words. */
  Fault: string({ maxLength: 200 }),
});

export type PlugStatus = TypeOf<typeof plugState>;

/** Maximum length in mm. */
const furthest = 5000;
/** Maximum time in ms. */
const longest = 60_000;

/** Settings of the next teach-in. */
export const teachInSettings = struct(
  {
    /** Distance (mm) of a contour in front of the measured objects. */
    DistanceInFront: integer('uint16', { maximum: furthest, initial: 50 }),
    /** Distance (mm) that a contour as reference reaches behind the measured objects. */
    DistanceBehind: integer('uint16', { maximum: furthest, initial: 50 }),
    /** Time (ms) for which an object has to be seen until it counts. */
    MinimumTime: integer('uint16', { maximum: longest }),
  },
  { optional: ['DistanceInFront', 'DistanceBehind', 'MinimumTime'] },
);

export type TeachInSettings = TypeOf<typeof teachInSettings>;

/** States of a PTP port that a slave can have, with the numbers of IEEE 1588. */
export const PtpState = { FAULTY: 2, DISABLED: 3, LISTENING: 4, UNCALIBRATED: 8, SLAVE: 9 } as const;

/**
 * State of the PTP slave. It has defaults while TSCRole is not TX_PTP_SLAVE. Members about a master have defaults while
 * there is none.
 */
const ptpSlave = struct({
  State: enumeration(PtpState, PtpState.DISABLED),
  /** Identity of the grandmaster clock: 16 hex digits. */
  Grandmaster: string({ maxLength: 16 }),
  /** Port that sends the time: 16 hex digits and the number of the port. */
  Master: string({ maxLength: 22 }),
  MasterAddress: ipv4([0, 0, 0, 0]),
  /** Properties of the grandmaster. */
  Priority1: integer('uint8'),
  ClockClass: integer('uint8'),
  Priority2: integer('uint8'),
  /** Number of hops from the grandmaster to the scanner: 1 if the grandmaster is the master. */
  StepsRemoved: integer('uint16'),
  /** Seconds that the time of the master is ahead of UTC. */
  UtcOffset: integer('int16'),
  /** Seconds by which the last minute of this day is longer. */
  Leap: integer('int8', { minimum: -1, maximum: 1 }),
  /** Delay (ms) from the master to the scanner, one way. */
  PathDelay: float({ minimum: 0 }),
  /** Correction (ppm) by which the clock runs faster than the clock of the computer. */
  Drift: float(),
});

export const timeState = struct({
  Role: enumeration(TimeRole, TimeRole.TX_NONE),
  /** True if the clock shows the time of a server or master from which a message came recently, or that of `System`. */
  Synchronised: boolean(),
  /** What disciplines the clock of the system, NTP or PTP, while the scanner shows its time; otherwise empty. */
  System: string({ maxLength: 3 }),
  Server: ipv4([0, 0, 0, 0]),
  /** Stratum of the server, 1 to 15; 0 before its first response, and for PTP. */
  Stratum: integer('uint8', { maximum: 15 }),
  /** Last measured offset (ms) of server or master ahead of the clock. */
  Offset: float(),
  /** Round-trip time (ms) of the last request and its response. */
  RoundTrip: float({ minimum: 0 }),
  /** Time of the last response in ms since 1970 UTC, by the clock of the scanner; 0 before the first one. */
  LastExchange: integer('uint64'),
  /** Seconds until the next request to the server; 0 during a request, or if there will be none. */
  NextExchange: integer('uint32'),
  /** Number of requests in a row that brought no time. */
  Missed: integer('uint32'),
  Ptp: ptpSlave,
  /** Problem, in words. */
  Fault: string({ maxLength: 200 }),
});

export type TimeState = TypeOf<typeof timeState>;
