import type { CheckTarget, ConformanceCase, Need } from '@azimuth/check';
import { ClientError, type Scanner } from '@azimuth/client';
import { LegacyScanner, legacyAddress } from '@azimuth/client/legacy';
import { searchPort } from '@azimuth/telegrams/device-search';
import { hostInUrl, routeTo } from '../scan-data/stream-settings.js';
import type { CheckOptions, Endpoint } from './check-options.js';

/** Addresses of the wires beside HTTP. */
type Wires = Pick<CheckTarget, 'httpsUrl' | 'legacyA' | 'legacyB' | 'search' | 'receiveAt' | 'control'>;

/** Text interface A and binary interface B, with the variable that states the port, and the port of a new scanner. */
const legacyInterfaces = {
  A: { scheme: 'cola', variable: 'EtherAuxIPPort', usualPort: 2111 },
  B: { scheme: 'colab', variable: 'EtherHostIPPort', usualPort: 2112 },
} as const;

type LegacyInterface = keyof typeof legacyInterfaces;

/** Returns the addresses of the wires that these cases need, as the options state them, or as they are found out. */
export async function wiresFor(
  cases: readonly ConformanceCase[],
  scanner: Scanner,
  options: CheckOptions,
): Promise<Wires> {
  const needed = new Set(cases.flatMap(({ needs = [] }): readonly Need[] => needs));
  const host = hostInUrl(scanner.url);
  const legacy = async (name: LegacyInterface, stated: Endpoint | undefined) =>
    !options.legacy || !needed.has('legacy') ? undefined : (stated ?? legacyAt(name, host, scanner));
  return {
    httpsUrl: options.https,
    legacyA: await legacy('A', options.legacyA),
    legacyB: await legacy('B', options.legacyB),
    search: options.search === true ? { host, port: searchPort } : options.search,
    receiveAt:
      options.streams && needed.has('streams')
        ? (options.receiveAt ?? (await ownAddress(scanner.url)))
        : undefined,
    control: options.core,
  };
}

/** Returns the address of a legacy interface, if something listens there that is not known to be another scanner. */
async function legacyAt(
  name: LegacyInterface,
  host: string,
  scanner: Scanner,
): Promise<Endpoint | undefined> {
  const { scheme, variable, usualPort } = legacyInterfaces[name];
  const port = Number(await ifAnswered(scanner.readAny(variable))) || usualPort;
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
  const at = host.includes(':') ? `[${host}]` : host;
  const connection = await ifAnswered(LegacyScanner.connect(legacyAddress(`${scheme}://${at}:${port}`)));
  if (connection === undefined) return undefined;
  try {
    const serials = await Promise.all([
      ifAnswered(scanner.readAny('SerialNumber')),
      ifAnswered(connection.readAny('SerialNumber')),
    ]);
    const [own, other] = serials.map((serial) => (serial === undefined ? undefined : String(serial)));
    return own !== undefined && other !== undefined && own !== other ? undefined : { host, port };
  } finally {
    connection.close();
  }
}

/** Returns the IPv4 address of this computer on the route to a scanner; undefined if there is none. */
async function ownAddress(url: string): Promise<string | undefined> {
  return (await ifAnswered(routeTo(url)))?.own;
}

async function ifAnswered<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ClientError) return undefined;
    throw error;
  }
}
