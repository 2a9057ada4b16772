import { inputsAndOutputs } from '@azimuth/model';
import { expectData } from '@azimuth/test-support/envelope';
import { object } from '@azimuth/test-support/json';
import { endOf, epoch, rectangle, SceneScanner, source, startOf } from '@azimuth/test-support/scene-scanner';
import { describe, expect, it } from 'vitest';

const area = rectangle({ x: 1000, y: -500 }, { x: 3000, y: 500 });
const always = [{ Id: 1, Evaluations: [1] }];
const cart = (x: number) => ({
  actors: [
    {
      name: 'cart',
      boxes: [{ center: [0, 0], size: [0.5, 0.5] }],
      path: { waypoints: [{ t: 0, x, y: 0 }] },
    },
  ],
});
const stateOf = async (scanner: SceneScanner) => (await scanner.states(1))[0];

describe('an actor that the control port moves', () => {
  it.each([
    { name: 'the next revolution, which is about to begin', movedAt: startOf(15) - 1, seenIn: 15 },
    { name: 'the revolution after the one under way', movedAt: startOf(15) + 1, seenIn: 16 },
  ])('infringes a field in $name', async ({ movedAt, seenIn }) => {
    const scanner = await SceneScanner.start({ scene: cart(9) });
    await scanner.define([{ Id: 1, Points: area }], always);
    scanner.goTo(movedAt);
    await scanner.move('cart', 2, 0);
    scanner.goTo(endOf(seenIn) - 0.05);
    expect(await stateOf(scanner)).toBe(2);
    scanner.goTo(endOf(seenIn) + 0.05);
    expect(await stateOf(scanner)).toBe(3);
    // 50 ms are shorter than a revolution: one scan is enough.
    scanner.goTo(endOf(seenIn) + 49.9);
    expect(await stateOf(scanner)).toBe(3);
    scanner.goTo(endOf(seenIn) + 50.1);
    expect(await stateOf(scanner)).toBe(4);
    expect(await scanner.history()).toMatchObject([
      {
        Timestamp: epoch + Math.floor(endOf(seenIn) + 50),
        // The near side of the cart is at 1.75 m.
        Positions: [{ x: 1750, y: 0 }],
      },
    ]);
  });

  it('that leaves before the response time is over does not infringe the field', async () => {
    const scanner = await SceneScanner.start({ scene: cart(9) });
    await scanner.define([{ Id: 1, Points: area, TimeForInfringedState: 100 }], always);
    scanner.goTo(startOf(15) - 1);
    await scanner.move('cart', 2, 0);
    scanner.goTo(endOf(15) + 1);
    expect(await stateOf(scanner)).toBe(3);
    await scanner.move('cart', 9, 0);
    scanner.goTo(endOf(16) + 1);
    expect(await stateOf(scanner)).toBe(2);
    scanner.pass(1000);
    expect(await stateOf(scanner)).toBe(2);
    expect(await scanner.history()).toEqual([]);
    expect((await scanner.result()).timestamp).toBe(0);
  });
});

it('field states follow the scans as in the table of the documents', async () => {
  // Revolutions of 100 ms there; here the same revolutions at 15 Hz: something is seen in revolutions 2 to 6.
  const scanner = await SceneScanner.start({ scene: cart(9) });
  await scanner.define([{ Id: 1, Points: area, TimeForInfringedState: 120, TimeForFreeState: 230 }], always);
  scanner.goTo(startOf(2) - 1);
  await scanner.move('cart', 2, 0);
  const at = async (time: number) => {
    scanner.goTo(time);
    return stateOf(scanner);
  };
  const first = endOf(2);
  expect(await at(first - 0.1)).toBe(2);
  expect(await at(first + 0.1)).toBe(3);
  expect(await at(first + 119.9)).toBe(3);
  expect(await at(first + 120.1)).toBe(4);
  scanner.goTo(startOf(7) - 1);
  await scanner.move('cart', 9, 0);
  const gone = endOf(7);
  expect(await at(gone - 0.1)).toBe(4);
  expect(await at(gone + 0.1)).toBe(5);
  expect(await at(gone + 229.9)).toBe(5);
  expect(await at(gone + 230.1)).toBe(2);
});

it('time that the control port skips also passes for fields and outputs', async () => {
  const scanner = await SceneScanner.start({ scene: cart(2) });
  await scanner.define([{ Id: 1, Points: area, TimeForFreeState: 5000 }], always);
  await scanner.configure({
    2: {
      PortType: 1,
      OutputSettings: { Sources: [source('FE01')], RestartType: 1, RestartTime: 30_000 },
    },
  });
  scanner.pass(500);
  expect(await scanner.isOn(2)).toBe(true);
  await scanner.control('/clock/advance', { ms: 3_600_000 });
  scanner.revolutions();
  expect(await stateOf(scanner)).toBe(4);
  expect(await scanner.history()).toHaveLength(1);
  expect((await scanner.portStates(2)).outputCount).toBe(1);
  await scanner.move('cart', 9, 0);
  scanner.revolutions();
  expect(await stateOf(scanner)).toBe(5);
  await scanner.control('/clock/advance', { ms: 5000 });
  expect(await stateOf(scanner)).toBe(2);
  expect(await scanner.isOn(2)).toBe(true);
  await scanner.control('/clock/advance', { ms: 30_000 });
  expect(await scanner.isOn(2)).toBe(false);
});

it('detections, distances and ports have the time of the scanner clock, which can be set', async () => {
  const scanner = await SceneScanner.start({ scene: cart(9) });
  const distance = {
    Id: 2,
    Type: 1,
    Points: area,
    ReferenceLine: [
      { x: 0, y: 0 },
      { x: 0, y: 1000 },
    ],
  };
  await scanner.define([{ Id: 1, Points: area }, distance], [...always, { Id: 2, Evaluations: [2] }]);
  await scanner.configure({ 2: { PortType: 1, OutputSettings: { Sources: [source('FE01')] } } });
  const DateTime = { uiYear: 2030, usiMonth: 6, usiDay: 1, usiHour: 7, usiMinute: 0, usiSec: 0, udiUSec: 0 };
  scanner.goTo(startOf(15) - 1);
  expectData(await scanner.client.call('LSPsetdatetime', { DateTime }), { ErrorCode: 0 });
  const zero = Date.UTC(2030, 5, 1, 7) - scanner.now;
  await scanner.move('cart', 2, 0);
  scanner.goTo(endOf(16) + 1);
  expect(await scanner.history()).toMatchObject([{ Timestamp: zero + Math.floor(endOf(15) + 50) }]);
  expect((await scanner.result()).timestamp).toBe(zero + Math.floor(endOf(16)));
  expect(await scanner.data('perpendicularDistanceResult')).toMatchObject({
    timestamp: zero + Math.floor(endOf(16)),
    // Right ahead: everything is to the right of a line that goes to the left.
    evaluations: [{ evaluationId: 2, minimumDistance: -1750, maximumDistance: -1750 }],
  });
  expect((await scanner.data('OutputState')).aTimeBlock).toMatchObject([
    { uiYear: 2030, usiHour: 7, usiSec: 0 },
  ]);
});

it('a blocked screen hides an object in a field, unless missing data counts as an object', async () => {
  const scanner = await SceneScanner.start({ scene: cart(2) });
  await scanner.define(
    [
      { Id: 1, Points: area },
      { Id: 2, Points: area, TreatMissingDataAsInfringed: true },
    ],
    [{ Id: 1, Evaluations: [1, 2] }],
  );
  scanner.pass(500);
  expect(await scanner.states(2)).toEqual([4, 4]);
  await scanner.control('/contamination', { level: 1 });
  scanner.pass(500);
  expect(await scanner.states(2)).toEqual([2, 4]);
  await scanner.control('/contamination', { level: 0 });
  scanner.pass(500);
  expect(await scanner.states(2)).toEqual([4, 4]);
});

it('fields use only the angle range, and every scan in spite of the interval', async () => {
  const scanner = await SceneScanner.start({ scene: cart(9) });
  await scanner.define([{ Id: 1, Points: area }], always);
  await scanner.write('LFPintervalFilter', { bEnable: true, uiReductionFactor: 50 });
  scanner.goTo(startOf(15) - 1);
  await scanner.move('cart', 2, 0);
  scanner.goTo(endOf(15) + 0.1);
  expect(await stateOf(scanner)).toBe(3);
  scanner.pass(100);
  expect(await stateOf(scanner)).toBe(4);
  await scanner.write('LFPangleRangeFilter', {
    ...object(await scanner.client.value('LFPangleRangeFilter')),
    bEnable: true,
    fThetaStart: 500_000,
    fThetaStop: 900_000,
  });
  scanner.pass(500);
  expect(await stateOf(scanner)).toBe(2);
});

it('DeviceStatus shows the most severe of several conditions, also after a boot', async () => {
  const scanner = await SceneScanner.start({ scene: cart(2) });
  const ids = Array.from({ length: 21 }, (_, index) => index + 1);
  await scanner.define(
    ids.map((Id) => ({ Id, Points: area })),
    [{ Id: 1, Evaluations: ids }],
  );
  const config = object(await scanner.client.value('ContaminationConfig'));
  await scanner.write('ContaminationConfig', { ...config, eStrategy: 2 });
  await scanner.callDone('WriteEeprom');
  await scanner.control('/contamination', { level: 0.4 });
  await scanner.powerCycle();
  scanner.pass(4000);
  expect(await scanner.data('ContaminationResult')).toMatchObject({
    bWarningActive: true,
    bErrorActive: true,
  });
  expect(await scanner.client.value('DeviceStatus')).toBe(7);
  expect(await scanner.client.value('SCdevicestate')).toBe(2);
  await scanner.define([], []);
  expect(await scanner.client.value('DeviceStatus')).toBe(6);
  await scanner.write('ContaminationConfig', { ...config, eStrategy: 0 });
  expect(await scanner.client.value('DeviceStatus')).toBe(3);
});

it('a group follows an input that is active at a boot', async () => {
  const scanner = await SceneScanner.start({ scene: cart(2) });
  const Activation = { Type: 2, Inputs: [1, 2, 2, 2, 2, 2, 2, 2] };
  await scanner.define([{ Id: 1, Points: area }], [{ Id: 1, Evaluations: [1], Activation }]);
  await scanner.configure({ 1: { InputSettings: { Sensitivity: 1 } } });
  await scanner.callDone('WriteEeprom');
  expect(await stateOf(scanner)).toBe(1);
  await scanner.drive(1, true);
  await scanner.powerCycle();
  expect(await stateOf(scanner)).toBe(2);
  scanner.revolutions();
  scanner.pass(50);
  expect(await stateOf(scanner)).toBe(4);
});

it('a port that is no longer an input no longer switches groups and outputs', async () => {
  const scanner = await SceneScanner.start({ scene: cart(2) });
  await scanner.define(
    [{ Id: 1, Points: area }],
    [{ Id: 1, Evaluations: [1], Activation: { Type: 2, Inputs: [1, 2, 2, 2, 2, 2, 2, 2] } }],
  );
  await scanner.configure({ 2: { PortType: 1, OutputSettings: { Sources: [source('IN01')] } } });
  await scanner.drive(1, true);
  scanner.pass(500);
  expect([await stateOf(scanner), await scanner.isOn(2)]).toEqual([4, true]);
  await scanner.configure({ 1: { PortType: 1 } });
  expect([await stateOf(scanner), await scanner.isOn(2)]).toEqual([1, false]);
});

it('LoadFactoryDefaults removes fields and resets ports', async () => {
  const scanner = await SceneScanner.start({ scene: cart(2) });
  await scanner.define([{ Id: 1, Points: area }], always);
  await scanner.configure({ 2: { PortType: 1, OutputSettings: { Sources: [source('FE01')] } } });
  scanner.pass(500);
  expect(await scanner.isOn(2)).toBe(true);
  await scanner.act('LoadFactoryDefaults');
  expect(await scanner.extension('fields')).toEqual({ evaluations: [], groups: [] });
  expect(await scanner.client.value('PortConfiguration')).toEqual(
    inputsAndOutputs.members.PortConfiguration.type.initial,
  );
  expect(await scanner.states(1)).toEqual([0]);
  // It follows the field no more: as delivered, it is active while the scanner is ready.
  expect(await scanner.portView(2)).toMatchObject({ name: 'InOut2', type: 'OUTPUT', active: true });
  expect(await scanner.portView(3)).toMatchObject({ name: 'InOut3', type: 'INPUT', active: false });
});
