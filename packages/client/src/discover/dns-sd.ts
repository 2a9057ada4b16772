import { setTimeout } from 'node:timers/promises';
import multicastDns, { type ResponsePacket } from 'multicast-dns';
import { ownAddresses } from './destinations.js';
import { macOf, type WebTidings } from './found-scanner.js';

type Answer = NonNullable<ResponsePacket['answers']>[number];
type TxtData = Extract<Answer, { type: 'TXT' }>['data'];

const service = '_http._tcp.local';
const port = 5353;

/**
 * Asks for scanners by DNS-SD in the networks of these addresses of this computer, from ports of our own: nobody is in
 * the way of another program that does so. Never rejects: a network without multicast has nothing to tell.
 */
export async function askByDnsSd(
  timeout: number,
  signal: AbortSignal,
  heard: (tidings: WebTidings) => void,
  at = ownAddresses(),
): Promise<void> {
  const asking = at.map((address) => {
    const dns = multicastDns({ port: 0, interface: address });
    dns.on('error', () => undefined);
    dns.on('warning', () => undefined);
    dns.on('response', (response, { address: from }) => {
      for (const tidings of tidingsIn(response, from)) heard(tidings);
    });
    dns.query([{ name: service, type: 'PTR' }], { port }, () => undefined);
    return dns;
  });
  try {
    await setTimeout(timeout, undefined, { signal });
  } catch {
    // Enough was heard.
  } finally {
    for (const dns of asking) dns.destroy();
  }
}

/** The scanners among the web servers of an answer: they tell their MAC address and serial number. */
function tidingsIn({ answers = [], additionals = [] }: ResponsePacket, from: string): readonly WebTidings[] {
  const records = [...answers, ...additionals];
  return records.flatMap((record) => {
    if (record.type !== 'PTR' || record.name.toLowerCase() !== service) return [];
    const tidings = tidingsOf(record.data, records, from);
    return tidings === undefined ? [] : [tidings];
  });
}

function tidingsOf(instance: string, records: readonly Answer[], from: string): WebTidings | undefined {
  const own = records.filter(({ name }) => name.toLowerCase() === instance.toLowerCase());
  const text = own.find((record) => record.type === 'TXT');
  const way = own.find((record) => record.type === 'SRV');
  if (text?.type !== 'TXT' || way?.type !== 'SRV') return undefined;
  const facts = factsIn(text.data);
  const mac = macOf(facts.get('mac') ?? '');
  const serialNumber = facts.get('serial');
  if (mac === undefined || serialNumber === undefined) return undefined;
  const optional = ['type', 'firmware', 'location', 'instance'].map(
    (name) => [name, facts.get(name)] as const,
  );
  const https = Number(facts.get('https'));
  const addresses = addressesOf(way.data.target, records);
  // Of several, the one that has answered is reached from here.
  const address = addresses.find((known) => known === from) ?? addresses[0] ?? from;
  return {
    mac,
    serialNumber,
    address,
    addresses,
    httpPort: way.data.port,
    ...(https > 0 ? { httpsPort: https } : {}),
    ...Object.fromEntries(optional.filter(([, value]) => value !== undefined)),
  };
}

/** Of IPv4 before those of IPv6. */
function addressesOf(host: string, records: readonly Answer[]): readonly string[] {
  const own = records.filter(({ name }) => name.toLowerCase() === host.toLowerCase());
  const of = (kind: 'A' | 'AAAA') => own.flatMap((record) => (record.type === kind ? [record.data] : []));
  return [...of('A'), ...of('AAAA')];
}

function factsIn(data: TxtData): ReadonlyMap<string, string> {
  const lines = (Array.isArray(data) ? data : [data]).map((line) => line.toString());
  return new Map(
    lines.map((line) => {
      const [key = '', ...value] = line.split('=');
      return [key, value.join('=')] as const;
    }),
  );
}
