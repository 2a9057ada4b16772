import { changePassword } from '@azimuth/test-support/password-change';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { movingScene, openGui } from './gui.js';
import { guiCommand } from './gui-command.js';

const browser = sharedBrowser();
const patience = 60_000;
const names = ['Gate 1', 'Gate 2', 'Gate 3'] as const;

type Three = readonly [ScannerProcess, ScannerProcess, ScannerProcess];

/** Three scanners with names, and their list. */
async function threeScanners(): Promise<{ readonly page: Page; readonly scanners: Three }> {
  const named = async (name: string) => {
    const scanner = await new ScannerFolder().start(movingScene);
    await scanner.client().write('LocationName', name);
    await scanner.client().call('WriteEeprom');
    return scanner;
  };
  const scanners: Three = [await named(names[0]), await named(names[1]), await named(names[2])];
  const urls = scanners.map(({ httpPort }) => `http://127.0.0.1:${httpPort}`);
  const page = await openGui(browser(), await guiCommand(...urls), { patience });
  for (const name of names) await page.getByRole('link', { name }).waitFor();
  return { page, scanners };
}

async function setPassword(scanner: ScannerProcess, from: string, to: string): Promise<void> {
  const { text } = await changePassword(scanner.client(), { user: 'Service', password: from }, to);
  expect(text).toContain('"result":0');
}

const panel = (page: Page) => page.getByRole('complementary', { name: 'Actions' });
const line = (page: Page, name: string) => panel(page).getByRole('row').filter({ hasText: name });

/** Chooses an act for all in sight. */
async function chooseAll(page: Page, act: string): Promise<void> {
  await page.getByLabel('Choose all in sight').check();
  await panel(page).getByRole('heading', { name: '3 scanners chosen' }).waitFor();
  await panel(page).getByRole('button', { name: act }).click();
}

async function preview(page: Page, password = 'servicelevel'): Promise<void> {
  await panel(page).getByLabel('Password').fill(password);
  await panel(page).getByRole('button', { name: 'Show what will change' }).click();
}

test('a variable is written to those that are chosen: what will change is shown before, a wrong password is said', async () => {
  const { page, scanners } = await threeScanners();
  const [first, second, third] = [scanners[0].client(), scanners[1].client(), scanners[2].client()];
  await setPassword(scanners[1], 'servicelevel', 'another');
  await third.write('LEDEnable', false);
  await chooseAll(page, 'Write a variable');
  await panel(page).getByLabel('Variable', { exact: true }).fill('LEDEnable');
  const box = panel(page).getByRole('checkbox', { name: 'LEDEnable' });
  expect(await box.isChecked()).toBe(true);
  await box.uncheck();
  await preview(page);
  await line(page, 'Gate 1').getByText('LEDEnable: On → Off').waitFor();
  await line(page, 'Gate 2')
    .getByText(/does not accept this password for Service/)
    .waitFor();
  await line(page, 'Gate 3').getByText('Stays: It has this value already.').waitFor();
  await shot(page, 'actions-preview');
  // Nothing has been changed by that.
  expect(await first.value('LEDEnable')).toBe(true);
  await panel(page).getByRole('button', { name: 'Write LEDEnable at 1 scanner' }).click();
  await line(page, 'Gate 1').getByText('Written, not saved.').waitFor();
  await panel(page).getByText('1 of 1 done').waitFor();
  expect(await first.value('LEDEnable')).toBe(false);
  expect(await second.value('LEDEnable')).toBe(true);
});

test('a run stops at the first failure, says what was done, and tries those again that are left', async () => {
  const { page, scanners } = await threeScanners();
  const [first, second, third] = scanners;
  await chooseAll(page, 'Write a variable');
  await panel(page).getByLabel('Variable', { exact: true }).fill('LEDEnable');
  await panel(page).getByRole('checkbox', { name: 'LEDEnable' }).uncheck();
  await preview(page);
  for (const name of names) await line(page, name).getByText('LEDEnable: On → Off').waitFor();
  // Somebody changes the password meanwhile.
  await setPassword(second, 'servicelevel', 'another');
  await panel(page).getByRole('button', { name: 'Write LEDEnable at 3 scanners' }).click();
  await panel(page).getByText('1 of 3 done, 1 failed, 1 not begun').waitFor();
  await line(page, 'Gate 1').getByText('Done').waitFor();
  await line(page, 'Gate 2').getByText('Failed').waitFor();
  await line(page, 'Gate 3').getByText('Not begun').waitFor();
  await shot(page, 'actions-failed');
  expect(await first.client().value('LEDEnable')).toBe(false);
  expect(await third.client().value('LEDEnable')).toBe(true);
  await setPassword(second, 'another', 'servicelevel');
  await panel(page).getByRole('button', { name: 'Try the 2 again that are left' }).click();
  await panel(page).getByText('2 of 2 done').waitFor();
  expect(await second.client().value('LEDEnable')).toBe(false);
  expect(await third.client().value('LEDEnable')).toBe(false);
  await panel(page).getByRole('button', { name: 'Close' }).click();
});

test('what is unsaved is listed before it is saved or discarded', async () => {
  const { page, scanners } = await threeScanners();
  const [first, second, third] = [scanners[0].client(), scanners[1].client(), scanners[2].client()];
  await first.write('LEDEnable', false);
  await second.write('LocationName', 'Door');
  await chooseAll(page, 'Discard what is unsaved');
  await preview(page);
  await line(page, 'Gate 1').getByText('LEDEnable: Off → On').waitFor();
  await panel(page).getByText('LocationName: Door → Gate 2').waitFor();
  await line(page, 'Gate 3').getByText('Stays: Everything is saved.').waitFor();
  await panel(page).getByRole('button', { name: 'Discard unsaved changes at 2 scanners' }).click();
  await panel(page).getByText('2 of 2 done').waitFor();
  expect(await first.value('LEDEnable')).toBe(true);
  expect(await second.value('LocationName')).toBe('Gate 2');
  await panel(page).getByRole('button', { name: 'Close' }).click();
  await third.write('LEDEnable', false);
  await panel(page).getByRole('button', { name: 'Save what is unsaved' }).click();
  await preview(page);
  await line(page, 'Gate 3').getByText('LEDEnable: On → Off, saved').waitFor();
  await panel(page).getByRole('button', { name: 'Save at 1 scanner' }).click();
  await panel(page).getByText('1 of 1 done').waitFor();
});

/** Keeps a picture for who looks at the pages, if a folder is named for it. */
async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.AZIMUTH_SHOTS;
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
}
