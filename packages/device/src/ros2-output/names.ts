/** Characters that may not be in a name of ROS 2. */
const forbidden = /[^A-Za-z0-9_]+/g;

/**
 * Returns a namespace in the form that ROS 2 requires: empty, or names after slashes, such as `/line_2/left`. Parts
 * without a letter or digit are dropped. Characters that ROS 2 does not permit become underscores, but not at the
 * beginning or the end of a part: tools hide topics with a part that begins with an underscore.
 */
export function namespaceOf(text: string): string {
  return text
    .split('/')
    .map(nameOf)
    .filter((name) => name !== '')
    .map((name) => `/${name}`)
    .join('');
}

/**
 * Returns a name that ROS 2 permits and shows: letters, digits and single underscores. If it begins with a digit, an n
 * is put in front.
 */
export function nameOf(text: string): string {
  const name = text.replaceAll(forbidden, '_').replaceAll(/_{2,}/g, '_').replaceAll(/^_|_$/g, '');
  return /^\d/.test(name) ? `n${name}` : name;
}

/** Returns the name of a frame without slashes at the beginning, which tf2 does not permit. */
export function frameOf(text: string): string {
  return text.trim().replace(/^\/+/, '');
}

/** Names of the topics of a scanner, without its namespace. `part` is `all_points`, `segment0` … or `reflector_points`. */
export const topicNames = {
  multiEcho: (part: string) => `scan/${part}`,
  laserScan: (part: string, echo: number) => `scan/${part}_echo${echo}`,
  cloud: (part: string, echo?: number) => `cloud/${part}${echo === undefined ? '' : `_echo${echo}`}`,
  /** Scanners do not publish it: the name that REP 145 gives to an Imu with an orientation. */
  motion: 'imu/data',
} as const;

/** Parts of a scan in names of topics. */
export const topicParts = {
  all: 'all_points',
  reflectors: 'reflector_points',
  segment: (number: number) => `segment${number}`,
} as const;

/** Topics of transforms, which are outside of all namespaces. */
export const transformTopics = { fixed: 'tf_static', moving: 'tf' } as const;
