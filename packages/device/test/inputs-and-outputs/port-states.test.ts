import { inputsAndOutputs, PortType } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { LateClock } from '../../../../tests/support/clocks.js';
import { LogBook } from '../../../../tests/support/log-book.js';
import { PortsBench } from '../../../../tests/support/ports-test-bench.js';

const { InputState, OutputState, PortState, PortConfiguration, SetOutput, mResetOutputCounter } =
  inputsAndOutputs.members;
const { OUTPUT, ENCODER } = PortType;

const at = (usiHour: number, usiMinute: number, usiSec: number, udiUSec: number) => ({
  ...{ uiYear: 2026, usiMonth: 5, usiDay: 4 },
  ...{ usiHour, usiMinute, usiSec, udiUSec },
});

describe('the states of the ports', () => {
  test('are told of eight ports as delivered: all of them inputs, and low', () => {
    const { ports } = new PortsBench();
    const stamp = { uiVersionNumber: 1, udiSystCount: 0, aTimeBlock: [at(9, 30, 0, 0)] };
    const eight = <T>(item: T): T[] => Array.from({ length: 8 }, () => item);
    expect(ports.inputState).toEqual({ ...stamp, aDigitalIn: eight({ IOState: { eIOState: 0 } }) });
    expect(ports.outputState).toEqual({
      ...stamp,
      aDigitalOut: eight({ IOState: { eIOState: 2 }, udiCounter: 0 }),
    });
    expect(ports.portState).toEqual({
      ...stamp,
      aInternalPorts: eight({ ePortState: 4, PortCounter: 0 }),
      aExternalPorts: [],
    });
  });

  test('are values of their variables', () => {
    const { ports } = new PortsBench({ 2: { PortType: OUTPUT }, 3: { PortType: ENCODER } });
    expect(InputState.type.fromJson(ports.inputState, '')).toEqual(ports.inputState);
    expect(OutputState.type.fromJson(ports.outputState, '')).toEqual(ports.outputState);
    expect(PortState.type.fromJson(ports.portState, '')).toEqual(ports.portState);
  });

  test('carry the time of their last change: µs since the scanner came up, and the date', () => {
    const bench = new PortsBench({ 2: { PortType: OUTPUT, Sources: ['DRDY'] } });
    bench.clock.advance(61_000.25);
    bench.signal('DRDY');
    bench.clock.advance(1000);
    bench.ports.setLevel(1, true);
    bench.clock.advance(5000);
    bench.signal('DRDY', 'TALM');
    expect(bench.ports.outputState).toMatchObject({
      udiSystCount: 61_000_250,
      aTimeBlock: [at(9, 31, 1, 250)],
    });
    // 10 ms of debounce after the edge.
    const changed = { udiSystCount: 62_010_250, aTimeBlock: [at(9, 31, 2, 10_250)] };
    expect(bench.ports.inputState).toMatchObject(changed);
    expect(bench.ports.portState).toMatchObject(changed);
  });

  test('count µs in 32 bits', () => {
    const bench = new PortsBench({ 2: { PortType: OUTPUT, Sources: ['DRDY'] } });
    bench.clock.advance(4_300_000);
    bench.signal('DRDY');
    // 4 300 000 000 - 2^32
    expect(bench.ports.outputState.udiSystCount).toBe(5_032_704);
  });

  test('begin anew with a boot', () => {
    const bench = new PortsBench();
    bench.clock.advance(5000);
    bench.boot();
    expect(bench.ports.inputState).toMatchObject({ udiSystCount: 0, aTimeBlock: [at(9, 30, 5, 0)] });
    expect(bench.announced).toEqual([['InputState', 'OutputState', 'PortState']]);
  });

  test('are announced together, once for each cause', () => {
    const bench = new PortsBench({
      2: { PortType: OUTPUT, Sources: ['IN01'] },
      3: { PortType: OUTPUT, Sources: [{ not: 'IN01' }, 'FE01'] },
    });
    bench.ports.setLevel(1, true);
    bench.ports.setLevel(4, true);
    expect(bench.announced).toEqual([]);
    bench.clock.advance(10);
    expect(bench.announced).toEqual([['InputState', 'OutputState', 'PortState']]);
    bench.signal('FE01');
    bench.signal('FE01');
    bench.signal('FE01', 'FE02');
    expect(bench.announced.slice(1)).toEqual([['OutputState', 'PortState']]);
  });

  test('never show what an output would make of a signal that is not up to date', () => {
    const bench = new PortsBench({
      2: { PortType: OUTPUT, Sources: ['FE01', 'IN01'], OutputSettings: { Combination: 0 } },
    });
    bench.signal('FE01');
    // The field is not watched while the input is active.
    bench.ports.onInput((_, active) => bench.signal(...(active ? [] : ['FE01'])));
    bench.ports.setLevel(1, true);
    bench.clock.advance(10);
    expect([bench.switched(2), bench.state(2)]).toEqual([0, 0]);
    expect(bench.announced).toEqual([['InputState', 'PortState']]);
  });

  test('tell a level that has lasted, however late the timer is', () => {
    const bench = new PortsBench({}, new LateClock());
    bench.ports.setLevel(1, true);
    bench.clock.advance(10);
    bench.ports.setLevel(1, false);
    expect([bench.counter(1), bench.ports.isActive(1)]).toEqual([1, true]);
    bench.clock.advance(30);
    expect([bench.counter(1), bench.ports.isActive(1)]).toEqual([1, false]);
  });
});

describe('the feature of the ports', () => {
  const call = { caller: { level: 'Service' as const }, log: new LogBook(), afterwards: () => undefined };

  test('computes the states, and applies the configuration', () => {
    const { ports } = new PortsBench();
    const { appliedParameters, computed } = ports;
    expect(appliedParameters).toEqual([PortConfiguration]);
    expect(computed.map(({ variable, value }) => [variable.name, value()])).toEqual([
      ['InputState', ports.inputState],
      ['OutputState', ports.outputState],
      ['PortState', ports.portState],
    ]);
  });

  test('switches outputs, and sets their counters back', () => {
    const bench = new PortsBench({ 2: { PortType: OUTPUT, Sources: ['SC02'] } });
    const { methods } = bench.ports;
    const perform = (method: unknown, request: unknown) =>
      methods.find((entry) => entry.method === method)?.perform(request, call);
    expect(perform(SetOutput, { Output: 2, Value: 1 })).toEqual({ Success: true });
    expect(bench.switched(2)).toBe(1);
    expect(perform(SetOutput, { Output: 1, Value: 1 })).toEqual({ Success: false });
    expect(perform(mResetOutputCounter, {})).toEqual({ ErrorCode: 0 });
    expect(bench.switched(2)).toBe(0);
  });
});
