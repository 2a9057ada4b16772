import {
  mostListed,
  type SiteGroup,
  type SiteList,
  type SiteScanner,
  siteSeverities,
} from '@azimuth/http/site';
import { isObject } from '@azimuth/model';

/** The server of the page does not answer as expected. The message says what was expected, and where. */
export class SiteFault extends Error {}

/** Characters of a text that are kept. */
const longestText = 300;
/** Lines of trouble of one scanner that are kept. */
const mostTrouble = 20;
/** Groups that are kept. */
const mostGroups = 1000;

/** The path of a scanner below the address of the page: no part of it leads elsewhere. */
const scannerPath = /^(?:\/[A-Za-z0-9][\w.~-]{0,99}){1,4}$/;

export function isScannerPath(text: unknown): text is string {
  return typeof text === 'string' && scannerPath.test(text);
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads the answer of a server to a query for its scanners. Optional values of a wrong type count as unknown.
 * @throws SiteFault
 */
export function siteListIn(json: unknown): SiteList {
  const list = objectAt(json, 'the list');
  const { severities, groups, scanners } = list;
  if (!Array.isArray(scanners) || scanners.length > mostListed)
    throw new SiteFault(`scanners: expected a list of at most ${mostListed}`);
  const counts = objectAt(severities, 'severities');
  const [bad, warn, idle, good] = siteSeverities.map((name) => countAt(counts, name, 'severities.'));
  return {
    total: countAt(list, 'total'),
    matching: countAt(list, 'matching'),
    from: countAt(list, 'from'),
    severities: { bad: bad ?? 0, warn: warn ?? 0, idle: idle ?? 0, good: good ?? 0 },
    groups: (Array.isArray(groups) ? groups : []).slice(0, mostGroups).map(groupIn),
    scanners: distinct(scanners.map(scannerIn)),
    history: list.history === true,
    log: list.log === true,
  };
}

function distinct(scanners: readonly SiteScanner[]): readonly SiteScanner[] {
  if (new Set(scanners.map(({ path }) => path)).size < scanners.length)
    throw new SiteFault('scanners: expected each path once');
  return scanners;
}

function groupIn(json: unknown, index: number): SiteGroup {
  const at = `groups[${index}]`;
  const group = objectAt(json, at);
  return {
    name: textAt(group, 'name', at),
    scanners: countAt(group, 'scanners', `${at}.`),
    trouble: countAt(group, 'trouble', `${at}.`),
  };
}

function scannerIn(json: unknown, index: number): SiteScanner {
  const at = `scanners[${index}]`;
  const row = objectAt(json, at);
  const { path, trouble, scans } = row;
  if (!isScannerPath(path)) throw new SiteFault(`${at}.path: expected a path below the page`);
  const severity = siteSeverities.find((one) => one === row.severity);
  if (severity === undefined)
    throw new SiteFault(`${at}.severity: expected one of ${siteSeverities.join(', ')}`);
  const url = textAt(row, 'url', at);
  if (!isWebAddress(url)) throw new SiteFault(`${at}.url: expected the address of a web server`);
  return {
    ...{ path, severity, url },
    name: textAt(row, 'name', at),
    group: textIn(row.group) ?? '',
    state: textAt(row, 'state', at),
    trouble: (Array.isArray(trouble) ? trouble : [])
      .slice(0, mostTrouble)
      .flatMap((line) => textIn(line) ?? []),
    serialNumber: textIn(row.serialNumber),
    location: textIn(row.location),
    firmware: textIn(row.firmware),
    troubleSince: numberIn(row.troubleSince),
    unsaved: numberIn(row.unsaved),
    drift: numberIn(row.drift),
    clockOffset: numberIn(row.clockOffset),
    certificateUntil: numberIn(row.certificateUntil),
    temperature: numberIn(row.temperature),
    scans: isObject(scans) ? scansIn(scans) : undefined,
  };
}

function isWebAddress(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text);
}

function scansIn(json: Json): SiteScanner['scans'] {
  const rate = numberIn(json.rate);
  if (rate === undefined) return undefined;
  return { rate, expectedRate: numberIn(json.expectedRate), lossShare: numberIn(json.lossShare) ?? 0 };
}

function objectAt(json: unknown, at: string): Json {
  if (!isObject(json)) throw new SiteFault(`${at}: expected an object`);
  return json;
}

function countAt(json: Json, name: string, at = ''): number {
  const value = json[name];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    throw new SiteFault(`${at}${name}: expected a whole number from 0 on`);
  return value;
}

function textAt(json: Json, name: string, at: string): string {
  const text = textIn(json[name]);
  if (text === undefined) throw new SiteFault(`${at}.${name}: expected a text`);
  return text;
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, longestText) : undefined;
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
