import { isIPv6 } from 'node:net';
import type { Device } from '@azimuth/device';
import { isEverywhere } from '@azimuth/http';
import { device as deviceGroup, productOf, versionTextOf } from '@azimuth/model';
import { httpService } from '@azimuth/telegrams/device-search';
import type { ResponsePacket } from 'multicast-dns';
import { addressOf, ownAddresses } from '../network/own-networks.js';

export type Answer = NonNullable<ResponsePacket['answers']>[number];

/** Lifetimes (s) in caches of other hosts: host names, and all other records (RFC 6762 §10). */
const hostLife = 120;
const otherLife = 4500;

const httpsService = '_https._tcp.local';
/** Name under which browsers find the types of services (RFC 6763 §9). */
const services = '_services._dns-sd._udp.local';

/** The address of the web server. */
export interface WebAccess {
  /** IPv4 or IPv6 address. */
  readonly addresses: readonly string[];
  readonly http: number;
  /** Port of HTTPS; undefined while it is down. */
  readonly https: number | undefined;
  readonly instance: string;
}

/** The records of a scanner, and the names that must be unique. */
interface Announcement {
  readonly instance: string;
  readonly host: string;
  readonly port: number;
  readonly records: readonly Answer[];
}

/**
 * Makes the records.
 * @param distinct is added to the names if another scanner with this serial number uses them already
 */
export function announcementOf(scanner: Device, access: WebAccess, distinct?: string): Announcement {
  const { deviceType, serialNumber, macAddress } = scanner.identity;
  const behind = distinct === undefined ? '' : ` (${distinct})`;
  const name = `${deviceType} ${serialNumber}${behind}`.replaceAll('.', '-');
  const mac = macAddress.map((byte) => byte.toString(16).padStart(2, '0'));
  const { metricPrefix } = productOf(scanner.served.edition);
  const host = `${metricPrefix.replaceAll('_', '-')}-${mac.join('')}${distinct === undefined ? '' : `-${distinct}`}.local`;
  const text = [
    'txtvers=1',
    'path=/',
    `type=${deviceType}`,
    `serial=${serialNumber}`,
    `mac=${mac.join(':')}`,
    `firmware=${versionTextOf(scanner.served.edition)}`,
    `location=${scanner.read(deviceGroup.members.LocationName)}`,
    `instance=${access.instance}`,
    ...(access.https === undefined ? [] : [`https=${access.https}`]),
  ];
  const of = (service: string, port: number) => serviceRecords({ service, name, host, port, text });
  const records: Answer[] = [
    ...of(httpService, access.http),
    ...(access.https === undefined ? [] : of(httpsService, access.https)),
    ...access.addresses.map(
      (data): Answer => ({ type: isIPv6(data) ? 'AAAA' : 'A', name: host, ttl: hostLife, flush: true, data }),
    ),
  ];
  return { instance: `${name}.${httpService}`, host, port: access.http, records };
}

interface Service {
  readonly service: string;
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly text: readonly string[];
}

function serviceRecords({ service, name, host, port, text }: Service): Answer[] {
  const instance = `${name}.${service}`;
  return [
    { type: 'PTR', name: services, ttl: otherLife, data: service },
    { type: 'PTR', name: service, ttl: otherLife, data: instance },
    {
      type: 'SRV',
      name: instance,
      ttl: hostLife,
      flush: true,
      data: { port, target: host, priority: 0, weight: 0 },
    },
    { type: 'TXT', name: instance, ttl: otherLife, flush: true, data: [...text] },
  ];
}

/** Addresses of a listener, and the network in which it is announced. */
interface Network {
  /** Addresses, at least one; IPv6 for a listener on its loopback. */
  readonly addresses: readonly string[];
  /** IPv4 address of this machine in the network in which it is announced; undefined for all networks. */
  readonly at: string | undefined;
}

/**
 * Returns the network of a listener at this host; undefined if it has no IPv4 address, because announcements use IPv4
 * only.
 */
export async function networkOf(host: string): Promise<Network | undefined> {
  if (isEverywhere(host)) return { addresses: ownAddresses(), at: undefined };
  const at = await addressOf(host);
  if (at === undefined) return undefined;
  // Clients of the IPv6 loopback are on this machine, and receive announcements on the IPv4 loopback.
  return { addresses: [isIPv6(host) ? host : at], at };
}
