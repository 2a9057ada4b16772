import { pause } from '@azimuth/async';
import { httpService, multicastDnsPort } from '@azimuth/telegrams/device-search';
import multicastDns, { type ResponsePacket } from 'multicast-dns';
import { type DnsSdAnswer, macOf } from './found-scanner.js';
import { ownAddresses } from './search-request.js';

type Answer = NonNullable<ResponsePacket['answers']>[number];
type TxtData = Extract<Answer, { type: 'TXT' }>['data'];

/**
 * Asks for scanners by DNS-SD in the networks of these addresses of this computer. The questions are sent from separate
 * ports, so other programs can use DNS-SD at the same time. Never rejects: without multicast there are no answers.
 * @param timeout ms
 */
export async function browseDnsSd(
  timeout: number,
  signal: AbortSignal,
  onAnswer: (answer: DnsSdAnswer) => void,
  at = ownAddresses(),
): Promise<void> {
  const asking = at.map((address) => {
    const dns = multicastDns({ port: 0, interface: address });
    dns.on('error', () => undefined);
    dns.on('warning', () => undefined);
    dns.on('response', (response, { address: from }) => {
      for (const answer of decodeAnswer(response, from)) onAnswer(answer);
    });
    dns.query([{ name: httpService, type: 'PTR' }], { port: multicastDnsPort }, () => undefined);
    return dns;
  });
  try {
    await pause(timeout, signal);
  } finally {
    for (const dns of asking) dns.destroy();
  }
}

/** Addresses of one scanner: no scanner has as many. */
const mostAddresses = 16;

type ByName = ReadonlyMap<string, readonly Answer[]>;

/**
 * The scanners among the web servers of a response: they state their MAC address and serial number. A response may name the same
 * thing thousands of times.
 */
export function decodeAnswer(
  { answers = [], additionals = [] }: Pick<ResponsePacket, 'answers' | 'additionals'>,
  from: string,
): readonly DnsSdAnswer[] {
  const records = new Map<string, Answer[]>();
  for (const record of [...answers, ...additionals]) {
    const name = record.name.toLowerCase();
    const same = records.get(name);
    if (same === undefined) records.set(name, [record]);
    else same.push(record);
  }
  const instances = (records.get(httpService) ?? []).flatMap((record) =>
    record.type === 'PTR' ? [record.data.toLowerCase()] : [],
  );
  return [...new Set(instances)].flatMap((instance) => answerOf(instance, records, from) ?? []);
}

/** @param instance in lower case */
function answerOf(instance: string, records: ByName, from: string): DnsSdAnswer | undefined {
  const own = records.get(instance) ?? [];
  const text = own.find((record) => record.type === 'TXT');
  const service = own.find((record) => record.type === 'SRV');
  if (text?.type !== 'TXT' || service?.type !== 'SRV') return undefined;
  const entries = txtEntries(text.data);
  const mac = macOf(entries.get('mac') ?? '');
  const serialNumber = entries.get('serial');
  if (mac === undefined || serialNumber === undefined) return undefined;
  const optional = ['type', 'firmware', 'location', 'instance'].map(
    (name) => [name, entries.get(name)] as const,
  );
  const https = Number(entries.get('https'));
  const addresses = addressesOf(service.data.target, records);
  // The address that has answered can be reached from here.
  const address = addresses.find((known) => known === from) ?? addresses[0] ?? from;
  return {
    mac,
    serialNumber,
    address,
    addresses: addresses.slice(0, mostAddresses),
    httpPort: service.data.port,
    httpsPort: https > 0 ? https : undefined,
    ...Object.fromEntries(optional.filter(([, value]) => value !== undefined)),
  };
}

/** Of IPv4 before those of IPv6. */
function addressesOf(host: string, records: ByName): readonly string[] {
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
