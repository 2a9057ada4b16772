import { inFile, type Mutant } from './mutant.js';

/** Mutants of the area `search`. */
export const searchMutants: readonly Mutant[] = [
  ...inFile(
    'packages/telegrams/src/device-search/datagram.ts',
    [
      'search.answered',
      'return encoded(telegram, macAddress, id, 0, body);',
      'return encoded(telegram, macAddress, id.toReversed(), 0, body);',
    ],
    [
      'search.mark',
      'if (datagram.length < headerBytes || datagram[at.mark] !== requestMark) return undefined;',
      'if (datagram.length < headerBytes) return undefined;',
    ],
    [
      'search.head',
      'return encoded(telegram, macAddress, id, 0, body);',
      'return encoded(telegram, macAddress, id, requestMark, body);',
    ],
    ['search.xml-alone', 'const xmlOnly = searchHeaderLayout.kind.values.xmlOnly;', 'const xmlOnly = 3;'],
    [
      'search.short-body',
      'body.length === searchBytes && statedLength === searchBytes',
      'body.length > 0 && statedLength === body.length',
    ],
    [
      'search.unknown-kind',
      'if (!isSearch && telegram !== SearchTelegram.change) return undefined;',
      'if (!isSearch && telegram < SearchTelegram.change) return undefined;\n  if (telegram > SearchTelegram.change) return { ...request, telegram: SearchTelegram.search, wantsXmlOnly: false, statedLength };',
    ],
  ),
  ...inFile(
    'packages/telegrams/src/device-search/tagged.ts',
    ['search.network', "tag('EDGa', description.gateway),", "tag('EDGa', description.mask),"],
    ['search.dhcp', "tag('EDhc', [description.dhcp ? 1 : 0]),", "tag('EDhc', [description.dhcp ? 0 : 1]),"],
    [
      'search.mac',
      "tag('EMAC', description.macAddress),",
      "tag('EMAC', [...description.macAddress].reverse()),",
    ],
  ),
  ...inFile(
    'packages/telegrams/src/device-search/xml.ts',
    [
      'search.identity',
      "fixed('OrderNumber', description.orderNumber),",
      "fixed('OrderNumber', description.serialNumber),",
    ],
    ['search.xml', "return xmlDocument('NetScanResult',", "return xmlDocument('NetScanResults',"],
  ),
  ...inFile(
    'packages/device/src/device-search/device-search.ts',
    [
      'search.own-address',
      'if (isAddressee) return request;',
      'if (isAddressee && telegram !== SearchTelegram.search) return request;',
    ],
    [
      'search.other-address',
      'return telegram === SearchTelegram.search && isForAll ? request : undefined;',
      'return telegram === SearchTelegram.search ? request : undefined;',
    ],
    [
      'search.change-for-all',
      'return telegram === SearchTelegram.search && isForAll ? request : undefined;',
      'return isForAll ? request : undefined;',
    ],
    [
      'search.location',
      'locationName: scanner.read(device.members.LocationName),',
      "locationName: 'Gate 1',",
    ],
    ['search.disabled', 'if (!permission.find) return noResponse;', ''],
    ['search.time-limit', 'const timeLimit = 60_000;', 'const timeLimit = 58_000;'],
    ['search.time-limit-over', 'const timeLimit = 60_000;', 'const timeLimit = 61_000;'],
    [
      'search.found-after-time-limit',
      'return { find: true, setAddress: sinceUp < timeLimit };',
      'return { find: sinceUp < timeLimit, setAddress: sinceUp < timeLimit };',
    ],
    [
      'search.cola-scan-off',
      'LegacyScanMode.ENABLED : LegacyScanMode.DISABLED',
      'LegacyScanMode.ENABLED : LegacyScanMode.IP_CONFIG_DISABLED',
    ],
    [
      'search.enabled-again',
      'return { find: true, setAddress: false };',
      'return { find: false, setAddress: false };',
    ],
    [
      'search.restricted',
      'return { find: true, setAddress: false };',
      'return { find: true, setAddress: true };',
    ],
    [
      'search.change',
      'return { find: true, setAddress: true };',
      'return { find: true, setAddress: false };',
    ],
    [
      'search.settable',
      'descriptionOf(this.#device, this.#ports(), setAddress)',
      'descriptionOf(this.#device, this.#ports(), true)',
    ],
    [
      'search.mode-working',
      'features.network.active,\n      served.edition.release,',
      'this.#device.parameters,\n      served.edition.release,',
    ],
  ),
  ...inFile('packages/device/src/device-search/configuration.ts', [
    'search.change-mask',
    'if (!isMask(mask)) return',
    'if (mask.length === 0) return',
  ]),
];
