import { service } from '@azimuth/test-support/client';
import { expectDone } from '@azimuth/test-support/envelope';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { gone, movingScene, openGui, refusedWith } from './gui.js';
import { startGuiCommand } from './gui-command.js';
import { withoutExtensions } from './without-extensions.js';

const browser = sharedBrowser();

/** ms, on a busy machine. */
const slow = 40_000;

/** What tells where the scan data of a scanner goes. */
const settings = ['ScanDataEthSettings', 'ScanDataEnable', 'ScanDataFormat'] as const;

async function destination(scanner: ScannerProcess) {
  return Promise.all(settings.map((name) => scanner.client().value(name)));
}

test('scan data that goes elsewhere is shown here only after a confirmation, and goes back when azimuth gui ends', async () => {
  const scanner = await new ScannerFolder().start(movingScene);
  const elsewhere = { Protocol: 1, IPAddress: [127, 0, 0, 9], Port: 50_009 };
  expectDone(await scanner.client().write('ScanDataEthSettings', elsewhere));
  const before = await destination(scanner);
  const gui = await startGuiCommand(await withoutExtensions(scanner.httpPort));
  const page = await openGui(browser(), gui.url, {
    at: 'live',
    expected: [refusedWith(403), refusedWith(404), ...gone],
  });
  // The page asks only every few seconds where the data goes, and each answer takes several requests to the scanner.
  page.setDefaultTimeout(slow);
  await page.getByText('127.0.0.9:50009').first().waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Show it here …' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Destination: 127.0.0.9:50009 → this computer').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await destination(scanner)).toEqual(before);

  await page.getByRole('main').getByRole('button', { name: 'Show it here …' }).first().click();
  await dialog.getByLabel('Password').fill('wrong');
  await dialog.getByRole('button', { name: 'Send it here' }).click();
  await dialog.getByRole('alert').filter({ hasText: /./ }).waitFor();
  expect(await destination(scanner)).toEqual(before);

  await dialog.getByLabel('Password').fill(service.password);
  await dialog.getByRole('button', { name: 'Send it here' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const drawn = () => page.locator('canvas[data-layer="scan"]').getAttribute('data-drawn');
  await expect.poll(drawn, { timeout: slow }).toMatch(/^[1-9]/);
  expect(await destination(scanner)).not.toEqual(before);

  await page.getByRole('button', { name: 'Restore the destination' }).click();
  await expect.poll(() => destination(scanner), { timeout: slow }).toEqual(before);

  await page.getByRole('main').getByRole('button', { name: 'Show it here …' }).first().click();
  await dialog.getByLabel('Password').fill(service.password);
  await dialog.getByRole('button', { name: 'Send it here' }).click();
  await page.getByRole('button', { name: 'Restore the destination' }).waitFor();
  expect(await destination(scanner)).not.toEqual(before);
  await gui.end();
  expect(await destination(scanner)).toEqual(before);
});
