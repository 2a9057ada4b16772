import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { messageTypes } from '../../src/ros2/index.js';

/** The numbers of types in descriptions (type_description_interfaces/msg/FieldType). */
const primitives: Readonly<Record<string, number>> = {
  uint8: 3,
  int32: 6,
  uint32: 7,
  float32: 10,
  float64: 11,
  bool: 15,
  string: 17,
};
const nested = 1;
const boundedString = 21;
/** Added to the type number of the items for arrays and lists. */
const array = 48;
const list = 144;

const facts = [
  'float32 angle_min',
  'float32 angle_max',
  'float32 angle_increment',
  'float32 time_increment',
  'float32 scan_time',
  'float32 range_min',
  'float32 range_max',
];

/** The definitions in the language of ROS 2, without constants and comments; types with their packages. */
const definitions: Readonly<Record<string, readonly string[]>> = {
  'builtin_interfaces/msg/Time': ['int32 sec', 'uint32 nanosec'],
  'std_msgs/msg/Header': ['builtin_interfaces/msg/Time stamp', 'string frame_id'],
  'geometry_msgs/msg/Vector3': ['float64 x', 'float64 y', 'float64 z'],
  'geometry_msgs/msg/Quaternion': ['float64 x', 'float64 y', 'float64 z', 'float64 w'],
  'geometry_msgs/msg/Transform': [
    'geometry_msgs/msg/Vector3 translation',
    'geometry_msgs/msg/Quaternion rotation',
  ],
  'geometry_msgs/msg/TransformStamped': [
    'std_msgs/msg/Header header',
    'string child_frame_id',
    'geometry_msgs/msg/Transform transform',
  ],
  'geometry_msgs/msg/Point': ['float64 x', 'float64 y', 'float64 z'],
  'geometry_msgs/msg/Pose': ['geometry_msgs/msg/Point position', 'geometry_msgs/msg/Quaternion orientation'],
  'geometry_msgs/msg/PoseWithCovariance': ['geometry_msgs/msg/Pose pose', 'float64[36] covariance'],
  'geometry_msgs/msg/Twist': ['geometry_msgs/msg/Vector3 linear', 'geometry_msgs/msg/Vector3 angular'],
  'geometry_msgs/msg/TwistWithCovariance': ['geometry_msgs/msg/Twist twist', 'float64[36] covariance'],
  'nav_msgs/msg/Odometry': [
    'std_msgs/msg/Header header',
    'string child_frame_id',
    'geometry_msgs/msg/PoseWithCovariance pose',
    'geometry_msgs/msg/TwistWithCovariance twist',
  ],
  'rosgraph_msgs/msg/Clock': ['builtin_interfaces/msg/Time clock'],
  'tf2_msgs/msg/TFMessage': ['geometry_msgs/msg/TransformStamped[] transforms'],
  'sensor_msgs/msg/LaserScan': [
    'std_msgs/msg/Header header',
    ...facts,
    'float32[] ranges',
    'float32[] intensities',
  ],
  'sensor_msgs/msg/LaserEcho': ['float32[] echoes'],
  'sensor_msgs/msg/MultiEchoLaserScan': [
    'std_msgs/msg/Header header',
    ...facts,
    'sensor_msgs/msg/LaserEcho[] ranges',
    'sensor_msgs/msg/LaserEcho[] intensities',
  ],
  'sensor_msgs/msg/PointField': ['string name', 'uint32 offset', 'uint8 datatype', 'uint32 count'],
  'sensor_msgs/msg/PointCloud2': [
    'std_msgs/msg/Header header',
    'uint32 height',
    'uint32 width',
    'sensor_msgs/msg/PointField[] fields',
    'bool is_bigendian',
    'uint32 point_step',
    'uint32 row_step',
    'uint8[] data',
    'bool is_dense',
  ],
  'rmw_dds_common/msg/Gid': ['uint8[16] data'],
  'rmw_dds_common/msg/NodeEntitiesInfo': [
    'string<=256 node_namespace',
    'string<=256 node_name',
    'rmw_dds_common/msg/Gid[] reader_gid_seq',
    'rmw_dds_common/msg/Gid[] writer_gid_seq',
  ],
  'rmw_dds_common/msg/ParticipantEntitiesInfo': [
    'rmw_dds_common/msg/Gid gid',
    'rmw_dds_common/msg/NodeEntitiesInfo[] node_entities_info_seq',
  ],
};

const fieldsOf = (type: string) =>
  (definitions[type] ?? []).map((line) => {
    const [, base = '', bound, items, name] = /^([^[<]+?)(?:<=(\d+))?(?:\[(\d*)\])? (\w+)$/.exec(line) ?? [];
    return { base, bound, items, name };
  });

function descriptionOf(type: string): object {
  const fields = fieldsOf(type).map(({ base, bound, items, name }) => {
    const isNested = base in definitions;
    const item = isNested ? nested : bound === undefined ? primitives[base] : boundedString;
    if (item === undefined) throw new Error(`no type ${base}`);
    const several = items === undefined ? 0 : items === '' ? list : array;
    return {
      name,
      type: {
        type_id: item + several,
        capacity: Number(items ?? 0),
        string_capacity: Number(bound ?? 0),
        nested_type_name: isNested ? base : '',
      },
    };
  });
  return { type_name: type, fields };
}

function typesIn(type: string): readonly string[] {
  const direct = fieldsOf(type).flatMap(({ base }) => (base in definitions ? [base] : []));
  return [...new Set(direct.flatMap((one) => [one, ...typesIn(one)]))].sort();
}

/** The hash of a description with all types in it (REP-2011): SHA-256 of its JSON with a blank after commas and colons. */
function hashOf(type: string): string {
  const description = {
    type_description: descriptionOf(type),
    referenced_type_descriptions: typesIn(type).map(descriptionOf),
  };
  const json = JSON.stringify(description).replaceAll(/[,:]/g, '$& ');
  return `RIHS01_${createHash('sha256').update(json).digest('hex')}`;
}

test.each(Object.values(messageTypes))('the hash of $name is that of its definition', ({ name, hash }) => {
  expect(hash).toBe(hashOf(name));
});
