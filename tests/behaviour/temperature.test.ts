import { number } from '@azimuth/test-support/json';
import { SceneScanner, source } from '@azimuth/test-support/scene-scanner';
import { expect, it } from 'vitest';

async function scannerWithLamp(): Promise<SceneScanner> {
  const scanner = await SceneScanner.start();
  await scanner.configure({ 4: { PortType: 1, OutputSettings: { Sources: [source('TALM')] } } });
  return scanner;
}

/** Is there an alarm? Status and output have to agree on that. */
async function alarm(scanner: SceneScanner): Promise<unknown> {
  const status = await scanner.client.value('temperatureAlarmStatus');
  expect(await scanner.isOn(4)).toBe(status);
  return status;
}

it('a measuring scanner warms up from 22 °C towards 32.5 °C', async () => {
  const scanner = await SceneScanner.start();
  const celsius = async () => number(await scanner.client.value('CurrentTempDev'));
  expect(await celsius()).toBeCloseTo(22, 5);
  let before = 22;
  for (let minutes = 5; minutes <= 60; minutes += 5) {
    scanner.pass(5 * 60_000);
    const now = await celsius();
    expect(now, `${minutes} min`).toBeGreaterThan(before);
    before = now;
    // Nine tenths of the way are done after 2.3 time constants of 15 min.
    if (minutes === 35) expect(now).toBeGreaterThan(22 + 0.9 * 10.5);
  }
  expect(before).toBeLessThanOrEqual(32.5);
  scanner.pass(3_600_000);
  expect(await celsius()).toBeCloseTo(32.5, 5);
});

it('the alarm is cleared by itself when the scanner cools down, without a request', async () => {
  const scanner = await scannerWithLamp();
  await scanner.control('/temperature', { celsius: 60 });
  expect(await alarm(scanner)).toBe(true);
  await scanner.control('/temperature', { celsius: null });
  const changed = async () => number((await scanner.data('OutputState')).udiSystCount);
  const raised = await changed();
  // 60 - 32.5 = 27.5 °C above where it goes; below 50 °C where 27.5 exp(-t / 15 min) < 17.5: after 6.8 min.
  scanner.pass(6.6 * 60_000);
  expect(await alarm(scanner)).toBe(true);
  expect(await changed()).toBe(raised);
  scanner.pass(0.5 * 60_000);
  const off = await changed();
  expect(off / 60e6).toBeGreaterThan(6.6);
  expect(off / 60e6).toBeLessThan(7.0);
  expect(await alarm(scanner)).toBe(false);
});
