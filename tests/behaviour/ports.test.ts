import { dataOf, maintenance } from '@azimuth/test-support/client';
import { detailOf, expectStatus } from '@azimuth/test-support/envelope';
import { array, object } from '@azimuth/test-support/json';
import { type PortChange, rectangle, SceneScanner, source } from '@azimuth/test-support/scene-scanner';
import { encoderOf } from '@azimuth/test-support/streams/pulses';
import { UdpReceiver } from '@azimuth/test-support/streams/receiver';
import { VirtualScanner } from '@azimuth/test-support/streams/virtual-scanner';
import { describe, expect, it } from 'vitest';

const INPUT = 0;
const OUTPUT = 1;
const ENCODER = 2;
const EDGE = 0;
const LEVEL = 1;

/** A port that follows these sources. */
const output = (sources: readonly object[], settings: object = {}): PortChange => ({
  PortType: OUTPUT,
  OutputSettings: { Sources: sources, ...settings },
});

const low = { input: 0, output: 2, outputCount: 0, port: 4, portCount: 0 };
const high = { input: 1, output: 2, outputCount: 0, port: 3, portCount: 1 };

/** Drives port 1 and waits until its level counts. */
async function driveOne(scanner: SceneScanner, level: boolean): Promise<void> {
  await scanner.drive(1, level);
  scanner.pass(10);
}

describe('PortConfiguration', () => {
  it('Name is shown by the control port', async () => {
    const scanner = await SceneScanner.start();
    await scanner.configure({ 3: { Name: 'Gate 3' }, 6: { Name: 'Lamp' } });
    expect((await scanner.portView(3)).name).toBe('Gate 3');
    expect((await scanner.portView(6)).name).toBe('Lamp');
    expect((await scanner.portView(3)).port).toBe(3);
  });

  it('PortType makes a port an input, an output or neither, and resets its counter', async () => {
    const scanner = await SceneScanner.start();
    await scanner.configure({ 2: output([source('IN01')]) });
    await driveOne(scanner, true);
    const on = { input: 2, output: 1, outputCount: 1, port: 1, portCount: 1 };
    expect(await scanner.portStates(2)).toEqual(on);
    expect(await scanner.portView(2)).toMatchObject({ type: 'OUTPUT', driven: false, active: true });
    await scanner.configure({ 2: { PortType: INPUT } });
    expect(await scanner.portStates(2)).toEqual(low);
    expect(await scanner.portView(2)).toMatchObject({ type: 'INPUT', active: false });
    await scanner.configure({ 2: { PortType: ENCODER } });
    expect(await scanner.portStates(2)).toEqual({
      input: 2,
      output: 2,
      outputCount: 0,
      port: 2,
      portCount: 0,
    });
    expect(await scanner.portView(2)).toMatchObject({ type: 'ENCODER', active: false });
    await scanner.configure({ 2: { PortType: OUTPUT } });
    expect(await scanner.portStates(2)).toEqual(on);
  });

  it('InputSettings.Debounce: an input follows a level that lasts this long without interruption', async () => {
    const scanner = await SceneScanner.start();
    await scanner.configure({ 1: { InputSettings: { Debounce: 50 } } });
    await scanner.drive(1, true);
    scanner.pass(49);
    await scanner.drive(1, false);
    scanner.pass(1);
    await scanner.drive(1, true);
    scanner.pass(49);
    expect(await scanner.portStates(1)).toEqual(low);
    expect(await scanner.portView(1)).toMatchObject({ driven: true, active: false });
    scanner.pass(1);
    expect(await scanner.portStates(1)).toEqual(high);
    expect(await scanner.portView(1)).toMatchObject({ driven: true, active: true });
    // 5 ms on the other way.
    await scanner.configure({ 1: { InputSettings: { Debounce: 5 } } });
    await scanner.drive(1, false);
    scanner.pass(4.9);
    expect(await scanner.isActive(1)).toBe(true);
    scanner.pass(0.1);
    expect(await scanner.isActive(1)).toBe(false);
  });

  it('InputSettings.Logic: low is active with ACTIVE_LOW, and InputState says so', async () => {
    const scanner = await SceneScanner.start();
    await scanner.configure({ 1: { InputSettings: { Logic: 1, Sensitivity: LEVEL } } });
    expect(await scanner.portStates(1)).toMatchObject({ input: 1, port: 3 });
    expect(await scanner.isActive(1)).toBe(true);
    await driveOne(scanner, true);
    expect(await scanner.portStates(1)).toMatchObject({ input: 0, port: 4 });
    expect(await scanner.isActive(1)).toBe(false);
    // Changed by itself, it takes the level as it finds it.
    await scanner.configure({ 1: { InputSettings: { Logic: 0 } } });
    expect(await scanner.portStates(1)).toMatchObject({ input: 1, port: 3 });
    expect(await scanner.isActive(1)).toBe(true);
  });

  it.each([
    { name: 'EDGE', Sensitivity: EDGE, atBoot: false },
    { name: 'LEVEL', Sensitivity: LEVEL, atBoot: true },
  ])('InputSettings.Sensitivity: $name and the level at boot', async (row) => {
    const { Sensitivity, atBoot } = row;
    const scanner = await SceneScanner.start();
    await scanner.configure({ 1: { InputSettings: { Sensitivity } } });
    await scanner.answer('WriteEeprom');
    await driveOne(scanner, true);
    expect(await scanner.isActive(1)).toBe(true);
    await scanner.powerCycle();
    expect(await scanner.isActive(1)).toBe(atBoot);
    expect(await scanner.portStates(1)).toEqual({
      input: atBoot ? 1 : 0,
      output: 2,
      outputCount: 0,
      port: atBoot ? 3 : 4,
      portCount: atBoot ? 1 : 0,
    });
    await driveOne(scanner, false);
    await driveOne(scanner, true);
    expect(await scanner.isActive(1)).toBe(true);
  });

  it.each([
    { mode: 'PNP', OutputMode: 0, Logic: 0 },
    { mode: 'NPN', OutputMode: 1, Logic: 0 },
    { mode: 'PUSH_PULL', OutputMode: 2, Logic: 0 },
    { mode: 'PNP, ACTIVE_LOW', OutputMode: 0, Logic: 1 },
    { mode: 'NPN, ACTIVE_LOW', OutputMode: 1, Logic: 1 },
    { mode: 'PUSH_PULL, ACTIVE_LOW', OutputMode: 2, Logic: 1 },
  ])(
    'OutputState is 1 while an output is active, and 0 while it is not: $mode',
    async ({ OutputMode, Logic }) => {
      const scanner = await SceneScanner.start();
      await scanner.configure({ 2: output([source('IN01')], { OutputMode, Logic }) });
      expect([await scanner.isOn(2), (await scanner.portStates(2)).output]).toEqual([false, 0]);
      await driveOne(scanner, true);
      expect([await scanner.isOn(2), (await scanner.portStates(2)).output]).toEqual([true, 1]);
      await driveOne(scanner, false);
      expect([await scanner.isOn(2), (await scanner.portStates(2)).output]).toEqual([false, 0]);
    },
  );

  it('OutputSettings.RestartType RESTART_IMMEDATE: the output restarts with its sources', async () => {
    const scanner = await SceneScanner.start();
    await scanner.configure({ 2: output([source('IN01')], { RestartType: 0, RestartTime: 5000 }) });
    await driveOne(scanner, true);
    expect(await scanner.isOn(2)).toBe(true);
    await driveOne(scanner, false);
    expect(await scanner.isOn(2)).toBe(false);
  });

  it('OutputSettings.RestartType RESTART_TIME: the output restarts RestartTime after its sources, without interruption', async () => {
    const scanner = await SceneScanner.start();
    await scanner.configure({ 2: output([source('IN01')], { RestartType: 1, RestartTime: 2000 }) });
    await driveOne(scanner, true);
    await driveOne(scanner, false);
    scanner.pass(1500);
    await driveOne(scanner, true);
    await driveOne(scanner, false);
    scanner.pass(1999);
    expect(await scanner.isOn(2)).toBe(true);
    scanner.pass(1);
    expect(await scanner.isOn(2)).toBe(false);
    expect(await scanner.portStates(2)).toMatchObject({ outputCount: 1, portCount: 1 });
  });

  it('OutputSettings.RestartType RESTART_INPUT: the output restarts when the input RestartInput becomes active', async () => {
    const scanner = await SceneScanner.start();
    await scanner.configure({ 2: output([source('IN01')], { RestartType: 2, RestartInput: 5 }) });
    await scanner.drive(5, true);
    await driveOne(scanner, true);
    await driveOne(scanner, false);
    scanner.pass(600_000);
    // Active already: it has to go and come back.
    expect(await scanner.isOn(2)).toBe(true);
    await scanner.drive(5, false);
    scanner.pass(10);
    expect(await scanner.isOn(2)).toBe(true);
    // Another input is none of its business.
    await scanner.drive(6, true);
    scanner.pass(10);
    expect(await scanner.isOn(2)).toBe(true);
    await scanner.drive(5, true);
    scanner.pass(10);
    expect(await scanner.isOn(2)).toBe(false);
  });

  it.each([
    { name: 'AND', Combination: 0, with012: [false, false, true] },
    { name: 'OR', Combination: 1, with012: [false, true, true] },
    { name: 'XOR', Combination: 2, with012: [false, true, false] },
  ])('OutputSettings.Combination $name of two sources', async ({ Combination, with012 }) => {
    const scanner = await SceneScanner.start();
    await scanner.configure({ 2: output([source('IN01'), source('IN03')], { Combination }) });
    const found = [await scanner.isOn(2)];
    for (const port of [3, 1]) {
      await scanner.drive(port, true);
      scanner.pass(10);
      found.push(await scanner.isOn(2));
    }
    expect(found).toEqual(with012);
  });

  it('OutputSettings.Sources: Invert inverts a source, and four blanks are no source', async () => {
    const scanner = await SceneScanner.start();
    await scanner.configure({
      2: output([source('IN01', true)]),
      3: output([source('    ', true)]),
      4: output([source('IN01'), source('    ', true)], { Combination: 0 }),
      5: output([], { Combination: 0 }),
    });
    const found = async () => [
      await scanner.isOn(2),
      await scanner.isOn(3),
      await scanner.isOn(4),
      await scanner.isOn(5),
    ];
    expect(await found()).toEqual([true, false, false, false]);
    // What is active from the beginning on counts.
    expect((await scanner.portStates(2)).outputCount).toBe(1);
    await driveOne(scanner, true);
    expect(await found()).toEqual([false, false, true, false]);
  });

  it('OutputSettings.Sources: an unknown source is refused with status 9 and changes nothing', async () => {
    const scanner = await SceneScanner.start();
    const before = await scanner.client.value('PortConfiguration');
    for (const code of ['FE49', 'FE00', 'IN09', 'SC00', 'fe01', 'NONE', 'drdy', 'FE1 ']) {
      const reply = await scanner.tryToConfigure({ 3: output([source(code)], {}) });
      expectStatus(reply, 9);
      expect(detailOf(reply)).toContain('PortConfiguration[2].OutputSettings.Sources[0].Name');
    }
    expect(await scanner.client.value('PortConfiguration')).toEqual(before);
    for (const code of [
      'FE48',
      'IN08',
      'SC08',
      'CWRN',
      'CERR',
      'TALM',
      'SROT',
      'ROTS',
      'SCLK',
      'DRDY',
      '    ',
    ]) {
      await scanner.configure({ 3: output([source(code)]) });
    }
  });

  it('EncoderPortType AUX1 and AUX2: an edge is a reference signal where its position is enabled', async () => {
    const scanner = await VirtualScanner.start();
    const receiver = await UdpReceiver.open();
    await scanner.send('encoder', 'UDP', receiver.port);
    const ports = array(await scanner.client.value('PortConfiguration')).map(object);
    const wired = (EncoderPortType: number, Logic = 0) => ({
      ...ports[0],
      PortType: ENCODER,
      EncoderPortType,
      InputSettings: { ...object(ports[0]?.InputSettings), Logic },
    });
    // AUX1, AUX2 (active low), NONE, ENCODER_A.
    await scanner.write('PortConfiguration', [wired(3), wired(4, 1), wired(0), wired(1), ...ports.slice(4)]);
    await scanner.write('EncSetting', 4);
    await scanner.write('ActualEncPosition1Enable', true);
    await scanner.write('ActualEncPosition2Enable', true);
    const drive = (port: number, level: boolean) => scanner.control('/input', { port, high: level });
    const reading = async () => {
      receiver.rest();
      await scanner.pass(40);
      return encoderOf(receiver.rest())[0];
    };
    for (const port of [2, 3, 4]) await drive(port, true);
    expect(await reading()).toMatchObject({ references: [0, 0] });
    await scanner.pass(100);
    // 1 tick a ms. No debouncing.
    const now = scanner.clock.monotonic();
    await drive(1, true);
    await scanner.pass(10);
    await drive(2, false);
    expect(await reading()).toMatchObject({
      references: [now, now + 10],
      referenceTimes: [now * 1000, (now + 10) * 1000],
    });
    await drive(1, false);
    await drive(2, true);
    await scanner.write('ActualEncPosition1Enable', false);
    await drive(1, true);
    await drive(2, false);
    const later = scanner.clock.monotonic();
    expect(later).toBeGreaterThan(now + 10);
    const { references = [] } = (await reading()) ?? {};
    expect(references[1]).toBe(later);
    expect(references[0]).not.toBe(later);
  });
});

describe('SetOutput', () => {
  it('switches the outputs that follow it, at any user level, until a boot', async () => {
    const scanner = await SceneScanner.start();
    await scanner.configure({ 2: output([source('SC02')]), 3: output([source('SC02', true)]) });
    await scanner.answer('WriteEeprom');
    await scanner.answer('EnableUserLevel', { userLevel: 2, isEnabled: true });
    const set = async (Output: number, Value: number) => {
      const { Success } = dataOf(await scanner.client.call('SetOutput', { Output, Value }, maintenance));
      return [Success, await scanner.isOn(2), await scanner.isOn(3)];
    };
    expectStatus(await scanner.client.post('SetOutput', { data: { Output: 2, Value: 1 } }), 4);
    expect(await scanner.isOn(2)).toBe(false);
    expect(await set(2, 1)).toEqual([true, true, false]);
    expect(await set(2, 0)).toEqual([true, false, true]);
    // No output, an output that follows another's switch, no such port, no such value.
    for (const [port, value] of [
      [1, 1],
      [3, 1],
      [9, 1],
      [0, 1],
      [2, 2],
    ] as const) {
      expect(await set(port, value)).toEqual([false, false, true]);
    }
    expect(await set(2, 1)).toEqual([true, true, false]);
    await scanner.powerCycle();
    expect(await scanner.isOn(2)).toBe(false);
  });

  it('has no effect once the port no longer follows it', async () => {
    const scanner = await SceneScanner.start();
    await scanner.configure({ 2: output([source('SC02')]) });
    await scanner.answer('SetOutput', { Output: 2, Value: 1 });
    expect(await scanner.isOn(2)).toBe(true);
    await scanner.configure({ 2: output([source('IN01')]) });
    await scanner.configure({ 2: output([source('SC02')]) });
    expect(await scanner.isOn(2)).toBe(false);
  });
});

it('mResetOutputCounter resets the counters of outputs and not those of inputs', async () => {
  const scanner = await SceneScanner.start();
  await scanner.configure({ 2: output([source('IN01')]) });
  for (let times = 0; times < 3; times += 1) {
    await driveOne(scanner, true);
    await driveOne(scanner, false);
  }
  expect(await scanner.portStates(2)).toMatchObject({ outputCount: 3, portCount: 3 });
  expect(await scanner.portStates(1)).toMatchObject({ portCount: 3 });
  await scanner.call('mResetOutputCounter');
  expect(await scanner.portStates(2)).toMatchObject({ outputCount: 0, portCount: 0 });
  expect(await scanner.portStates(1)).toMatchObject({ portCount: 3 });
  await driveOne(scanner, true);
  expect(await scanner.portStates(2)).toMatchObject({ outputCount: 1, portCount: 1 });
});

it('a power cut switches off an output that waits for its restart', async () => {
  const scanner = await SceneScanner.start();
  await scanner.configure({
    2: output([source('IN01')], { RestartType: 1, RestartTime: 600_000 }),
    3: output([source('IN01')], { RestartType: 2, RestartInput: 4 }),
  });
  await scanner.answer('WriteEeprom');
  await driveOne(scanner, true);
  await driveOne(scanner, false);
  expect([await scanner.isOn(2), await scanner.isOn(3)]).toEqual([true, true]);
  await scanner.powerCycle();
  expect([await scanner.isOn(2), await scanner.isOn(3)]).toEqual([false, false]);
});

it('InputState has the time of its last change, counted from when the scanner came up', async () => {
  const scanner = await SceneScanner.start();
  await scanner.configure({ 3: { InputSettings: { Sensitivity: LEVEL } } });
  await scanner.answer('WriteEeprom');
  scanner.goTo(1234.5);
  await scanner.drive(3, true);
  scanner.pass(100);
  // 10 ms after the edge.
  expect((await scanner.data('InputState')).udiSystCount).toBe(1_244_500);
  await scanner.powerCycle();
  expect((await scanner.data('InputState')).udiSystCount).toBe(0);
  expect((await scanner.portStates(3)).input).toBe(1);
});

it('an output stays on for two seconds after every infringement, as in the documents', async () => {
  const scanner = await SceneScanner.start({
    scene: {
      actors: [
        {
          name: 'cart',
          boxes: [{ center: [0, 0], size: [0.5, 0.5] }],
          path: { waypoints: [{ t: 0, x: 9, y: 0 }] },
        },
      ],
    },
  });
  await scanner.define(
    [{ Id: 1, Points: rectangle({ x: 1000, y: -500 }, { x: 3000, y: 500 }) }],
    [{ Id: 1, Evaluations: [1] }],
  );
  await scanner.configure({ 2: output([source('FE01')], { RestartType: 1, RestartTime: 2000 }) });
  const infringe = async () => {
    await scanner.move('cart', 2, 0);
    scanner.revolutions();
    scanner.pass(100);
    expect(await scanner.states(1)).toEqual([4]);
  };
  const free = async () => {
    await scanner.move('cart', 9, 0);
    while ((await scanner.states(1))[0] !== 2) scanner.pass(1);
  };
  await infringe();
  await free();
  scanner.pass(1500);
  await infringe();
  await free();
  scanner.pass(1990);
  expect(await scanner.isOn(2)).toBe(true);
  scanner.pass(11);
  expect(await scanner.portStates(2)).toMatchObject({ output: 0, outputCount: 1, port: 0 });
});
