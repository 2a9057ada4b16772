import type { SeededRandom } from '@azimuth/test-support/seeded-random';
import { mutated } from './mutated.js';

/** First byte of a request: a search, or a change of the network configuration. */
const search = 0x10;
const change = 0x11;

const everyScanner = Buffer.alloc(6, 0xff);

/** A request of the device search, by the table in docs/discovery.md. */
export function searchRequest(
  telegram: number,
  mac: Buffer,
  id: Buffer,
  body: Buffer,
  { kind = 0, statedLength = body.length }: { kind?: number; statedLength?: number } = {},
): Buffer {
  const length = Buffer.of((statedLength >> 8) & 255, statedLength & 255);
  return Buffer.concat([Buffer.of(telegram, 0), length, mac, id, Buffer.of(1, kind), body]);
}

/** A valid search for all scanners. */
export function validSearch(id: Buffer): Buffer {
  return searchRequest(search, everyScanner, id, Buffer.from('7f000001ff000000', 'hex'));
}

const texts = ['&lt;', '<!--', '-->', '<!DOCTYPE x [', '<Item ', '/>', '"', "'", '<![CDATA[', '\0'];

function xml(random: SeededRandom, mac: Buffer): Buffer {
  const macText = [...mac].map((byte) => byte.toString(16).padStart(2, '0')).join(':');
  const keys = ['IPAddress', 'IPMask', 'IPGateway', 'DHCPClientEnabled', 'Other', '__proto__'];
  const values = ['127.0.0.1', '255.0.0.0', '0.0.0.0', 'TRUE', 'false', '256.1.1.1', '', '&amp;'];
  const items = Array.from(
    { length: random.pick([0, 1, 3, 4, 4, 4, 70]) },
    (_, index) =>
      `<Item key="${random.percent(70) ? keys[index % 4] : random.pick(keys)}" value="${random.pick(values)}" />`,
  );
  const filling = random.percent(10) ? ' '.repeat(random.below(4000)) : '';
  return Buffer.from(
    `<?xml version="1.0"?><IPconfig MACAddr="${macText}">${items.join('')}${filling}</IPconfig>`,
  );
}

function tagged(random: SeededRandom): Buffer {
  const address = random.percent(50) ? Buffer.of(127, 0, 0, random.below(256)) : random.bytes(4);
  const mask = random.pick([Buffer.of(255, 0, 0, 0), Buffer.of(255, 255, 255, 0), random.bytes(4)]);
  return Buffer.concat([address, mask, Buffer.of(0, 0, 0, 0), Buffer.of(random.pick([0, 1, 2, 255]))]);
}

/** One datagram for the device search of the scanner with this MAC address. */
export function searchInput(random: SeededRandom, scanner: Buffer, id: Buffer): Buffer {
  const mac = random.pick([scanner, scanner, scanner, everyScanner, random.bytes(6)]);
  const kind = random.below(100);
  if (kind < 10) return random.bytes(random.pick([0, 1, 13, 15, 16, 17, 29, 100, 1400]));
  if (kind < 11) return Buffer.concat([validSearch(id), Buffer.alloc(random.between(1, 60_000), '<')]);
  const body =
    kind < 30
      ? random.bytes(random.percent(70) ? 8 : random.below(40))
      : kind < 60
        ? xml(random, scanner)
        : tagged(random);
  const telegram = kind < 30 ? search : random.percent(95) ? change : random.below(256);
  const facts = {
    kind: random.pick([0, 2, random.below(256)]),
    statedLength: random.percent(90) ? body.length : random.below(65_536),
  };
  const request = searchRequest(telegram, mac, id, body, facts);
  return random.percent(60) ? mutated(random, request, texts) : request;
}
