import { call, eventSeries, get, noEvent, openEvents, receiveEvent, write } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { deregister, eventCase, eventOf, is, register, registered } from './event-case.js';

const place = 'guide: Events';
const own = 'Azimuth: Events';
const done = { status: 0, data: { has: { ErrorCode: is(0) } } } as const;
const stop = call('mStopMeasure', undefined, done);
const start = call('mStartMeasure', undefined, done);
const cleanup = [call('mStartMeasure', undefined)];
const status = (value: number) => ({ has: { data: { has: { DeviceStatus: is(value) } } } });
/** Only a scanner that measures can be stopped. */
const ready = get('DeviceStatus', { data: { has: { DeviceStatus: { oneOf: [3, 5] } } } });
/** Thresholds that any scanner at work is above, and below. */
const cold = { upperThreshold: -20, lowerThreshold: -30 } as const;
const hot = { upperThreshold: 120, lowerThreshold: 110 } as const;
const alarm = (value: boolean) => ({ has: { data: { has: { temperatureAlarmStatus: is(value) } } } });

const secondsOfClock = { number: 'data.LSPdatetime.usiSec', wrapsAt: 60 } as const;
/** µs. */
const tenMilliseconds = { from: 9000, to: 11_500 } as const;

/** Values that are sent when something changes. */
export const pushCases: readonly ConformanceCase[] = [
  eventCase({
    id: 'event.push',
    clause:
      'When the value of an event changes, the scanner sends a message of type event with its new value.',
    place,
    level: 'must',
    stage: 'write',
    steps: [
      ready,
      openEvents(),
      ...registered('DeviceStatus', 1),
      stop,
      receiveEvent(status(4), { of: eventOf('DeviceStatus', 1), within: 5 }),
    ],
    cleanup,
  }),
  eventCase({
    id: 'event.push-back',
    clause: 'When the value changes back, it is sent again.',
    place,
    level: 'must',
    stage: 'write',
    steps: [
      ready,
      openEvents(),
      ...registered('DeviceStatus', 1),
      stop,
      receiveEvent(status(4), { of: eventOf('DeviceStatus', 1), within: 5 }),
      start,
      receiveEvent(
        { has: { data: { has: { DeviceStatus: { oneOf: [3, 5] } } } } },
        { of: eventOf('DeviceStatus', 1), within: 30 },
      ),
    ],
    cleanup,
  }),
  eventCase({
    id: 'event.push-form',
    clause: 'A message of type event has type, event, clientId, status 0 and data; nothing else.',
    place,
    level: 'must',
    steps: [
      openEvents(),
      ...registered('LSPdatetime', 23),
      receiveEvent(
        {
          exactly: {
            type: is('event'),
            event: is('LSPdatetime'),
            clientId: is(23),
            status: is(0),
            data: { present: true },
          },
        },
        { within: 3 },
      ),
    ],
  }),
  eventCase({
    id: 'event.push-once',
    clause: 'A change is sent once.',
    place,
    level: 'must',
    stage: 'write',
    steps: [
      ready,
      openEvents(),
      ...registered('DeviceStatus', 1),
      stop,
      receiveEvent(status(4), { of: eventOf('DeviceStatus', 1), within: 5 }),
      noEvent(2),
    ],
    cleanup,
  }),
  eventCase({
    id: 'event.push-to-all',
    clause: 'Every client that has registered gets a change.',
    place,
    level: 'must',
    stage: 'write',
    steps: [
      ready,
      openEvents({}, 'one'),
      openEvents({}, 'other'),
      ...registered('DeviceStatus', 1, undefined, 'one'),
      ...registered('DeviceStatus', 2, undefined, 'other'),
      stop,
      receiveEvent(status(4), { of: eventOf('DeviceStatus', 1), within: 5 }, 'one'),
      receiveEvent(status(4), { of: eventOf('DeviceStatus', 2), within: 5 }, 'other'),
    ],
    cleanup,
  }),
  eventCase({
    id: 'event.push-to-others',
    clause: 'After a client has ended its registration, other clients still get the values.',
    place,
    level: 'must',
    steps: [
      openEvents({}, 'one'),
      openEvents({}, 'other'),
      ...registered('LSPdatetime', 1, undefined, 'one'),
      ...registered('LSPdatetime', 1, undefined, 'other'),
      deregister('LSPdatetime', 1, 'one'),
      receiveEvent({ present: true }, { of: eventOf('LSPdatetime', 1), within: 3 }, 'other'),
    ],
  }),
  eventCase({
    id: 'event.push-equals-get',
    clause: 'The data of an event is that of a GET of the same name at that moment.',
    place,
    level: 'must',
    stage: 'write',
    names: ['temperatureAlarmStatus'],
    steps: [
      write('temperatureAlarmConfiguration', hot),
      openEvents(),
      ...registered('temperatureAlarmStatus', 1),
      write('temperatureAlarmConfiguration', cold),
      receiveEvent(
        { present: true },
        { of: eventOf('temperatureAlarmStatus', 1), within: 5, save: { value: 'data' } },
      ),
      get('temperatureAlarmStatus', { data: { isSaved: 'value' } }),
    ],
  }),
  eventCase({
    id: 'event.push-temperature-alarm',
    clause: 'temperatureAlarmStatus is sent when the alarm begins.',
    place,
    level: 'must',
    stage: 'write',
    names: ['temperatureAlarmStatus'],
    steps: [
      write('temperatureAlarmConfiguration', hot),
      openEvents(),
      ...registered('temperatureAlarmStatus', 1),
      write('temperatureAlarmConfiguration', cold),
      receiveEvent(alarm(true), { of: eventOf('temperatureAlarmStatus', 1), within: 5 }),
      write('temperatureAlarmConfiguration', hot),
      receiveEvent(alarm(false), { of: eventOf('temperatureAlarmStatus', 1), within: 5 }),
    ],
  }),
  eventCase({
    id: 'event.push-clock',
    clause: 'LSPdatetime is sent every second.',
    place: 'family: clients',
    level: 'must',
    steps: [
      openEvents(),
      ...registered('LSPdatetime', 1),
      eventSeries({
        of: eventOf('LSPdatetime', 1),
        ...secondsOfClock,
        count: 6,
        // The clock may be set meanwhile.
        expect: { has: { steps: { items: { not: is(0) } }, median: is(1) } },
      }),
    ],
  }),
  eventCase({
    id: 'event.push-imu',
    clause: 'InertialMeasurementUnit is sent 100 times a second: its time stamps are about 10 ms apart.',
    place: 'family: clients',
    level: 'should',
    names: ['InertialMeasurementUnit'],
    steps: [
      openEvents(),
      ...registered('InertialMeasurementUnit', 1),
      eventSeries({
        of: eventOf('InertialMeasurementUnit', 1),
        number: 'data.InertialMeasurementUnit.TimeStamp',
        count: 101,
        // A busy scanner is late with some, and then skips some.
        expect: { any: [{ has: { mean: tenMilliseconds } }, { has: { median: tenMilliseconds } }] },
      }),
    ],
  }),
  eventCase({
    id: 'event.push-ports',
    clause:
      'PortState is sent when an output changes, as one for the source DRDY does when measuring is stopped.',
    place,
    level: 'should',
    stage: 'write',
    names: ['PortState'],
    steps: [
      ready,
      openEvents(),
      ...registered('PortState', 1),
      stop,
      receiveEvent(
        { has: { data: { has: { PortState: { ofVariable: 'PortState' } } } } },
        { of: eventOf('PortState', 1), within: 5 },
      ),
    ],
    cleanup,
  }),
  eventCase({
    id: 'event.push-outputs',
    clause:
      'OutputState is sent when an output changes, as one for the source DRDY does when measuring is stopped.',
    place,
    level: 'should',
    stage: 'write',
    names: ['OutputState'],
    steps: [
      ready,
      openEvents(),
      ...registered('OutputState', 1),
      stop,
      receiveEvent(
        { has: { data: { has: { OutputState: { ofVariable: 'OutputState' } } } } },
        { of: eventOf('OutputState', 1), within: 5 },
      ),
    ],
    cleanup,
  }),
  eventCase({
    id: 'event.throttle',
    clause: 'With throttle.minOutputIntervalMs, values are at least this time apart.',
    place,
    level: 'must',
    steps: [
      openEvents(),
      ...register('LSPdatetime', 1, { throttle: { minOutputIntervalMs: 3000 } }),
      eventSeries({
        // The value in the response is the first one.
        of: { has: { event: is('LSPdatetime'), clientId: is(1) } },
        ...secondsOfClock,
        count: 4,
        // Times are cut to whole seconds.
        expect: { has: { sum: { from: 8, to: 16 } } },
      }),
    ],
  }),
  eventCase({
    id: 'event.throttle-of-one',
    clause: 'Throttling is that of one registration: others get every value.',
    place: own,
    level: 'should',
    steps: [
      openEvents(),
      ...registered('LSPdatetime', 1, { throttle: { minOutputIntervalMs: 60_000 } }),
      ...registered('LSPdatetime', 2),
      receiveEvent({ present: true }, { of: eventOf('LSPdatetime', 2), within: 2 }),
    ],
  }),
  eventCase({
    id: 'event.queue-options',
    clause:
      'The options of the queue (priority HIGH, MID, LOW; maxSize; discardIfFull OLDEST, NEWEST) are accepted.',
    place,
    level: 'must',
    steps: [
      openEvents(),
      ...registered('DeviceStatus', 1, { queue: { priority: 'HIGH', maxSize: 10, discardIfFull: 'OLDEST' } }),
      ...registered('DeviceStatus', 2, { queue: { priority: 'MID', maxSize: 1, discardIfFull: 'NEWEST' } }),
      ...registered('DeviceStatus', 3, { queue: { priority: 'LOW' } }),
    ],
  }),
];
