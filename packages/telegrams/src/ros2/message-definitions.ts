/** Directions, times and limits of a scan. */
const scanFacts = [
  'float32 angle_min',
  'float32 angle_max',
  'float32 angle_increment',
  'float32 time_increment',
  'float32 scan_time',
  'float32 range_min',
  'float32 range_max',
];

/**
 * The fields of messages in the language of ROS 2, without constants and comments; types with their packages. The hash of
 * a type (`messageTypes`) follows from them.
 */
export const messageDefinitions: Readonly<Record<string, readonly string[]>> = {
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
    ...scanFacts,
    'float32[] ranges',
    'float32[] intensities',
  ],
  'sensor_msgs/msg/LaserEcho': ['float32[] echoes'],
  'sensor_msgs/msg/MultiEchoLaserScan': [
    'std_msgs/msg/Header header',
    ...scanFacts,
    'sensor_msgs/msg/LaserEcho[] ranges',
    'sensor_msgs/msg/LaserEcho[] intensities',
  ],
  'sensor_msgs/msg/PointField': ['string name', 'uint32 offset', 'uint8 datatype', 'uint32 count'],
  'sensor_msgs/msg/Imu': [
    'std_msgs/msg/Header header',
    'geometry_msgs/msg/Quaternion orientation',
    'float64[9] orientation_covariance',
    'geometry_msgs/msg/Vector3 angular_velocity',
    'float64[9] angular_velocity_covariance',
    'geometry_msgs/msg/Vector3 linear_acceleration',
    'float64[9] linear_acceleration_covariance',
  ],
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

/** Line between the definitions in one text. */
const separator = '='.repeat(80);

/**
 * Returns the definition of a type with all types in it as one text, as recordings and viewers expect it (`ros2msg`): the
 * fields of the type itself, then each other type after a line of `=` and a line with its name.
 * @throws RangeError for a type that is not in `messageDefinitions`
 */
export function definitionText(type: string): string {
  const [own = type, ...others] = [...withTypesIn(type)];
  const parts = others.map((other) => `${separator}\nMSG: ${shortName(other)}\n${fieldLines(other)}`);
  return [fieldLines(own), ...parts].join('');
}

/** Returns a type and all types in it, each once. */
function withTypesIn(type: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(type)) return found;
  const fields = messageDefinitions[type];
  if (fields === undefined) throw new RangeError(`no definition of ${type}`);
  found.add(type);
  for (const field of fields) {
    const [base = ''] = /^[^[ ]+/.exec(field) ?? [];
    if (base in messageDefinitions) withTypesIn(base, found);
  }
  return found;
}

function fieldLines(type: string): string {
  return (messageDefinitions[type] ?? []).map((field) => `${shortName(field)}\n`).join('');
}

/** Names of types have no `msg` in definitions: `std_msgs/Header`. */
function shortName(text: string): string {
  return text.replace('/msg/', '/');
}
