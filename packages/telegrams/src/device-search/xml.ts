import {
  type DecodedDescription,
  type DeviceDescription,
  ipv4Bytes,
  macBytes,
  macText,
} from './description.js';

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>';

const utf8Decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const mostItems = 100;
const itemElement = /<Item\s([^<>]*)>/g;
const attribute = /([A-Za-z]+)="([^"]*)"/g;

/** Encodes the body of a response in the older form: items with key and value. Many tools read only this form. */
export function encodeXmlResponse(description: DeviceDescription): Uint8Array {
  const { address, mask, gateway, dhcp, settable, http, instance } = description;
  const fixed = (key: string, value: string | number) => xmlItem(key, value, true);
  const open = (key: string, value: string) => xmlItem(key, value, !settable);
  return xmlDocument('NetScanResult', description.macAddress, [
    open('IPAddress', address.join('.')),
    open('IPMask', mask.join('.')),
    open('IPGateway', gateway.join('.')),
    fixed('HostPortNo', description.legacyB),
    fixed('AuxPortNo', description.legacyA),
    // These are extensions by Azimuth: a virtual scanner is seldom at port 80, and seldom the only one with its serial
    // number.
    http === undefined ? '' : fixed('HTTPPortNo', http),
    instance === undefined ? '' : fixed('Instance', instance),
    fixed('DeviceType', `${description.deviceType} ${description.firmwareVersion}`),
    fixed('FirmwareVersion', description.firmwareVersion),
    fixed('SerialNumber', description.serialNumber),
    fixed('OrderNumber', description.orderNumber),
    fixed('IPConfigDuration', description.configurationTime),
    fixed('LocationName', description.locationName),
    fixed('HasDHCPClient', 'TRUE'),
    open('DHCPClientEnabled', xmlTruth(dhcp)),
    fixed('IsBeepSupported', 'FALSE'),
  ]);
}

/** Encodes the body that confirms a change in the older form. */
export function encodeXmlConfirmation({
  macAddress,
  configurationTime,
}: Pick<DeviceDescription, 'macAddress' | 'configurationTime'>): Uint8Array {
  return xmlDocument('IPconfigAck', macAddress, [
    xmlItem('ErrorCode', 0),
    xmlItem('Status', 'Success'),
    xmlItem('IPConfigDuration', configurationTime),
  ]);
}

/** Decodes a response in the older form; undefined for other bodies. */
export function decodeXmlResponse(body: Uint8Array): DecodedDescription | undefined {
  const text = utf8Decoder.decode(body);
  const macAddress = macBytes(/<NetScanResult\s[^<>]*MACAddr="([^"]*)"/.exec(text)?.[1] ?? '');
  if (macAddress === undefined) return undefined;
  const items = itemsIn(text);
  const value = (key: string) => items.get(key)?.value;
  const [deviceType, versionBehindType] = (value('DeviceType') ?? '').split(' ');
  const http = value('HTTPPortNo') ?? '';
  const dhcp = value('DHCPClientEnabled');
  const isReadOnly = items.get('IPAddress')?.readonly;
  return {
    macAddress,
    address: ipv4Bytes(value('IPAddress') ?? ''),
    mask: ipv4Bytes(value('IPMask') ?? ''),
    gateway: ipv4Bytes(value('IPGateway') ?? ''),
    dhcp: dhcp === undefined ? undefined : dhcp === 'TRUE',
    deviceType,
    firmwareVersion: value('FirmwareVersion') || versionBehindType,
    serialNumber: value('SerialNumber'),
    orderNumber: value('OrderNumber'),
    locationName: value('LocationName'),
    http: /^\d{1,5}$/.test(http) ? Number(http) : undefined,
    instance: value('Instance'),
    settable: isReadOnly === undefined ? undefined : !isReadOnly,
  };
}

export function xmlDocument(
  element: string,
  macAddress: readonly number[],
  items: readonly string[],
): Uint8Array {
  const text = `${xmlDeclaration}<${element} MACAddr="${macText(macAddress)}">${items.join('')}</${element}>`;
  return new TextEncoder().encode(text);
}

export function xmlItem(key: string, value: string | number, readonly?: boolean): string {
  const right = readonly === undefined ? '' : ` readonly="${xmlTruth(readonly)}"`;
  return `<Item key="${key}" value="${escaped(String(value))}"${right}/>`;
}

export function xmlTruth(value: boolean): string {
  return value ? 'TRUE' : 'FALSE';
}

interface Item {
  readonly value: string;
  readonly readonly: boolean;
}

function itemsIn(text: string): ReadonlyMap<string, Item> {
  const items = new Map<string, Item>();
  for (const [, inside = ''] of text.matchAll(itemElement)) {
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

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}
