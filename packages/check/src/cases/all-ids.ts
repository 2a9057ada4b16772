import { newestRelease, releases, variants } from '@azimuth/model';
import { editionSubject } from '../scanner/checked-edition.js';
import { casesFor } from './index.js';
import { withoutMatch } from './selection.js';

/** Returns the ids of the cases of all releases and variants. */
export function allIds(): readonly string[] {
  const editions = releases.flatMap((release) => variants.map((variant) => editionSubject(release, variant)));
  return [...new Set(editions.flatMap((subject) => casesFor(subject).map(({ id }) => id)))];
}

/** Returns the ids or patterns that fit no case of any release or variant. */
export function unknownIds(patterns: readonly string[]): readonly string[] {
  if (patterns.length === 0) return [];
  // The newest release has nearly all cases. Making those of the others takes time.
  const newest = casesFor(editionSubject(newestRelease, 'full')).map(({ id }) => id);
  const open = withoutMatch(patterns, newest);
  return open.length === 0 ? [] : withoutMatch(open, allIds());
}
