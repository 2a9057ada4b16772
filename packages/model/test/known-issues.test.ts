import { expect, test } from 'vitest';
import { checkedFault } from '../src/faults/index.js';
import { hasIssue, knownIssueNames, releases, releasesWith } from '../src/index.js';

test('an issue is named after the first release that has it, or after all', () => {
  for (const issue of knownIssueNames) {
    const [release = ''] = issue.split('/');
    const first = releases.find((one) => hasIssue(one, issue));
    expect(first).toBe(release === 'all' ? releases[0] : release);
  }
});

test.each([
  ['all/late-start', releases, 'every release'],
  ['2.1.0/angle-filter', ['2.1.0'], 'release 2.1.0'],
  ['2.2.0/too-many-functions', releases.slice(releases.indexOf('2.2.0')), 'release 2.2.0 and newer'],
  ['2.3.3/contamination-output', ['2.3.3'], 'release 2.3.3'],
] as const)('%s belongs to certain releases', (issue, having, words) => {
  expect(releases.filter((release) => hasIssue(release, issue))).toEqual(having);
  expect(releasesWith(issue)).toBe(words);
});

test('a plan with an unknown issue is refused with the list', () => {
  expect(() => checkedFault({ kind: 'known-issue', issue: '2.0.0/anything' })).toThrow(
    `issue: ${knownIssueNames.join(' or ')}, not "2.0.0/anything"`,
  );
});
