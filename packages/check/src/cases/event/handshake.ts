import { leaveEvents, noEvent, openEvents, pingEvents } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { eventCase, is, registered } from './event-case.js';

const place = 'guide: Events';

/** Opening and keeping connections. */
export const handshakeCases: readonly ConformanceCase[] = [
  eventCase({
    id: 'event.opens',
    clause: 'The scanner accepts WebSockets at /apievents on its HTTP port, without a login.',
    place: 'specification: Events',
    level: 'must',
    steps: [openEvents(), ...registered('DeviceStatus', 1)],
  }),
  eventCase({
    id: 'event.under-api',
    clause: 'The scanner accepts WebSockets at /api/apievents, too.',
    place: 'Azimuth: Events',
    level: 'should',
    steps: [openEvents({ path: '/api/apievents' }), ...registered('DeviceStatus', 1)],
  }),
  eventCase({
    id: 'event.other-path',
    clause: 'At another path there are no events: a handshake there is refused.',
    place: 'Azimuth: Events',
    level: 'should',
    steps: [openEvents({ path: '/apievent', refused: [400, 404, 426, 501] })],
  }),
  eventCase({
    id: 'event.before-2-3-1',
    clause: 'Before release 2.3.1 there are no events: a handshake is refused.',
    place: 'specification: Endpoints by release',
    level: 'should',
    releases: { until: '2.3.1' },
    steps: [openEvents({ refused: [400, 404, 426, 501] })],
  }),
  eventCase({
    id: 'event.ping',
    clause: 'A ping is answered by a pong with the same content.',
    place: 'RFC 6455: Pong',
    level: 'must',
    steps: [openEvents(), pingEvents()],
  }),
  eventCase({
    id: 'event.two-connections',
    clause:
      'Several clients have connections at the same time; each gets the responses to its own registrations.',
    place,
    level: 'must',
    steps: [
      openEvents({}, 'one'),
      openEvents({}, 'other'),
      ...registered('DeviceStatus', 1, undefined, 'one'),
      ...registered('SCdevicestate', 2, undefined, 'other'),
      leaveEvents('one'),
      ...registered('DeviceStatus', 3, undefined, 'other'),
    ],
  }),
  eventCase({
    id: 'event.again',
    clause: 'Nothing of a connection survives its end: a new one begins without registrations.',
    place,
    level: 'informational',
    steps: [
      openEvents({}, 'one'),
      ...registered('LSPdatetime', 1, undefined, 'one'),
      leaveEvents('one'),
      openEvents({}, 'other'),
      ...registered('DeviceStatus', 2, undefined, 'other'),
      noEvent(2, { has: { event: is('LSPdatetime') } }, 'other'),
    ],
  }),
  eventCase({
    id: 'event.idle',
    clause: 'A connection stays open while nothing changes: a client needs no ping.',
    place,
    level: 'should',
    steps: [openEvents(), ...registered('UpdateState', 1), noEvent(10), ...registered('UpdateState', 2)],
  }),
];
