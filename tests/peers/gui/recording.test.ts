import { readFile } from 'node:fs/promises';
import { EncoderMode, EncoderTransformation, ScanMergeSource } from '@azimuth/model';
import { expectDone } from '@azimuth/test-support/envelope';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { logIn, movingScene, openGui } from './gui.js';

/** A turntable that rolls the scanner by 90° a second, without an encoder. */
const turntable = {
  ScanMergerSource: ScanMergeSource.ENCODER,
  EncSetting: EncoderMode.TX_FIX_VELOCITY,
  EncResolution: 0.1,
  EncoderTransformationType: EncoderTransformation.ROTATION,
  EncoderRotation: { yaw: 0, pitch: 0, roll: 0.009 },
};

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

test('a 3D recording is made, looked at from other sides, downloaded and deleted', async () => {
  const client = scanner().client();
  for (const [name, value] of Object.entries(turntable)) expectDone(await client.write(name, value));
  const page = await openGui(browser(), scanner(), { at: 'recording' });
  await logIn(page);
  await page.getByText('Nothing is recorded yet.').waitFor();
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText(/^Recording: [1-9]/).waitFor();
  await page.getByRole('button', { name: 'Stop and save' }).click();
  const facts = page.getByText(/^[\d,]+ points, /);
  await facts.waitFor();
  const points = Number((await facts.innerText()).split(' ')[0]?.replaceAll(',', ''));
  expect(points).toBeGreaterThan(1000);
  const picture = page.getByRole('application').locator('canvas');
  await page.getByRole('button', { name: 'From above' }).click();
  const above = await picture.screenshot();
  await page.getByRole('button', { name: 'From behind' }).click();
  await expect.poll(async () => (await picture.screenshot()).equals(above)).toBe(false);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const head = (await readFile(await (await download).path())).subarray(0, 400).toString('latin1');
  expect(head).toContain(`POINTS ${points}`);
  await page.getByRole('button', { name: 'Delete …' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Nothing is recorded yet.').waitFor();
});
