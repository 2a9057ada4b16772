/**
 * Returns what accepts ids by patterns: an id, the beginning of ids (`status`), or a pattern with `*`. Without patterns, all ids
 * are accepted.
 */
export function selectedBy(patterns: readonly string[]): (id: string) => boolean {
  if (patterns.length === 0) return () => true;
  const all = patterns.map(expressionOf);
  return (id) => all.some((one) => one.test(id));
}

/** Returns the patterns that accept none of these ids. */
export function withoutMatch(patterns: readonly string[], ids: readonly string[]): readonly string[] {
  return patterns.filter((pattern) => !ids.some(selectedBy([pattern])));
}

function expressionOf(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[^\w-]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}${pattern.endsWith('*') ? '' : '(\\.|$)'}`);
}
