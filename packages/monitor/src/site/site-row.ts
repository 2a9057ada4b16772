import type { SiteScanner, SiteScans, SiteSeverity } from '@azimuth/http';
import { siteSeverities } from '@azimuth/http';
import { type DeviceState, device, deviceState, status } from '@azimuth/model';
import { isOther } from '../conditions/detected.js';
import { conditionTitle } from '../outputs/entry-text.js';
import { valueIn } from '../state/derived-values.js';
import type { ActiveCondition, ReceivedScans, ScannerSnapshot } from '../state/scanner-snapshot.js';
import { oneLine } from '../text/one-line.js';
import { longestAnswer } from '../watch/reading.js';

const { LocationName } = device.members;
const { DeviceStatus } = status.members;

/** Lines of trouble of one scanner at most. */
const mostTrouble = 20;

/** LocationName of a scanner to which nobody gave one. */
const { initial: noLocation } = LocationName.type;

/** Timers may be early by this many ms. */
const tolerance = 100;

/** Where a scanner stands in the list of a site. */
export interface SitePlace {
  /** Below the address of the page, or its name on the port of a monitor. */
  readonly path: string;
  /** Empty if it is in none. */
  readonly group: string;
}

/** Returns the row of a scanner in the list of a site: what a monitor knows of it, for people. */
export function siteRow(snapshot: ScannerSnapshot, { path, group }: SitePlace): SiteScanner {
  const { url, serial, firmware, reachable, conditions, unsaved, drift, certificateUntil, scans } = snapshot;
  const { word, severity } = stateOf(snapshot);
  const location = locationIn(snapshot);
  const degrees = snapshot.values.get('CurrentTempDev');
  // The last values of a scanner that does not answer say nothing about now.
  const now = reachable === true;
  return {
    ...{ path, url, group, location, firmware, serialNumber: serial },
    name: nameOf(snapshot) ?? location ?? url,
    state: word,
    severity: worstOf([severity, ...conditions.map(severityOf)]),
    trouble: troubleOf(snapshot),
    troubleSince: conditions.length === 0 ? undefined : Math.min(...conditions.map(({ since }) => since)),
    // What was unsaved before the watch began is not known: none that is known is not none.
    unsaved: unsaved.length === 0 ? undefined : unsaved.length,
    drift: drift?.length,
    clockOffset: now ? snapshot.clockOffset : undefined,
    certificateUntil,
    temperature: now && typeof degrees === 'number' ? degrees : undefined,
    scans: now && scans !== undefined ? scansOf(scans) : undefined,
  };
}

function stateOf(snapshot: ScannerSnapshot): Pick<DeviceState, 'severity' | 'word'> {
  const { reachable, values } = snapshot;
  if (reachable === undefined || isLate(snapshot)) return { severity: 'idle', word: 'Connecting' };
  if (!reachable) return { severity: 'bad', word: 'Gone' };
  if (isOther(snapshot)) return { severity: 'bad', word: 'Another scanner' };
  return deviceState(valueIn(values, DeviceStatus));
}

/**
 * True for a scanner that was only slow so far: on a busy computer, that says little. The condition that it does not answer
 * begins if it stays silent.
 */
function isLate({ reachable, answeredAt, lookSeconds = 0, conditions }: ScannerSnapshot): boolean {
  if (reachable !== false || answeredAt !== undefined || conditions.length > 0) return false;
  return lookSeconds * 1000 > longestAnswer - tolerance;
}

function severityOf({ severity }: ActiveCondition): SiteSeverity {
  return severity === 'error' ? 'bad' : 'warn';
}

function worstOf(severities: readonly SiteSeverity[]): SiteSeverity {
  return siteSeverities.find((one) => severities.includes(one)) ?? 'idle';
}

/** The trouble in lines for people, errors first, and among those of one severity the longest first. */
function troubleOf(snapshot: ScannerSnapshot): readonly string[] {
  const { conditions, reachable, failure } = snapshot;
  const sorted = conditions.toSorted(
    (one, other) =>
      Number(other.severity === 'error') - Number(one.severity === 'error') || one.since - other.since,
  );
  const lines = sorted.map(({ id, part, text }) => {
    const title = conditionTitle(id);
    return oneLine(`${title}${part === '' ? '' : ` (${part})`}: ${text}`);
  });
  // The condition begins only after a while.
  const isTold = reachable !== false || isLate(snapshot) || conditions.some(({ id }) => id === 'unreachable');
  const gone = isTold ? [] : [`${conditionTitle('unreachable')}: ${failure ?? 'no answer'}`];
  return [...gone, ...lines].slice(0, mostTrouble);
}

/** The name that somebody gave to the scanner; undefined if it was named by its address alone. */
function nameOf({ name, url }: ScannerSnapshot): string | undefined {
  return hostOf(name) === hostOf(url) ? undefined : name;
}

function hostOf(url: string): string {
  return url
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '');
}

function locationIn({ values }: ScannerSnapshot): string | undefined {
  const location = oneLine(valueIn(values, LocationName) ?? '').trim();
  return location === '' || location === noLocation ? undefined : location;
}

function scansOf({ rate, expectedRate, lossShare }: ReceivedScans): SiteScans {
  return { rate, expectedRate, lossShare };
}
