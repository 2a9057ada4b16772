import type { ReaderSettings } from './subscriber.js';

/** Topics of a scanner without a namespace, by hand from what ROS 2 names them on the wire. */
export const scan: ReaderSettings = { topic: 'rt/scan/all_points_echo0', type: 'LaserScan' };
export const echoes: ReaderSettings = { topic: 'rt/scan/all_points', type: 'MultiEchoLaserScan' };
export const cloud: ReaderSettings = { topic: 'rt/cloud/all_points', type: 'PointCloud2' };
export const transforms: ReaderSettings = {
  topic: 'rt/tf_static',
  type: 'TFMessage',
  durability: 'transient-local',
};
/** As ROS 2 Humble reads it: without the hash of the type, which readers of later releases state. */
export const nodesInHumble: ReaderSettings = {
  topic: 'ros_discovery_info',
  type: 'ParticipantEntitiesInfo',
  durability: 'transient-local',
};
export const nodes: ReaderSettings = {
  ...nodesInHumble,
  userData: 'typehash=RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e;',
};

export const bestEffort = (reader: ReaderSettings): ReaderSettings => ({
  ...reader,
  reliability: 'best-effort',
});
/** Topics of the vehicle of a simulated scanner. */
export const odometry: ReaderSettings = { topic: 'rt/odom', type: 'Odometry' };
export const rosClock: ReaderSettings = { topic: 'rt/clock', type: 'Clock' };
export const vehicleTransforms: ReaderSettings = { topic: 'rt/tf', type: 'TFMessage' };
