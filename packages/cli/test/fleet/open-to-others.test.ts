import type { Release } from '@azimuth/model';
import { scannerFacts } from '@azimuth/test-support/some-fleet';
import { expect, test } from 'vitest';
import { warnIfOpenToOthers } from '../../src/fleet/start-reports.js';

/** Returns the warnings in the log, for scanners of these releases. */
function warnings(
  host: string,
  passwords: Readonly<Record<string, string>> = {},
  releases: readonly Release[] = ['2.4.4'],
): readonly unknown[] {
  const told: unknown[] = [];
  const log = { warn: (message: string, fields?: object) => void told.push([message, fields]) };
  warnIfOpenToOthers(log, {
    host,
    passwords,
    scanners: scannerFacts(releases.length, (number) => ({ release: releases[number - 1] })),
  });
  return told;
}

test.each(['0.0.0.0', '::', '192.168.0.9', 'hall.example'])('at %s, others can log in', (host) => {
  expect(warnings(host)).toEqual([
    [
      expect.stringMatching(
        /^Other computers reach this fleet, and anybody can log in .*AZIMUTH_PASSWORD_<LEVEL>$/,
      ),
      { host, levels: ['Service'] },
    ],
  ]);
});

test.each(['127.0.0.1', '127.0.9.1', '::1', 'localhost'])('at %s, nobody else can', (host) => {
  expect(warnings(host)).toEqual([]);
});

test('the levels are those that one of the scanners leaves the factory with, and that get no password', () => {
  const own = { Service: 'a', Maintenance: 'b' };
  const levelsOf = (releases: readonly Release[], passwords = {}) => warnings('0.0.0.0', passwords, releases);
  expect(levelsOf(['2.4.4', '1.5.0'])).toMatchObject([
    [expect.any(String), { levels: ['Maintenance', 'AuthorizedClient', 'Service'] }],
  ]);
  expect(levelsOf(['2.4.4', '1.5.0'], own)).toMatchObject([
    [expect.any(String), { levels: ['AuthorizedClient'] }],
  ]);
  expect(levelsOf(['2.4.4'], own)).toEqual([]);
});
