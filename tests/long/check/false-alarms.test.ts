// A scanner that keeps the interface passes every case: no failure, no warning.
//
//   npx vitest run --project long tests/long/check/false-alarms.test.ts
//   AZIMUTH_CHECK_TURN=20786 npx vitest run --project long tests/long/check/false-alarms.test.ts      # the cases of another day
//   npm run campaign check        # all cases on all releases and all variants, over HTTP and over HTTPS
import { isFrom, newestRelease, type Release, releases, variants } from '@azimuth/model';
import { alarmsOf, type Checked } from '@azimuth/test-support/mutants/alarms';
import { again, isTaken, leastTaken, takesAll } from '@azimuth/test-support/mutants/case-share';
import { expect, it } from 'vitest';

const longest = 900_000;

type Matrix = readonly Required<Pick<Checked, 'edition' | 'scheme'>>[];

/** Releases before 2.1.0 have no HTTPS. */
const schemesOf = (release: Release) =>
  isFrom(release, '2.1.0') ? (['http', 'https'] as const) : (['http'] as const);

const all: Matrix = releases.flatMap((release) =>
  variants.flatMap((variant) =>
    schemesOf(release).map((scheme) => ({ edition: { release, variant }, scheme })),
  ),
);

/** Every release once, the newest with all that scanners have; every variant; HTTPS for every fourth that has it. */
const some: Matrix = releases.toReversed().map((release, index) => ({
  edition: { release, variant: variants[index % variants.length] ?? 'full' },
  scheme: schemesOf(release)[index % 4 === 1 ? 1 : 0] ?? 'http',
}));

const names = (matrix: Matrix) =>
  matrix.map(({ edition: { release, variant }, scheme }) => [release, variant, scheme] as const);

it.each(names(takesAll ? all : some))(
  'a scanner of release %s, variant %s, passes the cases over %s',
  async (release, variant, scheme) => {
    const only = (id: string) => isTaken(id, release);
    const alarms = await alarmsOf({ edition: { release, variant }, scheme, only });
    expect(alarms.false, again).toEqual([]);
    expect(alarms.cases).toBeGreaterThan(leastTaken(1500));
    if (release !== newestRelease || variant !== 'full') return;
    // Everything else has a reason, which is printed if it is too much.
    expect(alarms.tested, JSON.stringify(alarms.untested, null, 2)).toBeGreaterThan(95);
  },
  longest,
);
