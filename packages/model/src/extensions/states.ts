import { TimeRole } from '../groups/date-and-system-time.js';
import { ipv4 } from '../types/array.js';
import { boolean, enumeration } from '../types/enumeration.js';
import { float } from '../types/float.js';
import { integer } from '../types/integer.js';
import { string } from '../types/string.js';
import { struct } from '../types/struct.js';
import type { TypeOf } from '../types/value-type.js';

export const firmwareState = struct({
  /** Why the last firmware file was not installed, in words. Empty if nothing was refused since the last boot. */
  Fault: string({ maxLength: 200 }),
});

export type FirmwareState = TypeOf<typeof firmwareState>;

/** What becomes of the system plug in the connector. */
export const PlugState = {
  /** There is no plug. */
  NONE: 0,
  /** enableCloningPlug is off: the plug is neither read nor written. */
  IGNORED: 1,
  /** It has the stored parameters of this scanner. */
  CURRENT: 2,
  /** It gets the stored parameters at the next save or boot. */
  DUE: 3,
  /** It has the parameters of another scanner, or its own ones that it has never read. The next boot takes them. */
  WAITING: 4,
  /** Its parameters cannot be taken. It is not written. */
  REFUSED: 5,
  /** It cannot be read or written. The next save or boot tries again. */
  FAILED: 6,
} as const;

export const plugState = struct({
  State: enumeration(PlugState, PlugState.NONE),
  /** Of the scanner whose parameters it has; empty if that is not known. */
  SerialNumber: string({ maxLength: 9 }),
  /** What is wrong, in words. */
  Fault: string({ maxLength: 200 }),
});

export type PlugStatus = TypeOf<typeof plugState>;

/** mm. */
const furthest = 5000;
/** ms. */
const longest = 60_000;

/** How the next teach-in makes a contour of what it sees. */
export const teachInSettings = struct(
  {
    /** mm that a contour keeps before what was seen. */
    DistanceInFront: integer('uint16', { maximum: furthest, initial: 50 }),
    /** mm that a contour as reference reaches behind what was seen. */
    DistanceBehind: integer('uint16', { maximum: furthest, initial: 50 }),
    /** ms for which something has to be seen until it counts. */
    MinimumTime: integer('uint16', { maximum: longest }),
  },
  { optional: ['DistanceInFront', 'DistanceBehind', 'MinimumTime'] },
);

export type TeachInSettings = TypeOf<typeof teachInSettings>;

/** The states of a PTP port that a slave can have, with the numbers of IEEE 1588. */
export const PtpState = { FAULTY: 2, DISABLED: 3, LISTENING: 4, UNCALIBRATED: 8, SLAVE: 9 } as const;

/** Of the PTP slave; defaults while TSCRole is not TX_PTP_SLAVE, and what is about a master while there is none. */
const ptpSlave = struct({
  State: enumeration(PtpState, PtpState.DISABLED),
  /** The clock whose time it is: 16 hex digits. */
  Grandmaster: string({ maxLength: 16 }),
  /** The port that sends it: 16 hex digits and the number of the port. */
  Master: string({ maxLength: 22 }),
  MasterAddress: ipv4([0, 0, 0, 0]),
  /** Of the grandmaster. */
  Priority1: integer('uint8'),
  ClockClass: integer('uint8'),
  Priority2: integer('uint8'),
  /** Hops from the grandmaster to the scanner: 1 if the grandmaster is the master. */
  StepsRemoved: integer('uint16'),
  /** s that the time of the master is ahead of UTC. */
  UtcOffset: integer('int16'),
  /** s by which the last minute of this day is longer. */
  Leap: integer('int8', { minimum: -1, maximum: 1 }),
  /** ms from the master to the scanner, one way. */
  PathDelay: float({ minimum: 0 }),
  /** ppm by which the clock is made to run faster than the one of the computer. */
  Drift: float(),
});

export const timeState = struct({
  Role: enumeration(TimeRole, TimeRole.TX_NONE),
  /** Does the clock show the time of a server or master that was heard not too long ago? */
  Synchronised: boolean(),
  Server: ipv4([0, 0, 0, 0]),
  /** Of the server, 1 to 15; 0 before its first answer, and for PTP. */
  Stratum: integer('uint8', { maximum: 15 }),
  /** ms that server or master were ahead of the clock, the last time. */
  Offset: float(),
  /** ms that request and answer were under way, the last time. */
  RoundTrip: float({ minimum: 0 }),
  /** ms since 1970 UTC, by the clock of the scanner; 0 before the first answer. */
  LastExchange: integer('uint64'),
  /** s until the server is asked again; 0 while it is being asked, or if it will not be asked. */
  NextExchange: integer('uint32'),
  /** Requests in a row that brought no time. */
  Missed: integer('uint32'),
  Ptp: ptpSlave,
  /** What is wrong, in words. */
  Fault: string({ maxLength: 200 }),
});

export type TimeState = TypeOf<typeof timeState>;
