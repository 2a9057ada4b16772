import { echoesPerBeam } from '@azimuth/device';
import {
  mostSegments,
  topicNames as names,
  type ScanContent,
  topicParts,
  transformTopics,
} from '@azimuth/device/ros2';
import { ddsTypeName, type MessageType, messageTypes } from '@azimuth/telegrams/ros2';
import type { EndpointData } from '@azimuth/telegrams/rtps';
import { odometryHistory, scanHistory } from './limits.js';
import type { TopicFacts } from './participant.js';

/** Topic of measured data, and its content. */
export interface ScanTopic extends TopicFacts {
  readonly content: 'points' | 'reflectors' | 'multiEcho' | 'laserScan';
  /** Number of its segment, from 0; undefined for complete scans. */
  readonly segment?: number;
  /** Number of its echo, from 0; undefined for all echoes. */
  readonly echo?: number;
}

/** Topics of a scanner, with their names in DDS. */
export interface ScannerTopics {
  /** All topics that may be published. */
  readonly scans: readonly ScanTopic[];
  readonly transforms: TopicFacts;
  /** Topic with the nodes of a participant, for tools. */
  readonly nodes: TopicFacts;
}

/** Returns the topics of a scanner in this namespace. `tf_static` and the list of nodes are outside of it. */
export function topicsIn(namespace: string): ScannerTopics {
  const { laserScan, multiEchoLaserScan, pointCloud, transforms } = messageTypes;
  const inside = (name: string, type: MessageType) => topic(ddsTopic(namespace, name), type, scanHistory);
  const each = <T>(count: number, make: (number: number) => T) =>
    Array.from({ length: count }, (_, number) => make(number));
  const multiEcho = (part: string): ScanTopic => ({
    ...inside(names.multiEcho(part), multiEchoLaserScan),
    content: 'multiEcho',
  });
  const laserScans = (part: string): readonly ScanTopic[] =>
    each(echoesPerBeam, (echo) => ({
      ...inside(names.laserScan(part, echo), laserScan),
      ...{ content: 'laserScan', echo },
    }));
  const cloud = (part: string, echo?: number): ScanTopic => ({
    ...inside(names.cloud(part, echo), pointCloud),
    content: 'points',
  });
  const { all, reflectors } = topicParts;
  const ofScans: readonly ScanTopic[] = [
    multiEcho(all),
    ...laserScans(all),
    cloud(all),
    ...each(echoesPerBeam, (echo) => ({ ...cloud(all, echo), echo })),
    { ...cloud(reflectors), content: 'reflectors' },
  ];
  const ofSegments = each(mostSegments, (segment) => {
    const part = topicParts.segment(segment);
    const topics = [multiEcho(part), ...laserScans(part), cloud(part)];
    return topics.map((one) => ({ ...one, segment }));
  });
  return {
    scans: [...ofScans, ...ofSegments.flat()],
    transforms: latched(ddsTopic('', transformTopics.fixed), transforms),
    nodes,
  };
}

/** Returns true if scans with this content have the segment and the echo of the topic. */
export function isIn({ segment, echo = 0 }: ScanTopic, { segments, echoes }: ScanContent): boolean {
  return echo < echoes && (segment === undefined || segment < segments.length);
}

/** Returns the names of all these topics. */
export function topicNames({ scans, transforms, nodes }: ScannerTopics): readonly string[] {
  return [...scans, transforms, nodes].map(({ topic }) => topic);
}

function topic(name: string, type: MessageType, depth: number): TopicFacts {
  const userData = `typehash=${type.hash};`;
  return { topic: name, type: ddsTypeName(type), userData, depth, isLatched: false };
}

/**
 * Returns true for a reader of ROS 2 Humble, which states no hash of the type. Readers of Iron and later state one.
 * Humble expects another form of the list of nodes: its programs crash when they read that of Iron.
 */
function isHumble({ userData }: EndpointData): boolean {
  return !userData.includes('typehash=');
}

/** Topic whose last message a later reader gets, too. */
function latched(name: string, type: MessageType): TopicFacts {
  return { ...topic(name, type, 1), isLatched: true };
}

/** Topic with the nodes of a participant, for tools. */
const nodes: TopicFacts = {
  ...latched('ros_discovery_info', messageTypes.participantEntities),
  isForOlder: isHumble,
};

/** Topics of the vehicle of a simulated scanner, with their names in DDS. None is in a namespace. */
export const odometryTopics = {
  nodes,
  odometry: topic(ddsTopic('', 'odom'), messageTypes.odometry, odometryHistory),
  transforms: topic(ddsTopic('', transformTopics.moving), messageTypes.transforms, odometryHistory),
  clock: topic(ddsTopic('', 'clock'), messageTypes.clock, 1),
} as const;

/** Returns the name of a topic in DDS: `rt`, the namespace, then the name. */
export function ddsTopic(namespace: string, topic: string): string {
  return `rt${namespace}/${topic}`;
}
