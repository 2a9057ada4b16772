/**
 * Returns a test for the names of scanners that a word means: `hall/*` those that match, `hall` those of the group hall,
 * whose names begin with it and a slash. It ignores the listed groups of the devices file.
 */
export function namesMeantBy(word: string): (name: string) => boolean {
  if (!word.includes('*')) return (name) => name.startsWith(`${word}/`);
  const parts = word.split('*').map((part) => part.replaceAll(/[^\w/-]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('.*')}$`);
  return (name) => pattern.test(name);
}
