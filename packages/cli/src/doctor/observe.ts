import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { concurrently, pause } from '@azimuth/async';
import {
  AnswerError,
  type Scanner,
  ScannerError,
  UnreachableError,
  unsavedParameters,
} from '@azimuth/client';
import type { FoundScanner } from '@azimuth/client/discover';
import {
  type DescribedScanner,
  device,
  deviceName,
  extensionPrefix,
  extensionVariables,
  isObject,
  type Variable,
} from '@azimuth/model';
import { hostInUrl, isThisComputer, routeTo } from '../scan-data/stream-settings.js';
import { allChecks } from './all-checks.js';
import { receiveArrivals } from './arrivals.js';
import { hostSituation } from './host-situation.js';
import type { LocalPorts } from './local-ports.js';
import { type MetricsPage, metricsIn } from './metrics-page.js';
import type { Network } from './network.js';
import { type Facts, type Logins, Observation, type Reading } from './observation.js';

/** Tools to examine one scanner. */
interface Means {
  /** The scanner for requests without a login. */
  readonly scanner: Scanner;
  /** Options that are appended to a suggested command, so that it goes to this scanner. */
  readonly behind: string;
  /** Shared by all examined scanners. */
  readonly ports: LocalPorts;
  /** The scanners in the networks; undefined without a search. */
  readonly neighbours: Promise<readonly FoundScanner[] | undefined>;
  /** Tries to log in, if the user has requested it. */
  readonly logIn?: () => Promise<Logins>;
  /** The unsaved parameters; undefined if the scanner does not report them. */
  readonly unsaved: () => Promise<readonly string[] | undefined>;
  /** Time to watch its metrics, in ms; they are made once a second. */
  readonly watchMs: number;
}

/** Number of reads at the same time: a scanner answers many with HTTP 429. */
const readsAtOnce = 4;

/**
 * Reads everything that the checks need. Changes nothing in the scanner.
 * @throws UnreachableError, AnswerError if no scanner answers
 */
export async function observed(means: Means): Promise<Observation> {
  const { scanner, behind, ports } = means;
  await scanner.readAny(device.members.DeviceIdent.name);
  const readings = await readVariables(scanner);
  const described = await describedProduct(scanner, readings);
  const situation = await hostSituation();
  const facts: Facts = {
    url: scanner.url,
    behind,
    readings,
    described,
    ...(await wayTo(scanner.url)),
    situation,
    networks: ownNetworks(),
    now: new Date(),
    arrivals: new Map(),
  };
  const preliminary = new Observation(facts);
  const [metrics, arrivals, unsaved] = await Promise.all([
    watchMetrics(means),
    receiveArrivals(preliminary, ports),
    means.unsaved(),
  ]);
  const logins = await means.logIn?.();
  const neighbours = await means.neighbours;
  return new Observation({
    ...facts,
    arrivals,
    metrics,
    unsaved,
    logins,
    neighbours,
  });
}

async function readVariables(scanner: Scanner): Promise<ReadonlyMap<string, Reading>> {
  const { SerialNumber } = device.members;
  const variables = new Map<string, Variable<unknown>>([[SerialNumber.name, SerialNumber]]);
  for (const variable of allChecks.flatMap(({ reads }) => reads)) variables.set(variable.name, variable);
  const readings = await concurrently(
    readsAtOnce,
    [...variables.values()],
    async (variable): Promise<[string, Reading]> => [variable.name, await readVariable(scanner, variable)],
  );
  return new Map(readings);
}

/** Returns what a product of its own states about itself. Only such a scanner is asked for its description. */
async function describedProduct(
  scanner: Scanner,
  readings: ReadonlyMap<string, Reading>,
): Promise<DescribedScanner | undefined> {
  const ident = readings.get(device.members.DeviceIdent.name);
  if (ident === undefined || !('value' in ident)) return undefined;
  if (isObject(ident.value) && ident.value.Name === deviceName) return undefined;
  const known = await scanner.description.whole();
  return known.scanner?.product === undefined ? undefined : known.scanner;
}

async function readVariable(scanner: Scanner, variable: Variable<unknown>): Promise<Reading> {
  const prefix = extensionVariables.includes(variable) ? extensionPrefix : '';
  try {
    return { value: await scanner.readAny(prefix + variable.name) };
  } catch (error) {
    if (error instanceof ScannerError && error.statusName === 'notFound') return { missing: true };
    if (error instanceof UnreachableError) throw error;
    // Real scanners answer paths outside of the interface in various ways.
    if (prefix !== '' && error instanceof AnswerError) return { missing: true };
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns the addresses of the scanner and of this computer, as they see each other. */
async function wayTo(url: string): Promise<Pick<Facts, 'host' | 'own' | 'isHere'>> {
  try {
    const { address } = await lookup(hostInUrl(url), { family: 4 });
    return { host: address, own: (await routeTo(url)).own, isHere: isThisComputer(address) };
  } catch {
    return { isHere: isThisComputer(hostInUrl(url)) };
  }
}

/** The IPv4 networks of this computer. */
export function ownNetworks(): readonly Network[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family }) => family === 'IPv4')
    .map(({ address, netmask }) => ({ address, mask: netmask }));
}

async function watchMetrics({
  scanner,
  watchMs,
}: Means): Promise<readonly [MetricsPage, MetricsPage] | undefined> {
  const before = await readMetricsPage(scanner);
  if (before === undefined) return undefined;
  await pause(watchMs);
  const after = await readMetricsPage(scanner);
  return after === undefined ? undefined : [before, after];
}

async function readMetricsPage(scanner: Scanner): Promise<MetricsPage | undefined> {
  const text = await scanner.metrics().catch((error: unknown) => {
    if (error instanceof AnswerError) return undefined;
    throw error;
  });
  return text === undefined ? undefined : metricsIn(text);
}

/** Reads the unsaved parameters; undefined if the scanner does not report its stored values. */
export async function unsavedNames(scanner: Scanner): Promise<readonly string[] | undefined> {
  const differences = await unsavedParameters(scanner).catch((error: unknown) => {
    if (error instanceof AnswerError || error instanceof ScannerError) return undefined;
    throw error;
  });
  return differences && [...new Set(differences.map(({ variable }) => variable.name))];
}
