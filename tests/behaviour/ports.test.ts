import { dataOf, maintenance } from '@azimuth/test-support/client';
import { detailOf, expectStatus } from '@azimuth/test-support/envelope';
import { type PortChange, SceneScanner, source } from '@azimuth/test-support/scene-scanner';
import { describe, expect, it } from 'vitest';

const OUTPUT = 1;

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
});

describe('SetOutput', () => {
  it('switches the outputs that follow it, at any user level, until a boot', async () => {
    const scanner = await SceneScanner.start();
    await scanner.configure({ 2: output([source('SC02')]), 3: output([source('SC02', true)]) });
    await scanner.callDone('WriteEeprom');
    await scanner.callDone('EnableUserLevel', { userLevel: 2, isEnabled: true });
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
});

it('a power cut switches off an output that waits for its restart', async () => {
  const scanner = await SceneScanner.start();
  await scanner.configure({
    2: output([source('IN01')], { RestartType: 1, RestartTime: 600_000 }),
    3: output([source('IN01')], { RestartType: 2, RestartInput: 4 }),
  });
  await scanner.callDone('WriteEeprom');
  await driveOne(scanner, true);
  await driveOne(scanner, false);
  expect([await scanner.isOn(2), await scanner.isOn(3)]).toEqual([true, true]);
  await scanner.powerCycle();
  expect([await scanner.isOn(2), await scanner.isOn(3)]).toEqual([false, false]);
});
