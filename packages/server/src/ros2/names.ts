/** What may not be in a name of ROS 2. */
const forbidden = /[^A-Za-z0-9_]+/g;

/**
 * A namespace in the form that ROS 2 requires: empty, or names after slashes, such as `/line_2/left`. Parts without a letter
 * or digit are dropped. Characters that ROS 2 does not permit become underscores, but not at the beginning or the end of a
 * part: tools hide topics with a part that begins with an underscore.
 */
export function namespaceOf(text: string): string {
  return text
    .split('/')
    .map(nameOf)
    .filter((name) => name !== '')
    .map((name) => `/${name}`)
    .join('');
}

/** A name that ROS 2 permits and shows: letters, digits and single underscores. Before a digit at the beginning comes an n. */
export function nameOf(text: string): string {
  const name = text.replaceAll(forbidden, '_').replaceAll(/_{2,}/g, '_').replaceAll(/^_|_$/g, '');
  return /^\d/.test(name) ? `n${name}` : name;
}

/** The name of a topic in DDS: `rt`, the namespace, then the name. */
export function ddsTopic(namespace: string, topic: string): string {
  return `rt${namespace}/${topic}`;
}

/** A frame: tf2 does not permit slashes at the beginning. */
export function frameOf(text: string): string {
  return text.trim().replace(/^\/+/, '');
}
