import { ScannerFolder, sharedScanner } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { logIn, movingScene, openGui, pageTitles, refusedWith } from './gui.js';
import { guiCommand } from './gui-command.js';

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();
/** A scanner that is no virtual one lacks extensions. */
const missing = [refusedWith(404), /WebSocket connection to .* failed/];

test('the picture and the angles follow a scanner that is turned', async () => {
  const page = await openGui(browser(), scanner(), { at: 'mounting' });
  const now = page.getByRole('region', { name: 'Now', exact: true });
  await now.getByRole('img', { name: /not tilted, level sideways/ }).waitFor();
  await scanner().control('/drive/to', { x: 0, y: 0, heading: 90 });
  await now.getByRole('img', { name: /turned left by 90°/ }).waitFor();
  expect(await now.getByRole('definition').first().innerText()).toBe('90.0°');
  expect(await now.getByRole('row', { name: /z, up 9\.81/ }).count()).toBe(1);
});

test('both curves are drawn, and named for people who do not see them', async () => {
  const page = await openGui(browser(), scanner(), { at: 'mounting' });
  for (const name of ['Yaw, pitch and roll', 'Acceleration along x, y and z']) {
    const curves = page.getByRole('img', { name: `${name} of the last minute` });
    const canvas = curves.locator('canvas');
    await canvas.waitFor();
    const picture = async () => (await canvas.screenshot()).toString('base64');
    const before = await picture();
    await expect.poll(picture, { message: name }).not.toBe(before);
    await curves.locator('.u-over').hover({ position: { x: 20, y: 60 } });
    await curves.getByText(/\d{4}-\d{2}-\d{2}/).waitFor();
  }
});

test('pitch and roll are taken over from the measurement, after a question that lists them', async () => {
  const client = scanner().client();
  const leaning = { x: 0, y: 0, z: 500, yaw: 100_000, pitch: 50_000, roll: 0 };
  await client.write('SensorPosition', leaning);
  const page = await openGui(browser(), scanner(), { at: 'mounting' });
  await logIn(page);
  await page.getByRole('button', { name: 'Take pitch and roll as measured' }).click();
  const dialog = page.getByRole('dialog', { name: 'Take pitch and roll as they are measured?' });
  await dialog.getByText('pitch: 5.0° → 0.0°').waitFor();
  await dialog.getByRole('button', { name: 'Take', exact: true }).click();
  await page.getByText('Pitch and roll are set as they are measured').waitFor();
  expect(await client.value('SensorPosition')).toMatchObject({ ...leaning, pitch: 0 });
});

test('the motion of a scanner that announces nothing is read again and again', async () => {
  const real = await new ScannerFolder().start([...movingScene, '--as-device']);
  const page = await openGui(browser(), await guiCommand(`http://127.0.0.1:${real.httpPort}`), {
    at: 'mounting',
    expected: missing,
  });
  await page.getByText('It is read twice a second').waitFor();
  await real.control('/drive/to', { x: 0, y: 0, heading: -45 });
  const picture = page.getByRole('img', { name: /turned right by 45°/ });
  await expect.poll(() => picture.count()).toBe(1);
});

test('a scanner without an IMU has no such page', async () => {
  const smaller = await new ScannerFolder().start(['--variant', 'basic']);
  const page = await openGui(browser(), smaller);
  await expect.poll(() => pageTitles(page)).not.toContain('Mounting');
  expect(await pageTitles(page)).toContain('Ports');
});
