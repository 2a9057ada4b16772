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
import { device, extensionPrefix, extensionVariables, type Variable } from '@azimuth/model';
import { hostOf, isThisComputer, routeTo } from '../scan-data/stream-settings.js';
import { allChecks } from './all-checks.js';
import { arrivalsOf } from './arrivals.js';
import { hostSituation } from './host-situation.js';
import type { LocalPorts } from './local-ports.js';
import { type MetricsPage, metricsIn } from './metrics-page.js';
import type { Network } from './network.js';
import { type Facts, type Logins, Observation, type Reading } from './observation.js';

/** What is used to look at one scanner. */
interface Means {
  /** For what needs no login. */
  readonly scanner: Scanner;
  /** What is put behind a suggested command, so that it goes to this scanner. */
  readonly behind: string;
  /** Shared by all scanners that are looked at. */
  readonly ports: LocalPorts;
  /** The scanners in the networks; undefined if nobody searches. */
  readonly neighbours: Promise<readonly FoundScanner[] | undefined>;
  /** Tries to log in, if somebody asked for it. */
  readonly logIn?: () => Promise<Logins>;
  /** The parameters that are not saved; undefined if the scanner does not tell. */
  readonly unsaved: () => Promise<readonly string[] | undefined>;
  /** How long its metrics are watched, in ms; they are made anew once a second. */
  readonly watchMs: number;
}

/** A scanner answers a few reads at once well, and many with HTTP 429. */
const readsAtOnce = 4;

/**
 * Reads everything that the checks look at. Changes nothing in the scanner.
 * @throws UnreachableError, AnswerError if no scanner answers
 */
export async function observed(means: Means): Promise<Observation> {
  const { scanner, behind, ports } = means;
  await scanner.readAny(device.members.DeviceIdent.name);
  const readings = await readingsOf(scanner);
  const situation = await hostSituation();
  const facts: Facts = {
    url: scanner.url,
    behind,
    readings,
    ...(await wayTo(scanner.url)),
    situation,
    networks: ownNetworks(),
    now: new Date(),
    arrivals: new Map(),
  };
  const early = new Observation(facts);
  const [metrics, arrivals, unsaved] = await Promise.all([
    metricsOf(means),
    arrivalsOf(early, ports),
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

async function readingsOf(scanner: Scanner): Promise<ReadonlyMap<string, Reading>> {
  const { SerialNumber } = device.members;
  const wanted = new Map<string, Variable<unknown>>([[SerialNumber.name, SerialNumber]]);
  for (const variable of allChecks.flatMap(({ reads }) => reads)) wanted.set(variable.name, variable);
  const readings = await concurrently(
    readsAtOnce,
    [...wanted.values()],
    async (variable): Promise<[string, Reading]> => [variable.name, await readingOf(scanner, variable)],
  );
  return new Map(readings);
}

async function readingOf(scanner: Scanner, variable: Variable<unknown>): Promise<Reading> {
  const prefix = extensionVariables.includes(variable) ? extensionPrefix : '';
  try {
    return { value: await scanner.readAny(prefix + variable.name) };
  } catch (error) {
    if (error instanceof ScannerError && error.statusName === 'notFound') return { missing: true };
    if (error instanceof UnreachableError) throw error;
    // Real scanners answer paths outside of the interface in their own way.
    if (prefix !== '' && error instanceof AnswerError) return { missing: true };
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

/** The addresses of the scanner and of this computer, as they see each other. */
async function wayTo(url: string): Promise<Pick<Facts, 'host' | 'own' | 'isHere'>> {
  try {
    const { address } = await lookup(hostOf(url), { family: 4 });
    return { host: address, own: (await routeTo(url)).own, isHere: isThisComputer(address) };
  } catch {
    return { isHere: isThisComputer(hostOf(url)) };
  }
}

/** The IPv4 networks of this computer. */
export function ownNetworks(): readonly Network[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family }) => family === 'IPv4')
    .map(({ address, netmask }) => ({ address, mask: netmask }));
}

async function metricsOf({
  scanner,
  watchMs,
}: Means): Promise<readonly [MetricsPage, MetricsPage] | undefined> {
  const before = await pageOf(scanner);
  if (before === undefined) return undefined;
  await pause(watchMs);
  const after = await pageOf(scanner);
  return after === undefined ? undefined : [before, after];
}

async function pageOf(scanner: Scanner): Promise<MetricsPage | undefined> {
  const text = await scanner.metrics().catch((error: unknown) => {
    if (error instanceof AnswerError) return undefined;
    throw error;
  });
  return text === undefined ? undefined : metricsIn(text);
}

/** The parameters whose values are not saved; undefined if the scanner does not tell what it has stored. */
export async function unsavedNames(scanner: Scanner): Promise<readonly string[] | undefined> {
  const differences = await unsavedParameters(scanner).catch((error: unknown) => {
    if (error instanceof AnswerError || error instanceof ScannerError) return undefined;
    throw error;
  });
  return differences && [...new Set(differences.map(({ variable }) => variable.name))];
}
