import { isFrom, type Release } from './release.js';

interface Known {
  /** First release that has the issue; without it, the oldest one. */
  readonly from?: Release;
  /** Last release that has the issue; without it, the newest one. */
  readonly until?: Release;
  readonly text: string;
}

/**
 * Issues that the maker's release notes name and a virtual scanner can show, by the release that introduced them. A
 * scanner has one of them only if it is planned.
 */
export const knownIssues = {
  'all/diagnosis-file': {
    text: 'No diagnostic archive can be made while the particle filter, the moving average and the scan data stream are on.',
  },
  'all/late-start': { text: 'A boot takes 18 s longer: 20 s in all by default.' },
  '2.1.0/angle-filter': {
    from: '2.1.0',
    until: '2.1.0',
    text: 'With the format LMDscandata, LFPangleRangeFilter cannot be switched off. Set it to the whole field of view instead.',
  },
  '2.2.0/too-many-functions': {
    from: '2.2.0',
    text: 'After a boot, DeviceStatus is 7 for a second, as if too many functions were active at the same time.',
  },
  '2.3.3/contamination-output': {
    from: '2.3.3',
    until: '2.3.3',
    text: 'After a boot, outputs take the contamination warning and error for their opposites, until ContaminationResult changes.',
  },
} as const satisfies Readonly<Record<string, Known>>;

export type KnownIssue = keyof typeof knownIssues;

export function isKnownIssue(name: string): name is KnownIssue {
  return Object.hasOwn(knownIssues, name);
}

export function issueText(issue: KnownIssue): string {
  return knownIssues[issue].text;
}

/** Returns true if a release has an issue. */
export function hasIssue(release: Release, issue: KnownIssue): boolean {
  const { from, until }: Known = knownIssues[issue];
  return (from === undefined || isFrom(release, from)) && (until === undefined || isFrom(until, release));
}

/** Names the releases that have an issue: `every release`, `release 2.1.0`, `release 2.2.0 and newer`. */
export function releasesWith(issue: KnownIssue): string {
  const { from, until }: Known = knownIssues[issue];
  if (from === undefined) return until === undefined ? 'every release' : `release ${until} and older`;
  if (until === undefined) return `release ${from} and newer`;
  return from === until ? `release ${from}` : `the releases ${from} to ${until}`;
}

/** Names of all issues. */
export const knownIssueNames: readonly KnownIssue[] = Object.keys(knownIssues).filter(isKnownIssue);
