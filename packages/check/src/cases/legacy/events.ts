import { type Step, write } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { ask, type Form, inBothForms, legacyCase, login, over, textForm } from './telegrams.js';
import { subscribed } from './variables.js';

const place = 'guide: All telegrams';
const family = 'family: events belong to a connection';
const facts = { stage: 'write', names: ['LocationName'], changes: ['LocationName'] } as const;

const follow = (form: Form, value: '0' | '1' = '1', connection?: string): Step =>
  ask(form, `sEN LocationName ${value}`, subscribed('LocationName', value), 'enum8', at(connection));

/** The event of a change, within a second. */
const event = (form: Form, text: string, connection?: string): Step =>
  over(
    form,
    undefined,
    { answer: 'sSN LocationName', gives: 'string', values: { is: text }, within: 1 },
    at(connection),
  );

const silence = (form: Form, connection?: string): Step =>
  over(form, undefined, { silence: 0.5 }, at(connection));

function at(connection: string | undefined) {
  return connection === undefined ? {} : { connection };
}

const begin = write('LocationName', 'Gate 0');

export const eventCases: readonly ConformanceCase[] = [
  ...inBothForms((form) => ({
    id: 'event.pushed',
    clause: 'After sEN name 1, each change of the variable sends sSN name with its new value, once.',
    place,
    level: 'must',
    ...facts,
    steps: [
      begin,
      follow(form),
      write('LocationName', 'Gate 1'),
      event(form, '6 Gate 1'),
      write('LocationName', 'Gate 22'),
      event(form, '7 Gate 22'),
      silence(form),
    ],
  })),
  ...inBothForms((form) => ({
    id: 'event.ended',
    clause: 'After sEN name 0, no event comes any more.',
    place,
    level: 'must',
    ...facts,
    steps: [
      begin,
      follow(form),
      write('LocationName', 'Gate 1'),
      event(form, '6 Gate 1'),
      follow(form, '0'),
      write('LocationName', 'Gate 2'),
      silence(form),
    ],
  })),
  legacyCase({
    id: 'event.unchanged',
    clause: 'A write of the value that the variable already has sends no event.',
    place: 'guide: Events',
    level: 'should',
    ...facts,
    steps: [
      write('LocationName', 'Gate 1'),
      follow(textForm),
      write('LocationName', 'Gate 1'),
      silence(textForm),
    ],
  }),
  legacyCase({
    id: 'event.twice-subscribed',
    clause: 'A second subscription is acknowledged again, and each change still sends one event.',
    place: family,
    level: 'should',
    ...facts,
    steps: [
      begin,
      follow(textForm),
      follow(textForm),
      write('LocationName', 'Gate 1'),
      event(textForm, '6 Gate 1'),
      silence(textForm),
    ],
  }),
  legacyCase({
    id: 'event.of-connection',
    clause: 'A subscription belongs to its connection: another one gets no events.',
    place: family,
    level: 'must',
    ...facts,
    steps: [
      begin,
      ask(textForm, 'sRN SerialNumber', { answer: 'sRA SerialNumber', gives: 'string' }, undefined, {
        connection: 'other',
      }),
      follow(textForm),
      write('LocationName', 'Gate 1'),
      event(textForm, '6 Gate 1'),
      silence(textForm, 'other'),
    ],
  }),
  legacyCase({
    id: 'event.several-connections',
    clause:
      'Several connections may subscribe, in either form. Each gets the event in the form of its subscription.',
    place: family,
    level: 'must',
    ...facts,
    steps: [
      begin,
      follow({ form: 'text', interface: 'A' }),
      follow({ form: 'binary', interface: 'B' }),
      write('LocationName', 'Gate 1'),
      event({ form: 'text', interface: 'A' }, '6 Gate 1'),
      event({ form: 'binary', interface: 'B' }, '6 Gate 1'),
    ],
  }),
  legacyCase({
    id: 'event.ends-with-connection',
    clause: 'A subscription ends with its connection. The next connection gets no events.',
    place: family,
    level: 'must',
    ...facts,
    steps: [
      begin,
      follow(textForm),
      over(textForm, { close: true }, {}),
      ask(textForm, 'sRN SerialNumber', { answer: 'sRA SerialNumber', gives: 'string' }),
      write('LocationName', 'Gate 1'),
      silence(textForm),
    ],
  }),
  legacyCase({
    id: 'event.kept-by-run',
    clause: 'Run and a login leave subscriptions as they are.',
    place: family,
    level: 'should',
    ...facts,
    steps: [
      begin,
      follow(textForm),
      login(textForm),
      ask(textForm, 'sMN Run', { answer: 'sAN Run', gives: 'bool' }),
      write('LocationName', 'Gate 1'),
      event(textForm, '6 Gate 1'),
    ],
  }),
  ...inBothForms((form) => ({
    id: 'event.behind-answer',
    clause:
      'If a connection changes a variable that it follows, the acknowledgement of the write comes before the event.',
    place: 'family: answers come first',
    level: 'should',
    ...facts,
    steps: [
      begin,
      follow(form),
      login(form),
      ask(form, 'sWN LocationName 6 Gate 1', { answer: 'sWA LocationName', first: true }, 'string'),
      event(form, '6 Gate 1'),
    ],
  })),
  legacyCase({
    id: 'event.by-other-name',
    clause: 'An event has the name of its subscription: sEN DItype is answered by sEA DItype.',
    place,
    level: 'should',
    stage: 'write',
    names: ['EtherDHCPFallback'],
    changes: ['EtherDHCPFallback'],
    steps: [
      write('EtherDHCPFallback', 1),
      ask(textForm, 'sEN EIDHCPFallback 1', subscribed('EIDHCPFallback')),
      write('EtherDHCPFallback', 0),
      over(textForm, undefined, {
        answer: 'sSN EIDHCPFallback',
        gives: 'enum8',
        values: { is: '0' },
        within: 1,
      }),
    ],
  }),
  legacyCase({
    id: 'event.none-yet',
    clause: 'A subscription sends the value when it changes, not at once.',
    place: 'Azimuth: legacy protocol',
    level: 'should',
    stage: 'read',
    steps: [ask(textForm, 'sEN LocationName 1', subscribed('LocationName')), silence(textForm)],
  }),
];
