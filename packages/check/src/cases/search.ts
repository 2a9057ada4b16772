import { call, get, given, type Matcher, pause, type SearchStep, type Step, write } from '../steps/index.js';
import type { Area, ConformanceCase } from './case.js';
import { afterReboot, afterSoftReset } from './saving-steps.js';

const place = 'guide: Discovery';
const family = 'family: device search';
const ours = 'Azimuth: finding scanners';

const search = (expect: Matcher, request: SearchStep['request'] = {}, silentFor?: number): SearchStep => ({
  kind: 'search',
  request,
  expect,
  ...(silentFor === undefined ? {} : { silentFor }),
});

const nothing: Matcher = { exactly: {} };
const tagged = (tags: Matcher): Matcher => ({ has: { '95': { has: { tags } } } });
const items = (all: Readonly<Record<string, Matcher>>): Matcher => ({
  has: {
    '90': {
      has: {
        items: {
          has: Object.fromEntries(Object.entries(all).map(([key, value]) => [key, { has: { value } }])),
        },
      },
    },
  },
});

const foundNow: Matcher = { has: { '95': { present: true } } };
const isStatic = given('EtherAddressingMode', { is: 0 }, 'a scanner with a static address');

/** Lets search tools do what a mode says. */
const mode = (value: number): readonly Step[] => [
  write('EtherLegacyScanMode', value),
  call('EthernetUpdate', undefined, { status: 0 }),
  { kind: 'pause', seconds: 0.5 },
];

/** Whatever has happened, the mode that was is in force again: the variable is put back, and then this applies it. */
const asBefore: readonly Step[] = [
  write('EtherLegacyScanMode', { saved: 'mode' }),
  call('EthernetUpdate', undefined, { status: 0 }),
];
const modeSaved = get('EtherLegacyScanMode', { status: 0 }, { save: { mode: 'data.EtherLegacyScanMode' } });
const modes = {
  stage: 'write',
  names: ['EtherLegacyScanMode', 'EthernetUpdate'],
  changes: ['EtherLegacyScanMode'],
  cleanup: asBefore,
} as const;

/** A change to the configuration that the scanner has. */
const change = { kind: 0x11, mac: 'own', body: 'present' } as const;

const confirmed: Matcher = { exactly: { '91': { has: { body: { is: [0] } } } } };

/** A boot with the mode that limits the time. Nothing is written: the stored mode may be another one. */
const limited = { stage: 'reboot', names: ['EtherLegacyScanMode'] } as const;
const timeLimited: readonly Step[] = [
  isStatic,
  ...afterSoftReset,
  given('EtherLegacyScanMode', { is: 3 }, 'the stored EtherLegacyScanMode 3'),
];

type Case = Omit<ConformanceCase, 'needs'>;

const cases: readonly Case[] = [
  {
    id: 'search.answered',
    clause:
      'A search for all scanners is answered to the address and port it came from. The answer repeats the id of the request.',
    place,
    level: 'must',
    stage: 'read',
    steps: [search(foundNow)],
  },
  {
    id: 'search.own-address',
    clause: 'A search for the MAC address of the scanner is answered.',
    place: family,
    level: 'must',
    stage: 'read',
    steps: [search(foundNow, { mac: 'own' })],
  },
  {
    id: 'search.other-address',
    clause: 'A search for another MAC address is not answered.',
    place: family,
    level: 'must',
    stage: 'read',
    steps: [search(nothing, { mac: 'other' })],
  },
  {
    id: 'search.mark',
    clause: 'A request whose byte 14 is not 1 is not answered.',
    place,
    level: 'must',
    stage: 'read',
    steps: [search(nothing, { mark: 0 }), search(nothing, { mark: 2 })],
  },
  {
    id: 'search.head',
    clause:
      'The head of an answer has 0 in byte 1, the number of bytes of the body, and the MAC address of the scanner.',
    place: family,
    level: 'must',
    stage: 'read',
    steps: [
      get('EtherMACAddress', { status: 0 }, { save: { mac: 'data.EtherMACAddress' } }),
      search({ has: { '95': { has: { second: { is: 0 }, mac: { isSaved: 'mac' }, mark: { is: 0 } } } } }),
    ],
  },
  {
    id: 'search.network',
    clause:
      'The answer has the tags EIPa, ENMa and EDGa: address, mask and gateway, two bytes behind the tag.',
    place,
    level: 'must',
    stage: 'read',
    steps: [
      isStatic,
      get('EtherIPAddress', { status: 0 }, { save: { address: 'data.EtherIPAddress' } }),
      get('EtherIPMask', { status: 0 }, { save: { mask: 'data.EtherIPMask' } }),
      get('EtherIPGateAddress', { status: 0 }, { save: { gateway: 'data.EtherIPGateAddress' } }),
      search(
        tagged({
          has: { EIPa: { isSaved: 'address' }, ENMa: { isSaved: 'mask' }, EDGa: { isSaved: 'gateway' } },
        }),
      ),
    ],
  },
  {
    id: 'search.dhcp',
    clause: 'The tag EDhc is 1 with DHCP and 0 without.',
    place,
    level: 'must',
    stage: 'read',
    steps: [isStatic, search(tagged({ has: { EDhc: { is: [0] } } }))],
  },
  {
    id: 'search.mac',
    clause: 'The tag EMAC is the MAC address.',
    place,
    level: 'must',
    stage: 'read',
    steps: [
      get('EtherMACAddress', { status: 0 }, { save: { mac: 'data.EtherMACAddress' } }),
      search(tagged({ has: { EMAC: { isSaved: 'mac' } } })),
    ],
  },
  {
    id: 'search.xml',
    clause: 'An XML answer NetScanResult follows the tagged one, for tools that read nothing else.',
    place: family,
    level: 'should',
    stage: 'read',
    steps: [
      search({
        has: { '95': { present: true }, '90': { has: { root: { is: 'NetScanResult' } } } },
      }),
    ],
  },
  {
    id: 'search.xml-alone',
    clause: 'If byte 15 is 2, the XML answer alone is sent.',
    place: ours,
    level: 'should',
    stage: 'read',
    steps: [search({ exactly: { '90': { present: true } } }, { form: 2 })],
  },
  {
    id: 'search.identity',
    clause: 'The XML answer has serial number, order number, firmware and location of the scanner, as REST.',
    place: family,
    level: 'should',
    stage: 'read',
    steps: [
      get('SerialNumber', { status: 0 }, { save: { serial: 'data.SerialNumber' } }),
      get('OrderNumber', { status: 0 }, { save: { order: 'data.OrderNumber' } }),
      search(items({ SerialNumber: { isSaved: 'serial' }, OrderNumber: { isSaved: 'order' } })),
    ],
  },
  {
    id: 'search.location',
    clause: 'The XML answer has the LocationName in force.',
    place: family,
    level: 'should',
    stage: 'write',
    names: ['LocationName'],
    changes: ['LocationName'],
    steps: [
      write('LocationName', 'Gate 1'),
      search(items({ LocationName: { is: 'Gate 1' } })),
      write('LocationName', 'Gate 2'),
      search(items({ LocationName: { is: 'Gate 2' } })),
    ],
  },
  {
    id: 'search.short-body',
    clause: 'A search whose body does not have 8 bytes is not answered.',
    place: ours,
    level: 'should',
    stage: 'read',
    steps: [search(nothing, { body: [0, 0, 0, 0] }), search(nothing, { stated: 9 })],
  },
  {
    id: 'search.unknown-kind',
    clause: 'A request of an unknown kind is not answered.',
    place: ours,
    level: 'should',
    stage: 'read',
    steps: [search(nothing, { kind: 0x12 })],
  },
  {
    id: 'search.disabled',
    clause: 'While EtherLegacyScanMode is 2, disabled, no search is answered.',
    place,
    level: 'must',
    ...modes,
    steps: [modeSaved, search(foundNow), ...mode(2), search(nothing, {}, 0.4)],
  },
  {
    id: 'search.enabled-again',
    clause: 'After disabled, the modes 0, 1 and 3 answer searches again.',
    place,
    level: 'must',
    ...modes,
    steps: [
      modeSaved,
      ...mode(2),
      ...mode(0),
      search(foundNow),
      ...mode(1),
      search(foundNow),
      ...mode(3),
      search(foundNow),
    ],
  },
  {
    id: 'search.mode-working',
    clause: 'A written mode has no effect before EthernetUpdate or a boot.',
    place: ours,
    level: 'should',
    ...modes,
    steps: [modeSaved, write('EtherLegacyScanMode', 2), search(foundNow)],
  },
  {
    id: 'search.restricted',
    clause: 'While EtherLegacyScanMode is 1, searches are answered, and a change of the address is not.',
    place,
    level: 'must',
    ...modes,
    steps: [modeSaved, isStatic, ...mode(1), search(nothing, change)],
  },
  {
    id: 'search.change',
    clause:
      'While EtherLegacyScanMode is 0, a change of the address is confirmed (0x91). That to the present address changes nothing.',
    place,
    level: 'must',
    ...modes,
    steps: [modeSaved, isStatic, ...mode(0), search(confirmed, change), search(foundNow)],
  },
  {
    id: 'search.change-for-all',
    clause: 'A change for all scanners is not carried out, and not answered.',
    place: ours,
    level: 'should',
    ...modes,
    steps: [modeSaved, isStatic, ...mode(0), search(nothing, { ...change, mac: 'all' })],
  },
  {
    id: 'search.change-mask',
    clause: 'A change to a mask with a gap is refused: it is not answered, and nothing changes.',
    place: ours,
    level: 'should',
    ...modes,
    changes: ['EtherLegacyScanMode', 'EtherIPMask', 'EtherIPAddress', 'EtherIPGateAddress'],
    steps: [
      modeSaved,
      isStatic,
      ...mode(0),
      get('EtherIPMask', { status: 0 }, { save: { mask: 'data.EtherIPMask' } }),
      search(nothing, { ...change, body: [192, 168, 0, 1, 255, 0, 255, 0, 0, 0, 0, 0, 0] }),
      get('EtherIPMask', { data: { has: { EtherIPMask: { isSaved: 'mask' } } } }),
    ],
  },
  {
    id: 'search.settable',
    clause:
      'The XML answer says whether the address can be set now: readonly is FALSE in mode 0, and TRUE in mode 1.',
    place: ours,
    level: 'should',
    ...modes,
    steps: [modeSaved, ...mode(0), search(fixed('FALSE')), ...mode(1), search(fixed('TRUE'))],
  },
  {
    id: 'search.time-limit',
    clause: 'While EtherLegacyScanMode is 3, the address can be changed for 60 s from a boot on.',
    place: ours,
    level: 'should',
    ...limited,
    steps: [...timeLimited, pause(58.5), search(confirmed, change)],
  },
  {
    id: 'search.time-limit-over',
    clause: 'While EtherLegacyScanMode is 3, the address cannot be changed any more 60 s after a boot.',
    place,
    level: 'must',
    ...limited,
    steps: [...timeLimited, pause(60.5), search(nothing, change)],
  },
  {
    id: 'search.found-after-time-limit',
    clause: 'While EtherLegacyScanMode is 3, searches are answered also after 60 s.',
    place,
    level: 'must',
    ...limited,
    steps: [...timeLimited, pause(62), search(foundNow)],
  },
  {
    id: 'search.cola-scan-off',
    clause: 'While EnableColaScan is false, no search is answered.',
    place: family,
    level: 'should',
    stage: 'reboot',
    names: ['EnableColaScan'],
    steps: [
      get('EnableColaScan', { status: 0 }, { save: { enabled: 'data.EnableColaScan' } }),
      write('EnableColaScan', true),
      ...afterReboot,
      search(foundNow),
      write('EnableColaScan', false),
      ...afterReboot,
      search(nothing, {}, 0.4),
    ],
    cleanup: [write('EnableColaScan', { saved: 'enabled' }), ...afterReboot],
  },
];

function fixed(word: string): Matcher {
  return { has: { '90': { has: { items: { has: { IPAddress: { has: { fixed: { is: word } } } } } } } } };
}

/** The device search (UDP). */
export const searchArea: Area = {
  name: 'search',
  title: 'Device search',
  cases: (subject) =>
    cases
      .filter(({ names = [] }) => names.every((name) => subject.has(name)))
      .map((one) => ({ ...one, needs: ['search'] })),
};
