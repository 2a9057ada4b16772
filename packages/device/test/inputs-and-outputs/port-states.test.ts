import { inputsAndOutputs, PortType } from '@azimuth/model';
import { LateClock } from '@azimuth/test-support/clocks';
import { LogBook } from '@azimuth/test-support/log-book';
import { describe, expect, test } from 'vitest';
import { PortsTestDevice } from './ports-test-device.js';

const { InputState, OutputState, PortState, SetOutput, mResetOutputCounter } = inputsAndOutputs.members;
const { OUTPUT, ENCODER } = PortType;

const at = (usiHour: number, usiMinute: number, usiSec: number, udiUSec: number) => ({
  ...{ uiYear: 2026, usiMonth: 5, usiDay: 4 },
  ...{ usiHour, usiMinute, usiSec, udiUSec },
});

describe('the states of the ports', () => {
  test('are reported for eight ports: six that the plug has, here inactive inputs, and two that it has not', () => {
    const { ports } = new PortsTestDevice();
    const stamp = { uiVersionNumber: 1, udiSystCount: 0, aTimeBlock: [at(9, 30, 0, 0)] };
    const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
    const tristate = { IOState: { eIOState: 2 } };
    expect(ports.inputState).toEqual({
      ...stamp,
      aDigitalIn: [...times(6, { IOState: { eIOState: 0 } }), ...times(2, tristate)],
    });
    expect(ports.outputState).toEqual({
      ...stamp,
      aDigitalOut: times(8, { ...tristate, udiCounter: 0 }),
    });
    expect(ports.portState).toEqual({
      ...stamp,
      aInternalPorts: [
        ...times(6, { ePortState: 4, PortCounter: 0 }),
        ...times(2, { ePortState: 2, PortCounter: 0 }),
      ],
      aExternalPorts: [],
    });
  });

  test('are values of their variables', () => {
    const { ports } = new PortsTestDevice({ 2: { PortType: OUTPUT }, 3: { PortType: ENCODER } });
    expect(InputState.type.fromJson(ports.inputState, '')).toEqual(ports.inputState);
    expect(OutputState.type.fromJson(ports.outputState, '')).toEqual(ports.outputState);
    expect(PortState.type.fromJson(ports.portState, '')).toEqual(ports.portState);
  });

  test('carry the time of their last change: µs since the scanner came up, and the date', () => {
    const testDevice = new PortsTestDevice({ 2: { PortType: OUTPUT, Sources: ['DRDY'] } });
    testDevice.clock.advance(61_000.25);
    testDevice.signal('DRDY');
    testDevice.clock.advance(1000);
    testDevice.drive(1, true);
    testDevice.clock.advance(5000);
    testDevice.signal('DRDY', 'TALM');
    expect(testDevice.ports.outputState).toMatchObject({
      udiSystCount: 61_000_250,
      aTimeBlock: [at(9, 31, 1, 250)],
    });
    // 10 ms of debounce after the edge.
    const changed = { udiSystCount: 62_010_250, aTimeBlock: [at(9, 31, 2, 10_250)] };
    expect(testDevice.ports.inputState).toMatchObject(changed);
    expect(testDevice.ports.portState).toMatchObject(changed);
  });

  test('count µs in 32 bits', () => {
    const testDevice = new PortsTestDevice({ 2: { PortType: OUTPUT, Sources: ['DRDY'] } });
    testDevice.clock.advance(4_300_000);
    testDevice.signal('DRDY');
    // 4 300 000 000 - 2^32
    expect(testDevice.ports.outputState.udiSystCount).toBe(5_032_704);
  });

  test('begin anew with a boot', () => {
    const testDevice = new PortsTestDevice();
    testDevice.clock.advance(5000);
    testDevice.boot();
    expect(testDevice.ports.inputState).toMatchObject({ udiSystCount: 0, aTimeBlock: [at(9, 30, 5, 0)] });
    expect(testDevice.announced).toEqual([['InputState', 'OutputState', 'PortState']]);
  });

  test('are announced together, once for each cause', () => {
    const testDevice = new PortsTestDevice({
      2: { PortType: OUTPUT, Sources: ['IN01'] },
      3: { PortType: OUTPUT, Sources: [{ not: 'IN01' }, 'FE01'] },
    });
    testDevice.drive(1, true);
    testDevice.drive(4, true);
    expect(testDevice.announced).toEqual([]);
    testDevice.clock.advance(10);
    expect(testDevice.announced).toEqual([['InputState', 'OutputState', 'PortState']]);
    testDevice.signal('FE01');
    testDevice.signal('FE01');
    testDevice.signal('FE01', 'FE02');
    expect(testDevice.announced.slice(1)).toEqual([['OutputState', 'PortState']]);
  });

  test('never show what an output would make of a signal that is not up to date', () => {
    const testDevice = new PortsTestDevice({
      2: { PortType: OUTPUT, Sources: ['FE01', 'IN01'], OutputSettings: { Combination: 0 } },
    });
    testDevice.signal('FE01');
    // The field is not watched while the input is active.
    testDevice.ports.onInput((_, active) => testDevice.signal(...(active ? [] : ['FE01'])));
    testDevice.drive(1, true);
    testDevice.clock.advance(10);
    expect([testDevice.switched(2), testDevice.state(2)]).toEqual([0, 0]);
    expect(testDevice.announced).toEqual([['InputState', 'PortState']]);
  });

  test('tell a level that has lasted, however late the timer is', () => {
    const testDevice = new PortsTestDevice({}, new LateClock());
    testDevice.drive(1, true);
    testDevice.clock.advance(10);
    testDevice.drive(1, false);
    expect([testDevice.counter(1), testDevice.ports.isActive(1)]).toEqual([1, true]);
    testDevice.clock.advance(30);
    expect([testDevice.counter(1), testDevice.ports.isActive(1)]).toEqual([1, false]);
  });
});

describe('the feature of the ports', () => {
  const call = { caller: { level: 'Service' as const }, log: new LogBook(), afterwards: () => undefined };

  test('computes the states', () => {
    const { ports } = new PortsTestDevice();
    const { computed } = ports;
    expect(computed.map(({ variable, value }) => [variable.name, value()])).toEqual([
      ['InputState', ports.inputState],
      ['OutputState', ports.outputState],
      ['PortState', ports.portState],
    ]);
  });

  test('switches outputs, and sets their counters back', () => {
    const testDevice = new PortsTestDevice({ 2: { PortType: OUTPUT, Sources: ['SC02'] } });
    const { methods } = testDevice.ports;
    const perform = (method: unknown, request: unknown) =>
      methods.find((entry) => entry.method === method)?.perform(request, call);
    expect(perform(SetOutput, { Output: 2, Value: 1 })).toEqual({ Success: true });
    expect(testDevice.switched(2)).toBe(1);
    expect(perform(SetOutput, { Output: 1, Value: 1 })).toEqual({ Success: false });
    expect(perform(mResetOutputCounter, {})).toEqual({ ErrorCode: 0 });
    expect(testDevice.switched(2)).toBe(0);
  });
});
