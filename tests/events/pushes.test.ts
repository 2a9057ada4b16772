import { expectDone } from '@azimuth/test-support/envelope';
import { array, type JsonObject, number, object } from '@azimuth/test-support/json';
import {
  endOf,
  rectangle,
  revolution,
  SceneScanner,
  source,
  startOf,
} from '@azimuth/test-support/scene-scanner';
import { Subscriber } from '@azimuth/test-support/subscriber';
import { until } from '@azimuth/test-support/waiting';
import { expect, it } from 'vitest';

async function following(names: readonly string[], scene: object = {}) {
  const scanner = await SceneScanner.start({ scene });
  const subscriber = await Subscriber.connect(scanner.testScanner.httpPort);
  for (const name of names) await subscriber.follow(name);
  return { scanner, subscriber };
}

/** The last push is what a GET tells right behind it; answers that. */
async function expectLast(
  scanner: SceneScanner,
  name: string,
  pushes: readonly JsonObject[],
): Promise<JsonObject> {
  const last = pushes.at(-1);
  expect(last, name).toBeDefined();
  expect(last).toEqual(await scanner.data(name));
  return object(last);
}

/** All pushes so far, by the names of their events, in order. */
async function byName(subscriber: Subscriber): Promise<Readonly<Record<string, readonly JsonObject[]>>> {
  const found: Record<string, JsonObject[]> = {};
  for (const { type, event, status, data } of await subscriber.rest()) {
    expect([type, status]).toEqual(['event', 0]);
    const list = found[String(event)] ?? [];
    found[String(event)] = [...list, object(data)];
  }
  return found;
}

it('InputState and PortState follow a level after its debounce time', async () => {
  const { scanner, subscriber } = await following(['InputState', 'OutputState', 'PortState']);
  const before = await scanner.portStates(3);
  await scanner.drive(3, true);
  expect((await scanner.portStates(3)).input).toBe(before.input);
  expect(await subscriber.rest()).toEqual([]);
  scanner.pass(10);
  const { InputState = [], PortState = [], ...others } = await byName(subscriber);
  expect(others).toEqual({});
  await expectLast(scanner, 'InputState', InputState);
  const last = await expectLast(scanner, 'PortState', PortState);
  expect(object(array(last.aInternalPorts)[2]).ePortState).toBe(3);
});

it('OutputState and PortState follow an output', async () => {
  const { scanner, subscriber } = await following(['OutputState', 'PortState']);
  await scanner.configure({ 2: { PortType: 1, OutputSettings: { Sources: [source('SC02')] } } });
  const configured = await byName(subscriber);
  await expectLast(scanner, 'PortState', configured.PortState ?? []);
  expect(await scanner.callDone('SetOutput', { Output: 2, Value: 1 })).toEqual({ Success: true });
  const switched = await byName(subscriber);
  const output = await expectLast(scanner, 'OutputState', switched.OutputState ?? []);
  expect(object(array(output.aDigitalOut)[1]).udiCounter).toBe(1);
  const port = await expectLast(scanner, 'PortState', switched.PortState ?? []);
  expect(object(array(port.aInternalPorts)[1]).ePortState).toBe(1);
  expect(await scanner.callDone('SetOutput', { Output: 2, Value: 1 })).toEqual({ Success: true });
  expect(await byName(subscriber)).toEqual({});
});

it('CurrentTempDev and temperatureAlarmStatus follow the temperature', async () => {
  const { scanner, subscriber } = await following(['CurrentTempDev', 'temperatureAlarmStatus']);
  const told: unknown[] = [];
  for (const celsius of [54, 56, 51, 49]) {
    await scanner.control('/temperature', { celsius });
    const { CurrentTempDev = [], temperatureAlarmStatus = [] } = await byName(subscriber);
    expect(await expectLast(scanner, 'CurrentTempDev', CurrentTempDev)).toEqual({ CurrentTempDev: celsius });
    told.push(...temperatureAlarmStatus);
  }
  expect(told).toEqual([{ temperatureAlarmStatus: true }, { temperatureAlarmStatus: false }]);
});

it('CurrentTempDev follows a scanner that warms by itself', async () => {
  const { scanner, subscriber } = await following(['CurrentTempDev']);
  scanner.pass(600_000);
  const pushes = await subscriber.pushes('CurrentTempDev');
  const celsius = pushes.map(({ CurrentTempDev }) => number(CurrentTempDev));
  expect(celsius.length).toBeGreaterThan(0);
  expect(celsius).toEqual([...new Set(celsius)].toSorted((a, b) => a - b));
  // 22 + 10.5 (1 - e^(-10/15)) = 27.1 °C.
  expect(Math.abs((celsius.at(-1) ?? 0) - 27.1)).toBeLessThan(0.3);
});

it('ContaminationData, its result and its status follow the contamination', async () => {
  const names = ['ContaminationData', 'ContaminationResult', 'DeviceStatus', 'SCdevicestate'];
  const { scanner, subscriber } = await following(names);
  const config = object(await scanner.client.value('ContaminationConfig'));
  await scanner.write('ContaminationConfig', { ...config, eStrategy: 2 });
  const cleanSectors = Array(7).fill(1);
  expect((await byName(subscriber)).ContaminationData).toEqual([{ ContaminationData: cleanSectors }]);
  for (const [level, data, warning, error, status] of [
    [0.2, 2, true, false, 5],
    [0.5, 3, true, true, 6],
    [0, 1, false, false, 3],
  ] as const) {
    await scanner.control('/contamination', { level, sector: 4 });
    scanner.pass(3000);
    const pushed = await byName(subscriber);
    const sectors = await expectLast(scanner, 'ContaminationData', pushed.ContaminationData ?? []);
    expect(sectors).toEqual({ ContaminationData: cleanSectors.with(3, data) });
    const result = await expectLast(scanner, 'ContaminationResult', pushed.ContaminationResult ?? []);
    expect(result).toMatchObject({ bWarningActive: warning, bErrorActive: error });
    expect(await expectLast(scanner, 'DeviceStatus', pushed.DeviceStatus ?? [])).toEqual({
      DeviceStatus: status,
    });
  }
});

it('DeviceStatus and SCdevicestate follow the measuring', async () => {
  const { scanner, subscriber } = await following(['DeviceStatus', 'SCdevicestate']);
  const states = [await scanner.data('SCdevicestate')];
  for (const [method, status] of [
    ['mStopMeasure', 4],
    ['mStartMeasure', 3],
  ] as const) {
    await scanner.call(method);
    const { DeviceStatus = [], SCdevicestate = [] } = await byName(subscriber);
    expect(await expectLast(scanner, 'DeviceStatus', DeviceStatus)).toEqual({ DeviceStatus: status });
    // One push for a change, none without.
    const state = await scanner.data('SCdevicestate');
    const before = states.at(-1);
    expect(SCdevicestate).toEqual(JSON.stringify(state) === JSON.stringify(before) ? [] : [state]);
    states.push(state);
  }
});

const area = rectangle({ x: 1000, y: -500 }, { x: 3000, y: 500 });
const cart = {
  actors: [
    {
      name: 'cart',
      boxes: [{ center: [0, 0], size: [0.5, 0.5] }],
      path: { waypoints: [{ t: 0, x: 9, y: 0 }] },
    },
  ],
};
const always = (...Evaluations: readonly number[]) => [{ Id: 1, Evaluations }];

it('with more than 20 active fields, DeviceStatus is 7 and SCdevicestate 2, until there are fewer', async () => {
  const { scanner, subscriber } = await following(['DeviceStatus', 'SCdevicestate']);
  const ids = Array.from({ length: 21 }, (_, index) => index + 1);
  const fields = ids.map((Id) => ({ Id, Points: area }));
  await scanner.define(fields, always(...ids));
  expect(await byName(subscriber)).toEqual({
    DeviceStatus: [{ DeviceStatus: 7 }],
    SCdevicestate: [{ SCdevicestate: 2 }],
  });
  await scanner.define([], []);
  expect(await byName(subscriber)).toEqual({
    DeviceStatus: [{ DeviceStatus: 3 }],
    SCdevicestate: [{ SCdevicestate: 1 }],
  });
});

it('FieldEvaluationResult pushes each state of a field with its time', async () => {
  const { scanner, subscriber } = await following(['FieldEvaluationResult'], cart);
  await scanner.define([{ Id: 1, Points: area, TimeForFreeState: 100 }], always(1));
  const stateIn = (data: JsonObject) => object(array(data.EvaluationResultList)[0]).State;
  const states: unknown[] = [];
  /** Goes on, and takes what came: the last push is what a GET tells. */
  const at = async (time: number) => {
    scanner.goTo(time);
    const pushes = await subscriber.pushes('FieldEvaluationResult');
    for (const push of pushes) if (stateIn(push) !== states.at(-1)) states.push(stateIn(push));
    if (pushes.length > 0) await expectLast(scanner, 'FieldEvaluationResult', pushes);
    expect(states.at(-1)).toBe(stateIn(await scanner.data('FieldEvaluationResult')));
    return states.at(-1);
  };
  expect(await at(startOf(15) - 1)).toBe(2);
  await scanner.move('cart', 2, 0);
  expect(await at(endOf(15) - 0.1)).toBe(2);
  expect(await at(endOf(15) + 0.1)).toBe(3);
  expect(await at(endOf(15) + 49.9)).toBe(3);
  expect(await at(endOf(15) + 50.1)).toBe(4);
  expect(await at(startOf(20) - 1)).toBe(4);
  await scanner.move('cart', 9, 0);
  expect(await at(endOf(20) + 0.1)).toBe(5);
  expect(await at(endOf(20) + 100.1)).toBe(2);
  expect(states).toEqual([2, 3, 4, 5, 2]);
  // Nothing changes, nothing is told.
  scanner.pass(1000);
  expect(await subscriber.rest()).toEqual([]);
});

it('perpendicularDistanceResult pushes the distances of each revolution', async () => {
  const { scanner, subscriber } = await following(['perpendicularDistanceResult'], cart);
  const ReferenceLine = [
    { x: 0, y: 0 },
    { x: 0, y: 1000 },
  ];
  await scanner.define([{ Id: 1, Type: 1, Points: area, ReferenceLine }], always(1));
  scanner.goTo(startOf(15) - 1);
  await subscriber.rest();
  await scanner.move('cart', 2, 0);
  const found: unknown[] = [];
  for (let number = 15; number < 20; number += 1) {
    scanner.goTo(endOf(number) + 0.1);
    const pushes = await subscriber.pushes('perpendicularDistanceResult');
    const { timestamp, evaluations } = await expectLast(scanner, 'perpendicularDistanceResult', pushes);
    expect(evaluations).toMatchObject([{ evaluationId: 1, minimumDistance: -1750 }]);
    found.push(timestamp);
  }
  expect(new Set(found).size).toBe(5);
});

it('UpdateState pushes that an installation has failed', async () => {
  const { scanner, subscriber } = await following(['UpdateState']);
  expectDone(await scanner.client.call('RunFirmwareUpdate'));
  expect(await subscriber.push('UpdateState')).toEqual({ UpdateState: 1 });
  expect(await subscriber.push('UpdateState')).toEqual({ UpdateState: 3 });
  expect(await scanner.data('UpdateState')).toEqual({ UpdateState: 3 });
});

/** What tells of seconds is loaded when somebody asks for it. Answers the first that is told, in s since 12 o'clock. */
async function untilTicking(scanner: SceneScanner, subscriber: Subscriber): Promise<number> {
  let told: readonly JsonObject[] = [];
  await until(async () => {
    scanner.pass(1000);
    told = await subscriber.pushes('LSPdatetime');
    return told.length > 0;
  });
  // What came meanwhile may be told with it.
  const { usiMinute, usiSec } = told.at(-1) ?? {};
  return 60 * number(usiMinute) + number(usiSec);
}

it('LSPdatetime is pushed every second, and when the clock is set', async () => {
  const { scanner, subscriber } = await following(['LSPdatetime']);
  let second = await untilTicking(scanner, subscriber);
  for (let count = 0; count < 5; count += 1) {
    scanner.pass(1000);
    second += 1;
    const pushes = await subscriber.pushes('LSPdatetime');
    expect(pushes).toHaveLength(1);
    const { usiMinute, usiSec } = await expectLast(scanner, 'LSPdatetime', pushes);
    expect(60 * number(usiMinute) + number(usiSec)).toBe(second);
  }
  const DateTime = { uiYear: 2030, usiMonth: 6, usiDay: 1, usiHour: 7, usiMinute: 0, usiSec: 0, udiUSec: 0 };
  expect(await scanner.callDone('LSPsetdatetime', { DateTime })).toEqual({ ErrorCode: 0 });
  scanner.pass(1000);
  const told = await subscriber.pushes('LSPdatetime');
  expect(await expectLast(scanner, 'LSPdatetime', told)).toMatchObject({ uiYear: 2030, usiHour: 7 });
});

it('LSPdatetime is pushed in order for time that the control port skips', async () => {
  const { scanner, subscriber } = await following(['LSPdatetime']);
  const first = await untilTicking(scanner, subscriber);
  await scanner.control('/clock/advance', { ms: 100_000 });
  const pushes = await subscriber.pushes('LSPdatetime');
  const seconds = pushes.map(({ usiMinute, usiSec }) => 60 * number(usiMinute) + number(usiSec));
  expect(seconds.at(-1)).toBe(first + 100);
  // None is sent twice; a queue of one may have dropped some.
  expect(seconds).toEqual([...new Set(seconds)].toSorted((a, b) => a - b));
});

it('InertialMeasurementUnit is sent continuously, in the order of its times', async () => {
  const { scanner, subscriber } = await following(['InertialMeasurementUnit']);
  const stamps: number[] = [];
  for (let step = 0; step < 5; step += 1) {
    scanner.pass(1000);
    const pushes = await subscriber.pushes('InertialMeasurementUnit');
    stamps.push(...pushes.map(({ TimeStamp }) => number(TimeStamp)));
    expect(pushes.length).toBeGreaterThan(0);
  }
  expect(stamps).toEqual([...new Set(stamps)].toSorted((a, b) => a - b));
  subscriber.deregister('InertialMeasurementUnit');
  await subscriber.rest();
  scanner.pass(10 * revolution);
  expect(await subscriber.rest()).toEqual([]);
});

it('an unchanged value is not sent', async () => {
  const quiet = ['DeviceStatus', 'SCdevicestate', 'InputState', 'OutputState', 'PortState', 'UpdateState'];
  const { scanner, subscriber } = await following([...quiet, 'ContaminationData', 'ContaminationResult']);
  await scanner.write('LocationName', 'Gate 3');
  await scanner.callDone('WriteEeprom');
  await scanner.drive(3, false);
  scanner.pass(10_000);
  expect(await subscriber.rest()).toEqual([]);
});
