import { pause } from '@azimuth/async';
import { httpService, multicastDnsPort } from '@azimuth/telegrams/device-search';
import multicastDns, { type ResponsePacket } from 'multicast-dns';
import { type AnnouncedScanner, macAddressIn } from './found-scanner.js';
import { ownAddresses } from './search-request.js';

type DnsRecord = NonNullable<ResponsePacket['answers']>[number];
type TxtData = Extract<DnsRecord, { type: 'TXT' }>['data'];

/**
 * Searches for scanners by DNS-SD in the networks of these addresses of this computer. Each query is sent from a port
 * of its own, so other programs can use DNS-SD at the same time. Never rejects: without multicast there are no
 * responses.
 * @param timeout ms
 */
export async function browseDnsSd(
  timeout: number,
  signal: AbortSignal,
  onScanner: (scanner: AnnouncedScanner) => void,
  at = ownAddresses(),
): Promise<void> {
  const browsers = at.map((address) => {
    const dns = multicastDns({ port: 0, interface: address });
    dns.on('error', () => undefined);
    dns.on('warning', () => undefined);
    dns.on('response', (response, { address: from }) => {
      for (const record of scannersInResponse(response, from)) onScanner(record);
    });
    dns.query([{ name: httpService, type: 'PTR' }], { port: multicastDnsPort }, () => undefined);
    return dns;
  });
  try {
    await pause(timeout, signal);
  } finally {
    for (const dns of browsers) dns.destroy();
  }
}

/** Limit for the addresses of one scanner, more than any scanner has. */
const maxAddresses = 16;

type ByName = ReadonlyMap<string, readonly DnsRecord[]>;

/**
 * Returns the scanners among the web servers in a response. Scanners state their MAC address and serial number. A
 * response may contain the same record thousands of times.
 */
export function scannersInResponse(
  { answers = [], additionals = [] }: Pick<ResponsePacket, 'answers' | 'additionals'>,
  from: string,
): readonly AnnouncedScanner[] {
  const records = new Map<string, DnsRecord[]>();
  for (const record of [...answers, ...additionals]) {
    const name = record.name.toLowerCase();
    const same = records.get(name);
    if (same === undefined) records.set(name, [record]);
    else same.push(record);
  }
  const instances = (records.get(httpService) ?? []).flatMap((record) =>
    record.type === 'PTR' ? [record.data.toLowerCase()] : [],
  );
  return [...new Set(instances)].flatMap((instance) => announcedScanner(instance, records, from) ?? []);
}

/** @param instance in lower case */
function announcedScanner(instance: string, records: ByName, from: string): AnnouncedScanner | undefined {
  const own = records.get(instance) ?? [];
  const text = own.find((record) => record.type === 'TXT');
  const service = own.find((record) => record.type === 'SRV');
  if (text?.type !== 'TXT' || service?.type !== 'SRV') return undefined;
  const entries = txtEntries(text.data);
  const mac = macAddressIn(entries.get('mac') ?? '');
  const serialNumber = entries.get('serial');
  if (mac === undefined || serialNumber === undefined) return undefined;
  const optional = ['type', 'firmware', 'location', 'instance'].map(
    (name) => [name, entries.get(name)] as const,
  );
  const https = Number(entries.get('https'));
  const addresses = hostAddresses(service.data.target, records);
  // The sender of the response can be reached from here.
  const address = addresses.find((known) => known === from) ?? addresses[0] ?? from;
  return {
    mac,
    serialNumber,
    address,
    addresses: addresses.slice(0, maxAddresses),
    httpPort: service.data.port,
    httpsPort: https > 0 ? https : undefined,
    ...Object.fromEntries(optional.filter(([, value]) => value !== undefined)),
  };
}

/** Returns the addresses of a host: IPv4 first, then IPv6. */
function hostAddresses(host: string, records: ByName): readonly string[] {
  const own = records.get(host.toLowerCase()) ?? [];
  const of = (kind: 'A' | 'AAAA') => own.flatMap((record) => (record.type === kind ? [record.data] : []));
  return [...of('A'), ...of('AAAA')];
}

function txtEntries(data: TxtData): ReadonlyMap<string, string> {
  const lines = (Array.isArray(data) ? data : [data]).map((line) => line.toString());
  return new Map(
    lines.map((line) => {
      const [key = '', ...value] = line.split('=');
      return [key, value.join('=')] as const;
    }),
  );
}
