import { connect } from 'node:net';
import { expectDone } from '@azimuth/test-support/envelope';
import { ScannerFolder, type ScannerProcess, sharedScanner } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { logIn, movingScene, openGui } from './gui.js';

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

/** True if something accepts connections at interface A of the legacy protocol. */
async function isLegacyOpen(of: ScannerProcess): Promise<boolean> {
  const port = Number(of.readyLine.legacyA);
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

test('a switch closes and opens the ports of the legacy protocol, after a question that says what is lost', async () => {
  expect(await isLegacyOpen(scanner())).toBe(true);
  const page = await openGui(browser(), scanner(), { at: 'services' });
  await logIn(page);
  const toggle = page.getByRole('switch', { name: 'Interface A (CoLa) on' });
  await toggle.click();
  const dialog = page.getByRole('dialog', { name: 'Switch Interface A (CoLa) off?' });
  await dialog.getByText('Both interfaces close, A and B.').waitFor();
  await dialog.getByRole('button', { name: 'Switch off' }).click();
  await expect.poll(() => isLegacyOpen(scanner())).toBe(false);
  await expect
    .poll(() => page.getByRole('switch', { name: 'Interface B (CoLa) on' }).isChecked())
    .toBe(false);
  await toggle.click();
  await expect.poll(() => isLegacyOpen(scanner())).toBe(true);
});

test('a question that is cancelled switches nothing', async () => {
  const page = await openGui(browser(), scanner(), { at: 'services' });
  await logIn(page);
  const toggle = page.getByRole('switch', { name: 'Device search on' });
  await toggle.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(await toggle.isChecked()).toBe(true);
});

test('network settings that wait are in the question, because they take effect, too', async () => {
  expectDone(await scanner().client().write('EtherIPGateAddress', [192, 168, 0, 9]));
  const page = await openGui(browser(), scanner(), { at: 'services' });
  await logIn(page);
  await page.getByRole('switch', { name: 'Device search on' }).click();
  const dialog = page.getByRole('dialog', { name: 'Switch Device search off?' });
  await expect.poll(() => dialog.innerText()).toContain('Gateway: 0.0.0.0 → 192.168.0.9');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('a stream shows its destination, and who may switch it', async () => {
  const page = await openGui(browser(), scanner(), { at: 'services' });
  const row = page.getByRole('row', { name: /^Scan data/ });
  await row.getByText('UDP 2115').waitFor();
  await row.getByText('to 192.168.0.100').waitFor();
  await row.getByText('AuthorizedClient').waitFor();
  const needed = page.getByRole('main').getByRole('button', { name: 'Needs AuthorizedClient' });
  expect(await needed.count()).toBe(1);
});

test('an older release has the rows of its own services, and no others', async () => {
  const older = await new ScannerFolder().start(['--firmware', '1.4.0', '--variant', 'basic']);
  const page = await openGui(browser(), older, { at: 'services' });
  await page.getByRole('rowheader', { name: /^Device search/ }).waitFor();
  const names = await page.getByRole('rowheader').allInnerTexts();
  expect(names.map((name) => name.split('\n')[0])).toEqual([
    'Web server (HTTP)',
    'Interface A (CoLa)',
    'Interface B (CoLa)',
    'Device search',
    'Time server (NTP)',
    'PTP',
    'Scan data',
    'DNS-SD',
  ]);
  await page.getByText('This release puts switches of the interfaces').waitFor();
});
