import { VirtualClock } from '@azimuth/device';
import type { LogEntry } from '@azimuth/monitor';
import { expect, test } from 'vitest';
import { SeededRandom } from '../../support/seeded-random.js';
import { passUntil } from './site-clock.js';
import { SiteScanner } from './site-scanner.js';
import { type Trouble, troubles } from './troubles.js';
import { WatchedSite } from './watched-site.js';

const {
  AZIMUTH_MONITOR_DAYS: days = '2',
  AZIMUTH_MONITOR_SCANNERS: count = '3',
  AZIMUTH_FUZZ_SEED: seed = '44',
} = process.env;

const releases = ['1.5.0', '2.3.3', '2.4.4'] as const;
const minute = 60_000;
const hour = 60 * minute;

/** Time from the end of a trouble to the next one at the same scanner: all that it has caused is over then. */
const rest = 100 * minute;

/** Time between two kills of the monitor. */
const killEvery = 11 * hour;

/** A trouble that was planted at a scanner. */
interface Planted {
  readonly scanner: SiteScanner;
  readonly trouble: Trouble;
  readonly at: number;
}

/** What is done at a time: milliseconds since 1970-01-01 UTC. */
interface Act {
  readonly at: number;
  readonly run: () => unknown;
}

test(
  `each trouble of ${count} scanners in ${days} days has its alarms, each once, and there are no others`,
  async () => {
    const clock = new VirtualClock();
    const random = new SeededRandom(seed);
    const scanners: SiteScanner[] = [];
    for (let index = 0; index < Number(count); index++) {
      const of = { name: `scanner${index + 1}`, serial: String(24_000_001 + index), clock };
      scanners.push(await SiteScanner.start(of, random.pick(releases.slice(index % 3, (index % 3) + 1))));
    }
    const site = new WatchedSite({ scanners, clock, interval: 1800, random: () => random.fraction() });
    await site.start();
    const end = clock.utc() + Number(days) * 24 * hour;
    const planted: Planted[] = [];
    const acts: Act[] = scanners.map((scanner, index) => ({
      at: clock.utc() + 2 * hour + index * 7 * minute,
      run: () => plantNext(scanner, index * 6),
    }));

    /** Plants the next trouble at a scanner: each one comes to each scanner, at other times. */
    async function plantNext(scanner: SiteScanner, turn: number): Promise<void> {
      const suitable = troubles.filter(({ isFor }) => isFor?.(scanner.release) ?? true);
      const trouble = suitable[turn % suitable.length];
      if (trouble === undefined || clock.utc() + (trouble.minutes + 60) * minute + rest > end) return;
      planted.push({ scanner, trouble, at: clock.utc() });
      const relieve = await trouble.plant(scanner, {
        now: () => clock.utc(),
        loginsLocked: (name) => site.loginsLocked(name),
      });
      const over = clock.utc() + trouble.minutes * minute;
      acts.push({ at: over, run: relieve });
      acts.push({ at: over + rest + random.below(hour), run: () => plantNext(scanner, turn + 1) });
    }

    async function kill(): Promise<void> {
      site.kill();
      await site.start();
      acts.push({ at: clock.utc() + killEvery, run: kill });
    }

    acts.push({ at: clock.utc() + killEvery, run: kill });
    for (let next = takeNext(acts, end); next !== undefined; next = takeNext(acts, end)) {
      await passUntil(next.at, clock, () => site.isQuiet);
      await next.run();
    }
    await passUntil(end, clock, () => site.isQuiet);
    site.kill();

    expect(site.errors).toEqual([]);
    expect(planted.length).toBeGreaterThan(Number(days) * Number(count) * 3);
    expect(foundIn(site.log.entries, planted)).toEqual(expectedOf(planted));
  },
  Number(days) * Number(count) * 60_000,
);

/** Removes and returns what is to be done next. */
function takeNext(acts: Act[], end: number): Act | undefined {
  const next = acts.toSorted((one, other) => one.at - other.at)[0];
  if (next === undefined || next.at > end) return undefined;
  acts.splice(acts.indexOf(next), 1);
  return next;
}

/** What the log has to say about each trouble, in any order within a trouble. */
function expectedOf(planted: readonly Planted[]): readonly string[] {
  return planted
    .flatMap(({ trouble: { name, alarms, entries }, ...of }) => {
      const place = placeOf(name, of);
      return [...alarms.flatMap((alarm) => [`begins ${alarm}`, `ends ${alarm}`]), ...entries].map(
        (entry) => `${place}: ${entry}`,
      );
    })
    .toSorted();
}

/** What the log says, with the last trouble that was planted at the scanner before. */
function foundIn(entries: readonly LogEntry[], planted: readonly Planted[]): readonly string[] {
  return entries
    .flatMap((entry) => {
      const said = saidBy(entry);
      if (said === undefined) return [];
      const cause = planted.findLast(
        ({ scanner, at }) => scanner.place.name === entry.scanner && at <= entry.at,
      );
      const place = cause === undefined ? `${entry.scanner}, nothing` : placeOf(cause.trouble.name, cause);
      return [`${place}: ${said}`];
    })
    .toSorted();
}

function placeOf(name: string, { scanner, at }: Omit<Planted, 'trouble'>): string {
  return `${scanner.place.name}, ${name} at ${new Date(at).toISOString()}`;
}

function saidBy(entry: LogEntry): string | undefined {
  switch (entry.kind) {
    case 'condition':
      return `${entry.change} ${entry.condition} ${entry.part}`.trim();
    case 'parameter':
      return entry.parameter;
    case 'value':
      return entry.name === 'DeviceStatus' ? undefined : entry.name;
    case 'happening':
      return entry.what === 'boot' ? 'boot' : undefined;
    default:
      return undefined;
  }
}
