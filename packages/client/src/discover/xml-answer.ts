import { isIPv4 } from 'node:net';
import { macOf, named, type Tidings } from './found-scanner.js';

const mostItems = 100;
const item = /<Item\s([^<>]*)>/g;
const attribute = /([A-Za-z]+)="([^"]*)"/g;

/** Reads an answer in the older form; undefined for what is none. */
export function tidingsInXml(body: Buffer, address: string): Tidings | undefined {
  const text = body.toString('utf8');
  const mac = macOf(/<NetScanResult\s[^<>]*MACAddr="([^"]*)"/.exec(text)?.[1] ?? '');
  if (mac === undefined) return undefined;
  const items = itemsIn(text);
  const value = (key: string) => items.get(key)?.value ?? '';
  const [type = '', firmware] = value('DeviceType').split(' ');
  const told: Partial<Tidings> = {
    ...named('type', type),
    ...named('firmware', value('FirmwareVersion') || firmware || ''),
    ...named('serialNumber', value('SerialNumber')),
    ...named('orderNumber', value('OrderNumber')),
    ...named('location', value('LocationName')),
    ...(/^\d{1,5}$/.test(value('HTTPPortNo')) ? { httpPort: Number(value('HTTPPortNo')) } : {}),
    ...named('instance', value('Instance')),
    ...(items.has('IPAddress') ? { settable: items.get('IPAddress')?.readonly === false } : {}),
  };
  const quad = (key: string) => (isIPv4(value(key)) ? value(key) : undefined);
  return {
    mac,
    address,
    form: 'xml',
    configuration: {
      ...named('address', quad('IPAddress')),
      ...named('mask', quad('IPMask')),
      ...named('gateway', quad('IPGateway')),
      ...(items.has('DHCPClientEnabled') ? { dhcp: value('DHCPClientEnabled') === 'TRUE' } : {}),
    },
    ...told,
  };
}

interface Item {
  readonly value: string;
  readonly readonly: boolean;
}

function itemsIn(text: string): ReadonlyMap<string, Item> {
  const items = new Map<string, Item>();
  for (const [, inside = ''] of text.matchAll(item)) {
    if (items.size === mostItems) break;
    const attributes = new Map<string, string>();
    for (const [, name = '', value = ''] of inside.matchAll(attribute))
      attributes.set(name, unescaped(value));
    items.set(attributes.get('key') ?? '', {
      value: attributes.get('value') ?? '',
      readonly: attributes.get('readonly') === 'TRUE',
    });
  }
  return items;
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}
