import { definitionText, type MessageType, messageTypes } from '@azimuth/telegrams/ros2';

/** What recordings and viewers must know of a type to decode its messages. */
export interface MessageSchema {
  /** Name in ROS 2: `sensor_msgs/msg/LaserScan`. */
  readonly name: string;
  /** Form of the definition. */
  readonly encoding: 'ros2msg';
  /** The definition with all types in it, in one text. */
  readonly definition: string;
  /** Hash of the definition (REP-2011). */
  readonly hash: string;
}

function schema({ name, hash }: MessageType): MessageSchema {
  return { name, encoding: 'ros2msg', definition: definitionText(name), hash };
}

/** Schemas of the messages that this folder makes. All messages are encoded as CDR. */
export const messageSchemas = {
  laserScan: schema(messageTypes.laserScan),
  multiEchoLaserScan: schema(messageTypes.multiEchoLaserScan),
  pointCloud: schema(messageTypes.pointCloud),
  imu: schema(messageTypes.imu),
  transforms: schema(messageTypes.transforms),
} as const satisfies Readonly<Record<string, MessageSchema>>;

/** Encoding of all messages. */
export const messageEncoding = 'cdr';
