import { isReal, type MemberFacts } from '@azimuth/fleet';
import { counted, newestRelease } from '@azimuth/model';
import { CommandFailure, SeveralFailed, type TargetFailure } from '../command-failure.js';
import { jsonText, printable } from '../output/output.js';
import { tableLines } from '../output/table.js';
import type { ListedScanner, Power, Switched } from '../scanners/fleet-client.js';

/** Number of scanners that `azimuth fleet top` shows. */
const busiest = 20;

interface Rate {
  readonly serialNumber: string;
  readonly group: string;
  readonly state: string;
  readonly requests: number;
  readonly telegrams: number;
  readonly unsaved: number;
  readonly faults: number;
}

/**
 * Returns the busiest scanners, with requests and telegrams in a second since the previous refresh. @param seconds
 * since then
 */
export function busiestScanners(
  scanners: readonly ListedScanner[],
  before: readonly ListedScanner[] = scanners,
  seconds = 1,
): readonly Rate[] {
  // Counters restart at 0 with a scanner or a process of the fleet.
  const rate = (more: number) => Math.max(0, Math.round(more / seconds));
  const earlier = new Map(before.map((one) => [one.serialNumber, one]));
  return scanners
    .map(({ serialNumber, group, state, requests, telegrams, unsaved, faults }) => {
      const last = earlier.get(serialNumber);
      return {
        ...{ serialNumber, group, state, unsaved, faults },
        requests: rate(requests - (last?.requests ?? 0)),
        telegrams: rate(telegrams - (last?.telegrams ?? 0)),
      };
    })
    .filter(
      ({ requests, telegrams, unsaved, faults, state }) =>
        requests + telegrams + unsaved + faults > 0 || state === 'failed',
    )
    .sort((one, other) => other.requests + other.telegrams - one.requests - one.telegrams)
    .slice(0, busiest);
}

/** Counts the scanners, and those in each state, as a fleet reports it of all of its own. */
export function countsByState(scanners: readonly ListedScanner[]) {
  const states: Record<string, number> = {};
  for (const { state } of scanners) states[state] = (states[state] ?? 0) + 1;
  return { scanners: scanners.length, states };
}

/** Returns the lines of `azimuth fleet top` at a terminal. @param before the previous refresh */
export function screen(
  { states, memory }: Readonly<Record<string, unknown>>,
  scanners: readonly ListedScanner[],
  before: readonly ListedScanner[] | undefined,
  seconds: number,
): readonly string[] {
  const rows = busiestScanners(scanners, before, seconds).map(
    ({ serialNumber, group, state, requests, telegrams, unsaved, faults }) => [
      ...[serialNumber, group, state, String(requests), String(telegrams), String(unsaved), String(faults)],
    ],
  );
  const clear = process.stdout.isTTY ? '\u001b[2J\u001b[H' : '';
  const counts = Object.entries(Object(states)).map(([name, count]) => `${count} ${name}`);
  return [
    `${clear}${counted(scanners.length, 'scanner')}: ${counts.join(', ')}; ${Math.round(Number(memory) / 1e6)} MB`,
    ...tableLines([['SCANNER', 'GROUP', 'STATE', 'REQUESTS/s', 'TELEGRAMS/s', 'UNSAVED', 'FAULTS'], ...rows]),
  ];
}

/** Returns the lines of `azimuth fleet status`. */
export function table(scanners: readonly ListedScanner[]): readonly string[] {
  return tableLines([
    ['SCANNER', 'GROUP', 'RELEASE', 'STATE', 'REQUESTS', 'UNSAVED', 'FAULTS'],
    ...scanners.map(({ serialNumber, group, release, state, requests, unsaved, faults, ...more }) => [
      ...[serialNumber, group, release, state, String(requests), String(unsaved), String(faults)],
      ...lastColumn(more),
    ]),
  ]);
}

/** Returns what is wrong with a scanner, and where a real one is; nothing if neither is known. */
function lastColumn({
  failure,
  location = '',
  trouble,
}: Pick<ListedScanner, 'failure' | 'location' | 'trouble'>): readonly string[] {
  const words = [location, failure ?? trouble ?? ''].filter((word) => word !== '');
  return words.length === 0 ? [] : [words.join(': ')];
}

/** Returns the lines of `azimuth fleet run --dry-run`: one for each scanner. */
export function scannerLines(scanners: readonly MemberFacts[], json: boolean): readonly string[] {
  return scanners.map((facts) => {
    if (isReal(facts)) {
      const { serial, group, url } = facts;
      return json ? jsonText({ serialNumber: serial, group, url }) : [serial, group, url].join('  ');
    }
    const { serial, group, release = newestRelease, variant, ports } = facts;
    if (json) return jsonText({ serialNumber: serial, group, release, variant, ports: ports ?? null });
    const place = ports === undefined ? '' : `${ports.host}:${ports.http}`;
    return [serial, group, place].join('  ').trimEnd();
  });
}

/** A line of `azimuth fleet events`. */
export function eventLine(event: Readonly<Record<string, unknown>>): string {
  const { time, serialNumber, group, event: what, ...more } = event;
  if (what === 'lost')
    return `${counted(Number(more.events), 'event was', 'events were')} lost: they came faster than they were read`;
  const values = Object.values(more).map((value) => (typeof value === 'object' ? jsonText(value) : value));
  const words = what === 'value' ? [more.name, jsonText(more.value)] : [what, ...values];
  return printable([time, serialNumber, group, ...words].join('  '));
}

const done: Readonly<Record<Power, string>> = {
  on: 'switched on',
  off: 'switched off',
  cycle: 'switched off and on',
};

/** Returns a summary for people; nothing if all have failed. */
export function switchedLines({ scanners, changed, failed }: Switched, power: Power): readonly string[] {
  if (changed > 0) return [`${counted(changed, 'scanner was', 'scanners were')} ${done[power]}.`];
  if (failed.length > 0) return [];
  if (power === 'cycle') return ['No scanner was switched off and on.'];
  const other = power === 'on' ? 'off' : 'on';
  return [scanners === 1 ? `The scanner was ${power} already.` : `None was ${other}.`];
}

/**
 * Reports the scanners that failed.
 * @param pattern as typed
 * @throws CommandFailure for a named scanner, SeveralFailed for those of a pattern
 */
export function throwFailed({ scanners, failed }: Switched, pattern: string): void {
  const failures = failed.map(
    ({ serialNumber, reason }): TargetFailure => ({
      label: serialNumber,
      error: new CommandFailure(reason, 'refused'),
    }),
  );
  const [first] = failures;
  if (first === undefined) return;
  if (pattern.includes('*')) throw new SeveralFailed(failures, scanners);
  throw new CommandFailure(`${first.label}: ${failed[0]?.reason}`, 'refused');
}
