import type { CdrReader, CdrWriter } from './cdr.js';

/** A type of message: its name in ROS 2, and the hash of its definition (REP-2011), which tools compare. */
export interface MessageType {
  /** For example `sensor_msgs/msg/LaserScan`. */
  readonly name: string;
  readonly hash: string;
}

export const messageTypes = {
  laserScan: {
    name: 'sensor_msgs/msg/LaserScan',
    hash: 'RIHS01_64c191398013af96509d518dac71d5164f9382553fce5c1f8cca5be7924bd828',
  },
  multiEchoLaserScan: {
    name: 'sensor_msgs/msg/MultiEchoLaserScan',
    hash: 'RIHS01_ba5eac341cd5bbb2701527aa4568e8baec172b69cadb9a1945d6f149d087ee48',
  },
  pointCloud: {
    name: 'sensor_msgs/msg/PointCloud2',
    hash: 'RIHS01_9198cabf7da3796ae6fe19c4cb3bdd3525492988c70522628af5daa124bae2b5',
  },
  imu: {
    name: 'sensor_msgs/msg/Imu',
    hash: 'RIHS01_7d9a00ff131080897a5ec7e26e315954b8eae3353c3f995c55faf71574000b5b',
  },
  transforms: {
    name: 'tf2_msgs/msg/TFMessage',
    hash: 'RIHS01_e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087',
  },
  odometry: {
    name: 'nav_msgs/msg/Odometry',
    hash: 'RIHS01_3cc97dc7fb7502f8714462c526d369e35b603cfc34d946e3f2eda2766dfec6e0',
  },
  clock: {
    name: 'rosgraph_msgs/msg/Clock',
    hash: 'RIHS01_692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564',
  },
  participantEntities: {
    name: 'rmw_dds_common/msg/ParticipantEntitiesInfo',
    hash: 'RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e',
  },
} as const satisfies Readonly<Record<string, MessageType>>;

/** Returns the name of a type in DDS: `sensor_msgs::msg::dds_::LaserScan_`. */
export function ddsTypeName({ name }: MessageType): string {
  const parts = name.split('/');
  return [...parts.slice(0, -1), 'dds_', `${parts.at(-1)}_`].join('::');
}

/** The last stamp that 32 bits of seconds can hold: 2038-01-19 03:14:07.999999 UTC. */
const latest = 2 ** 31 * 1_000_000 - 1;

/** Time and frame of a measurement (std_msgs/Header). */
export interface Header {
  /** Whole µs. */
  readonly stamp: number;
  readonly frameId: string;
}

/** Returns the largest number of bytes of a header with a frame of this many UTF-16 units. */
export function headerBytes({ frameId }: Header): number {
  return 24 + 3 * frameId.length;
}

/** Writes a stamp, then the frame as text. */
export function writeHeader(cdr: CdrWriter, { stamp, frameId }: Header): void {
  writeStamp(cdr, stamp);
  cdr.text(frameId);
}

export function readHeader(cdr: CdrReader): Header {
  return { stamp: readStamp(cdr), frameId: cdr.text() };
}

/** Writes i32 seconds, u32 nanoseconds. Stamps after 2038-01-19 03:14:07.999999 UTC become this one. @param stamp whole µs */
export function writeStamp(cdr: CdrWriter, stamp: number): void {
  const time = Math.min(stamp, latest);
  const seconds = Math.floor(time / 1_000_000);
  cdr.i32(seconds);
  cdr.u32((time - seconds * 1_000_000) * 1000);
}

/** Returns whole µs. */
export function readStamp(cdr: CdrReader): number {
  const seconds = cdr.i32();
  return seconds * 1_000_000 + Math.round(cdr.u32() / 1000);
}
