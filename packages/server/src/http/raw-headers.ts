/** How often a header comes, as its lines came. */
export function countOf(rawHeaders: readonly string[], header: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === header.length && name.toLowerCase() === header) count++;
  }
  return count;
}

/**
 * The values of a header, from the lines as they came: names and values alternate. Node's `headers` are made when they
 * are first asked for, which takes longer than most requests have reason to wait.
 */
export function valuesOf(rawHeaders: readonly string[], header: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === header.length && name.toLowerCase() === header) {
      values.push(rawHeaders[index + 1] ?? '');
    }
  }
  return values;
}
