import type { Frame, ImuTelegram } from '@azimuth/client';
import { topicNames, topicParts } from '@azimuth/device/ros2';
import type { Header } from '@azimuth/telegrams/ros2';
import {
  imuOf,
  laserScanOf,
  type MessageSchema,
  messageSchemas,
  multiEchoLaserScanOf,
  pointCloudOf,
} from '../messages/index.js';

/** A topic whose messages are made of a data stream, as CDR. */
export type StreamTopic = {
  /** Its name without that of the scanner. */
  readonly name: string;
  readonly schema: MessageSchema;
} & (
  | { readonly stream: 'scan'; readonly ofFrame: (frame: Frame, header: Header) => Uint8Array }
  | { readonly stream: 'imu'; readonly ofImu: (telegram: ImuTelegram, header: Header) => Uint8Array }
);

const { all } = topicParts;

/** The topics of each scanner, named as native ROS 2 of scanners names them. */
export const streamTopics: readonly StreamTopic[] = [
  {
    name: topicNames.laserScan(all, 0),
    schema: messageSchemas.laserScan,
    stream: 'scan',
    ofFrame: (frame, header) => laserScanOf(frame, 0, header),
  },
  {
    name: topicNames.multiEcho(all),
    schema: messageSchemas.multiEchoLaserScan,
    stream: 'scan',
    ofFrame: multiEchoLaserScanOf,
  },
  {
    name: topicNames.cloud(all),
    schema: messageSchemas.pointCloud,
    stream: 'scan',
    ofFrame: (frame, header) => pointCloudOf(frame, header),
  },
  { name: topicNames.motion, schema: messageSchemas.imu, stream: 'imu', ofImu: imuOf },
];

/** The frame that all scanners are in, and the one of a scanner. */
export const worldFrame = 'world';

/** @param name the part of the scanner in topics; empty if it is the only one */
export function frameIdOf(name: string): string {
  return name === '' ? 'scanner' : name;
}

/** @param name the part of the scanner in topics; empty if it is the only one */
export function topicOf(name: string, topic: string): string {
  return name === '' ? `/${topic}` : `/${name}/${topic}`;
}
