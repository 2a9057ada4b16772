import { get, noEvent, openEvents, receiveEvent, sendEvent } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { deregister, eventCase, eventOf, is, register, registered, responseOf } from './event-case.js';

const place = 'guide: Events';
const own = 'Azimuth: Events';
const every = 'LSPdatetime';

/** All events, by the maker's list. */
const names = [
  'DeviceStatus',
  'SCdevicestate',
  'FieldEvaluationResult',
  'perpendicularDistanceResult',
  'InputState',
  'OutputState',
  'PortState',
  'ContaminationData',
  'ContaminationResult',
  'InertialMeasurementUnit',
  'CurrentTempDev',
  'temperatureAlarmStatus',
  'UpdateState',
  'LSPdatetime',
] as const;

/** Registrations, and their responses. */
export const registeringCases: readonly ConformanceCase[] = [
  ...names.map((name) =>
    eventCase({
      id: `event.register-${name}`,
      clause: `A client can register for ${name}. The response has status 0 and its value, as a GET has it.`,
      place,
      level: 'must',
      names: [name],
      steps: [
        openEvents(),
        ...register(name, 1),
        receiveEvent(
          {
            has: {
              type: is('register'),
              event: is(name),
              status: is(0),
              data: { has: { [name]: { ofVariable: name } } },
            },
          },
          { of: { has: { type: is('register') } } },
        ),
      ],
    }),
  ),
  eventCase({
    id: 'event.response',
    clause:
      'The response to a registration has type, event and clientId of the request, status 0, and data; nothing else.',
    place,
    level: 'must',
    steps: [
      openEvents(),
      ...register('DeviceStatus', 17),
      receiveEvent({
        exactly: {
          type: is('register'),
          event: is('DeviceStatus'),
          clientId: is(17),
          status: is(0),
          data: { present: true },
        },
      }),
    ],
  }),
  eventCase({
    id: 'event.response-value',
    clause: 'The data of the response is that of a GET of the same name at that moment.',
    place,
    level: 'must',
    steps: [
      get('UpdateState', { status: 0 }, { save: { value: 'data' } }),
      openEvents(),
      ...register('UpdateState', 1),
      receiveEvent({ has: { data: { isSaved: 'value' } } }),
    ],
  }),
  eventCase({
    id: 'event.response-of-struct',
    clause: 'The data of an event whose value is a struct is that of a GET, too.',
    place: own,
    level: 'should',
    names: ['ContaminationResult'],
    steps: [
      get('ContaminationResult', { status: 0 }, { save: { value: 'data' } }),
      openEvents(),
      ...register('ContaminationResult', 1),
      receiveEvent({ has: { data: { isSaved: 'value' } } }),
    ],
  }),
  eventCase({
    id: 'event.first-value-once',
    clause: 'The value in the response counts as the first event: without a change, no further one comes.',
    place,
    level: 'must',
    steps: [openEvents(), ...registered('UpdateState', 1), noEvent(3)],
  }),
  eventCase({
    id: 'event.several',
    clause: 'One connection has several registrations, each with the clientId of its request.',
    place,
    level: 'must',
    steps: [
      openEvents(),
      ...registered('UpdateState', 1),
      ...registered('SCdevicestate', 2),
      ...registered('DeviceStatus', 3),
      ...registered(every, 4),
      receiveEvent(
        { has: { clientId: is(4), event: is(every) } },
        { of: { has: { type: is('event') } }, within: 3 },
      ),
    ],
  }),
  eventCase({
    id: 'event.client-ids',
    clause: 'A client may register for an event twice with two numbers: each gets the values.',
    place: own,
    level: 'should',
    steps: [
      openEvents(),
      ...registered(every, 1),
      ...registered(every, 2),
      receiveEvent({ has: { clientId: is(1) } }, { of: eventOf(every, 1), within: 3 }),
      receiveEvent({ has: { clientId: is(2) } }, { of: eventOf(every, 2), within: 3 }),
    ],
  }),
  eventCase({
    id: 'event.client-id-number',
    clause:
      'clientId is any integer that the client chooses: 0, negative and large ones come back as they are.',
    place,
    level: 'should',
    steps: [
      openEvents(),
      ...registered('DeviceStatus', 0),
      ...registered('DeviceStatus', -5),
      ...registered('DeviceStatus', 2_147_483_648),
    ],
  }),
  eventCase({
    id: 'event.replaced',
    clause:
      'A registration with the event and the clientId of an earlier one replaces it: values are sent once.',
    place: own,
    level: 'should',
    steps: [
      openEvents(),
      ...registered(every, 1),
      ...registered(every, 1),
      receiveEvent({ present: true }, { of: eventOf(every, 1), within: 3, save: { first: 'data' } }),
      receiveEvent({ has: { data: { not: { isSaved: 'first' } } } }, { of: eventOf(every, 1), within: 3 }),
    ],
  }),
  eventCase({
    id: 'event.deregister',
    clause: 'After deregister, no value of the event is sent for this clientId.',
    place,
    level: 'must',
    steps: [
      openEvents(),
      ...registered(every, 1),
      receiveEvent({ present: true }, { of: eventOf(every, 1), within: 3 }),
      deregister(every, 1),
      noEvent(1, { absent: true }),
      noEvent(3),
    ],
  }),
  eventCase({
    id: 'event.deregister-no-response',
    clause: 'deregister has no response.',
    place,
    level: 'must',
    steps: [openEvents(), ...registered('UpdateState', 1), deregister('UpdateState', 1), noEvent(1)],
  }),
  eventCase({
    id: 'event.deregister-others-stay',
    clause: 'deregister ends the registration with its clientId only.',
    place,
    level: 'must',
    steps: [
      openEvents(),
      ...registered(every, 1),
      ...registered(every, 2),
      deregister(every, 1),
      receiveEvent({ present: true }, { of: eventOf(every, 2), within: 3 }),
      noEvent(2, eventOf(every, 1)),
    ],
  }),
  eventCase({
    id: 'event.deregister-unknown',
    clause: 'deregister of what is not registered is ignored, and the connection stays.',
    place: own,
    level: 'should',
    steps: [openEvents(), deregister(every, 9), noEvent(0.5), ...registered('DeviceStatus', 1)],
  }),
  eventCase({
    id: 'event.register-again',
    clause: 'After deregister, a client can register again.',
    place,
    level: 'must',
    steps: [
      openEvents(),
      ...registered(every, 1),
      deregister(every, 1),
      ...registered(every, 1),
      receiveEvent({ present: true }, { of: eventOf(every, 1), within: 3 }),
    ],
  }),
  eventCase({
    id: 'event.unknown',
    clause:
      'A registration for an event that does not exist gets a response of type register with a status other than 0 and an error.',
    place,
    level: 'must',
    steps: [
      openEvents(),
      ...register('NoSuchEvent', 5),
      receiveEvent({
        has: {
          type: is('register'),
          event: is('NoSuchEvent'),
          clientId: is(5),
          status: { from: 1, to: 1_000_000 },
          error: { pattern: '.' },
          data: { absent: true },
        },
      }),
    ],
  }),
  eventCase({
    id: 'event.unknown-others-stay',
    clause: 'After a registration for an unknown event, the connection and its other registrations stay.',
    place,
    level: 'must',
    steps: [
      openEvents(),
      ...registered(every, 1),
      ...register('NoSuchEvent', 5),
      receiveEvent({ present: true }, { of: { has: { clientId: is(5) } } }),
      receiveEvent({ present: true }, { of: eventOf(every, 1), within: 3 }),
    ],
  }),
  eventCase({
    id: 'event.case-sensitive',
    clause: 'Names of events are case-sensitive.',
    place: 'family: clients',
    level: 'must',
    steps: [
      openEvents(),
      ...register('devicestatus', 1),
      receiveEvent({ has: { status: { not: is(0) } } }, { of: { has: { clientId: is(1) } } }),
    ],
  }),
  eventCase({
    id: 'event.variable-that-is-none',
    clause: 'A variable that is no event, such as LocationName, cannot be registered.',
    place,
    level: 'must',
    steps: [
      openEvents(),
      ...register('LocationName', 1),
      receiveEvent({ has: { status: { not: is(0) } } }, { of: { has: { clientId: is(1) } } }),
    ],
  }),
  eventCase({
    id: 'event.method-is-none',
    clause: 'A method is no event.',
    place,
    level: 'should',
    steps: [
      openEvents(),
      ...register('WriteEeprom', 1),
      receiveEvent({ has: { status: { not: is(0) } } }, { of: { has: { clientId: is(1) } } }),
    ],
  }),
  eventCase({
    id: 'event.order',
    clause: 'Responses come in the order of their requests, each before the first value of its registration.',
    place: own,
    level: 'should',
    steps: [
      openEvents(),
      ...register(every, 1),
      ...register('UpdateState', 2),
      receiveEvent({ has: { type: is('register'), clientId: is(1) } }),
      receiveEvent(responseOf('UpdateState', 2), { of: { has: { event: is('UpdateState') } } }),
    ],
  }),
  eventCase({
    id: 'event.no-header',
    clause: 'Messages have no header, unlike bodies of HTTP.',
    place,
    level: 'must',
    steps: [
      openEvents(),
      sendEvent({ type: 'register', event: 'DeviceStatus', clientId: 1 }),
      receiveEvent({ has: { header: { absent: true }, status: is(0) } }),
    ],
  }),
];
