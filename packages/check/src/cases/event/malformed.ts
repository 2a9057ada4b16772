import type { Json } from '../../match/matcher.js';
import { eventsClosed, openEvents, pause, receiveEvent, type Step, sendEvent } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { eventCase, is, register, registered } from './event-case.js';

const own = 'Azimuth: Events';
const refused = receiveEvent({ has: { status: { from: 1, to: 1_000_000 }, error: { pattern: '.' } } });

interface Malformed {
  readonly id: string;
  readonly clause: string;
  readonly message: Json;
}

/** Messages that are refused, after which the connection works. */
const malformed: readonly Malformed[] = [
  {
    id: 'event.not-json',
    clause: 'Text that is not JSON gets an error, and the connection stays.',
    message: '{"type":"register",',
  },
  {
    id: 'event.not-an-object',
    clause: 'JSON that is no object gets an error, and the connection stays.',
    message: '[1,2]',
  },
  {
    id: 'event.unknown-type',
    clause: 'A message of another type than register and deregister gets an error, and the connection stays.',
    message: { type: 'subscribe', event: 'DeviceStatus', clientId: 1 },
  },
  {
    id: 'event.no-event',
    clause: 'A registration without the name of an event gets an error, and the connection stays.',
    message: { type: 'register', clientId: 1 },
  },
  {
    id: 'event.no-client-id',
    clause: 'A registration without a clientId gets an error, and the connection stays.',
    message: { type: 'register', event: 'DeviceStatus' },
  },
  {
    id: 'event.client-id-text',
    clause: 'A registration whose clientId is a text gets an error: it is a number.',
    message: { type: 'register', event: 'DeviceStatus', clientId: '1' },
  },
  {
    id: 'event.client-id-fraction',
    clause: 'A registration whose clientId is no whole number gets an error.',
    message: { type: 'register', event: 'DeviceStatus', clientId: 1.5 },
  },
];

/** Options that are refused. */
const options: readonly (readonly [id: string, clause: string, options: Json])[] = [
  [
    'event.throttle-negative',
    'A negative throttle.minOutputIntervalMs gets an error.',
    { throttle: { minOutputIntervalMs: -1 } },
  ],
  [
    'event.queue-priority',
    'A priority of the queue other than HIGH, MID and LOW gets an error.',
    { queue: { priority: 'URGENT' } },
  ],
  ['event.queue-size-zero', 'A queue of the size 0 gets an error.', { queue: { maxSize: 0 } }],
  [
    'event.queue-discard',
    'discardIfFull other than OLDEST and NEWEST gets an error.',
    { queue: { discardIfFull: 'ALL' } },
  ],
];

const stays: readonly Step[] = registered('DeviceStatus', 99);

/** Messages that nobody should send. */
export const malformedCases: readonly ConformanceCase[] = [
  ...malformed.map(({ id, clause, message }) =>
    eventCase({
      ...{ id, clause, place: own, level: 'should' },
      steps: [openEvents(), sendEvent(message), refused, ...stays],
    }),
  ),
  ...options.map(([id, clause, given]) =>
    eventCase({
      ...{ id, clause, place: own, level: 'should' },
      steps: [openEvents(), ...register('DeviceStatus', 1, given), refused, ...stays],
    }),
  ),
  eventCase({
    id: 'event.error-repeats',
    clause: 'The response to a registration that is refused has type, event and clientId of the request.',
    place: 'guide: Events',
    level: 'must',
    steps: [
      openEvents(),
      ...register('NoSuchEvent', 31),
      receiveEvent({ has: { type: is('register'), event: is('NoSuchEvent'), clientId: is(31) } }),
    ],
  }),
  eventCase({
    id: 'event.binary',
    clause: 'A binary message ends the connection with code 1003: messages are text.',
    place: own,
    level: 'should',
    steps: [
      openEvents(),
      sendEvent({ type: 'register', event: 'DeviceStatus', clientId: 1 }, { binary: true }),
      eventsClosed([1003]),
    ],
  }),
  eventCase({
    id: 'event.too-long',
    clause: 'A message over 64 KiB ends the connection with code 1009.',
    place: own,
    level: 'should',
    steps: [
      openEvents(),
      sendEvent({ type: 'register', event: 'DeviceStatus', clientId: 1 }, { padding: 70_000 }),
      eventsClosed([1009]),
    ],
  }),
  eventCase({
    id: 'event.long',
    clause: 'A message of 60 KB is accepted.',
    place: own,
    level: 'should',
    steps: [
      openEvents(),
      sendEvent({ type: 'register', event: 'DeviceStatus', clientId: 1 }, { padding: 60_000 }),
      receiveEvent({ has: { status: is(0) } }),
    ],
  }),
  eventCase({
    id: 'event.other-clients',
    clause: 'A client that is disconnected for a mistake does not disturb others.',
    place: own,
    level: 'should',
    steps: [
      openEvents({}, 'one'),
      openEvents({}, 'other'),
      ...registered('DeviceStatus', 1, undefined, 'other'),
      sendEvent('x', { binary: true }, 'one'),
      pause(0.5),
      ...registered('SCdevicestate', 2, undefined, 'other'),
    ],
  }),
];
