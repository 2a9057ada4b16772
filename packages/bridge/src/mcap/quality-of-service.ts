/** A quality of service as rosbag2 writes it into the metadata of a channel: YAML, with the numbers of Humble. */
function profiles({ depth, reliability, durability }: Readonly<Record<string, number>>): string {
  const never = 'sec: 9223372036\n    nsec: 854775807';
  return [
    '- history: 1',
    `  depth: ${depth}`,
    `  reliability: ${reliability}`,
    `  durability: ${durability}`,
    `  deadline:\n    ${never}`,
    `  lifespan:\n    ${never}`,
    '  liveliness: 1',
    `  liveliness_lease_duration:\n    ${never}`,
    '  avoid_ros_namespace_conventions: false',
  ].join('\n');
}

/** Numbers of ROS 2 for what a topic promises. */
const reliable = 1;
const bestEffort = 2;
const transientLocal = 1;
const volatile = 2;

/** Of measured data: a reader that is too slow loses some. */
export const sensorProfiles = profiles({ depth: 5, reliability: bestEffort, durability: volatile });

/** Of transforms: a later reader gets the last one, too. */
export const latchedProfiles = profiles({ depth: 1, reliability: reliable, durability: transientLocal });
