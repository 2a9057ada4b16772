import { echoesPerBeam } from '@azimuth/device';
import { ddsTypeName, type MessageType, messageTypes } from '@azimuth/telegrams/ros2';
import type { EndpointData } from '@azimuth/telegrams/rtps';
import { imuHistory, scanHistory } from './limits.js';
import { ddsTopic } from './names.js';
import type { TopicFacts } from './participant.js';

/** The topics of a scanner, with their names in DDS. */
export interface ScannerTopics {
  /** One for each echo, the nearest first. */
  readonly echoes: readonly TopicFacts[];
  readonly multiEcho: TopicFacts;
  readonly cloud: TopicFacts;
  readonly imu: TopicFacts;
  readonly transforms: TopicFacts;
  /** Which nodes a participant has, for tools. */
  readonly nodes: TopicFacts;
}

/** The topics of a scanner in this namespace. `tf_static` and the list of nodes are outside of it. */
export function topicsIn(namespace: string): ScannerTopics {
  const inside = (name: string) => ddsTopic(namespace, name);
  const { laserScan, multiEchoLaserScan, pointCloud, imu, transforms, participantEntities } = messageTypes;
  return {
    echoes: Array.from({ length: echoesPerBeam }, (_, echo) =>
      topic(inside(`scan/all_points_echo${echo}`), laserScan, scanHistory),
    ),
    multiEcho: topic(inside('scan/all_points_multi_echo'), multiEchoLaserScan, scanHistory),
    cloud: topic(inside('cloud/all_points'), pointCloud, scanHistory),
    imu: topic(inside('imu/data'), imu, imuHistory),
    transforms: latched(ddsTopic('', 'tf_static'), transforms),
    nodes: { ...latched('ros_discovery_info', participantEntities), isForOlder: isOfHumble },
  };
}

/** The names of all these topics. */
export function topicNames({ echoes, ...others }: ScannerTopics): readonly string[] {
  return [...echoes, ...Object.values(others)].map(({ topic }) => topic);
}

function topic(name: string, type: MessageType, depth: number): TopicFacts {
  const userData = `typehash=${type.hash};`;
  return { topic: name, type: ddsTypeName(type), userData, depth, isLatched: false };
}

/**
 * Readers of ROS 2 Humble state no hash of the type, those of Iron and later do. The former expect another form of the list
 * of nodes: programs of Humble crash when they read the one of Iron.
 */
function isOfHumble({ userData }: EndpointData): boolean {
  return !userData.includes('typehash=');
}

/** A topic whose last message a later reader gets, too. */
function latched(name: string, type: MessageType): TopicFacts {
  return { ...topic(name, type, 1), isLatched: true };
}
