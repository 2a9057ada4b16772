import { call, type Step, write } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { ask, binaryForm, legacyCase, login, over, textForm } from './telegrams.js';

const state = { answer: 'sRA SCdevicestate', gives: 'enum8' };
const ours = 'Azimuth: legacy protocol';

/** Both interfaces are switched on again, whatever has happened. */
const switchedOn: readonly Step[] = [
  write('EtherAuxEnabled', true),
  call('EthernetUpdate', undefined, { status: 0 }),
  { kind: 'pause', seconds: 1 },
];

export const interfaceCases: readonly ConformanceCase[] = [
  legacyCase({
    id: 'port.switched-off',
    clause:
      'With EtherAuxEnabled false, applied by EthernetUpdate, both interfaces close their connections. With true they are open again.',
    place: 'specification: Legacy protocols',
    level: 'must',
    stage: 'write',
    names: ['EtherAuxEnabled', 'EthernetUpdate'],
    changes: ['EtherAuxEnabled'],
    steps: [
      ask(textForm, 'sRN SCdevicestate', state),
      ask(binaryForm, 'sRN SCdevicestate', state),
      write('EtherAuxEnabled', false),
      call('EthernetUpdate', undefined, { status: 0 }),
      { kind: 'pause', seconds: 1 },
      over(textForm, undefined, { closed: true }),
      over(binaryForm, undefined, { closed: true }),
      over(textForm, undefined, { refused: true }, { connection: 'later' }),
      over(binaryForm, undefined, { refused: true }, { connection: 'later' }),
      ...switchedOn,
      ask(textForm, 'sRN SCdevicestate', state, undefined, { connection: 'again' }),
      ask(binaryForm, 'sRN SCdevicestate', state, undefined, { connection: 'again' }),
    ],
    cleanup: switchedOn,
  }),
  legacyCase({
    id: 'port.working-only',
    clause: 'EtherAuxEnabled false has no effect before EthernetUpdate or a boot.',
    place: 'guide: All telegrams',
    level: 'should',
    stage: 'write',
    names: ['EtherAuxEnabled', 'EthernetUpdate'],
    changes: ['EtherAuxEnabled'],
    steps: [
      write('EtherAuxEnabled', false),
      ask(textForm, 'sRN SCdevicestate', state),
      write('EtherAuxEnabled', true),
    ],
  }),
  legacyCase({
    id: 'port.distinct',
    clause: 'The two interfaces need different ports: the port of the other one answers sFA 4.',
    place: ours,
    level: 'should',
    stage: 'write',
    names: ['EtherAuxIPPort', 'EtherHostIPPort'],
    changes: ['EtherAuxIPPort', 'EtherHostIPPort'],
    steps: [
      login(textForm),
      ask(textForm, 'sWN EIAuxPort +12111', { answer: 'sWA EIAuxPort' }),
      ask(textForm, 'sWN EIHstPort +12112', { answer: 'sWA EIHstPort' }),
      ask(textForm, 'sWN EIAuxPort +12112', { error: 4 }),
      ask(textForm, 'sWN EIHstPort +12111', { error: 4 }),
    ],
  }),
  legacyCase({
    id: 'port.eight-connections',
    clause: 'Eight connections at a time are served, four on each interface.',
    place: ours,
    level: 'should',
    stage: 'read',
    steps: [1, 2, 3, 4].flatMap((number) => [
      ask(textForm, 'sRN SCdevicestate', state, undefined, { connection: `${number}` }),
      ask(binaryForm, 'sRN SCdevicestate', state, undefined, { connection: `${number}` }),
    ]),
  }),
];
