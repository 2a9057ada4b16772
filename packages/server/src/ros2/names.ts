/** What may not be in a name of ROS 2. */
const forbidden = /[^A-Za-z0-9_]+/g;

/**
 * A namespace in the form that ROS 2 requires: empty, or names after slashes, such as `/line_2/left`. Slashes and blanks
 * around it are dropped. Characters that ROS 2 does not permit become underscores.
 */
export function namespaceOf(text: string): string {
  return text
    .trim()
    .split('/')
    .filter((name) => name !== '')
    .map((name) => `/${nameOf(name)}`)
    .join('');
}

/** A name that ROS 2 permits: letters, digits and single underscores, and no digit first. */
export function nameOf(text: string): string {
  const name = text.replaceAll(forbidden, '_').replaceAll(/_{2,}/g, '_');
  return /^\d/.test(name) ? `_${name}` : name;
}

/** The name of a topic in DDS: `rt`, the namespace, then the name. */
export function ddsTopic(namespace: string, topic: string): string {
  return `rt${namespace}/${topic}`;
}

/** A frame: tf2 does not permit slashes at the beginning. */
export function frameOf(text: string): string {
  return text.trim().replace(/^\/+/, '');
}
