import { macOf, named, type Tidings } from './found-scanner.js';

/** Major, minor, patch, build, `R`, status, action. */
const versionAndState = 2 + 2 + 2 + 4 + 1 + 1 + 2;

/** Reads an answer in the newer form; undefined for what is none. Tags that nobody knows are passed over. */
export function tidingsInTags(body: Buffer, address: string): Tidings | undefined {
  try {
    return told(new Cursor(body), address);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function told(at: Cursor, address: string): Tidings | undefined {
  at.take(2);
  const name = at.text();
  at.take(versionAndState);
  const [location = '', , , serialNumber = '', type = '', firmware = '', orderNumber = ''] = at.texts(7);
  at.take(1);
  at.tags();
  for (let left = at.number(); left > 0; left--) {
    at.take(2);
    at.text();
  }
  const tags = at.tags();
  const mac = macOf(tags.get('EMAC')?.toString('hex') ?? '');
  if (mac === undefined) return undefined;
  const of = (tag: string, length: number) => {
    const value = tags.get(tag);
    return value?.length === length ? value : undefined;
  };
  const quad = (tag: string) => of(tag, 4)?.join('.');
  const httpPort = of('XHtp', 2)?.readUInt16BE(0);
  const instance = of('XIns', 4)?.toString('hex');
  const dhcp = of('EDhc', 1)?.[0];
  return {
    mac,
    address,
    form: 'tagged',
    configuration: {
      ...named('address', quad('EIPa')),
      ...named('mask', quad('ENMa')),
      ...named('gateway', quad('EDGa')),
      ...(dhcp === undefined ? {} : { dhcp: dhcp === 1 }),
    },
    type: type || name,
    ...named('serialNumber', serialNumber),
    ...named('orderNumber', orderNumber),
    ...named('firmware', firmware),
    ...named('location', location),
    ...named('instance', instance),
    ...(httpPort === undefined ? {} : { httpPort }),
  };
}

/** Reads on in a body. @throws RangeError behind its end */
class Cursor {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('the answer is too short');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  number(): number {
    return this.take(2).readUInt16BE(0);
  }

  text(): string {
    return this.take(this.number()).toString('utf8');
  }

  texts(count: number): readonly string[] {
    return Array.from({ length: count }, () => this.text());
  }

  tags(): ReadonlyMap<string, Buffer> {
    const tags = new Map<string, Buffer>();
    for (let left = this.number(); left > 0; left--) {
      const name = this.take(4).toString('latin1');
      tags.set(name, this.take(this.number()));
    }
    return tags;
  }
}
