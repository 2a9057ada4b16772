import { readFileSync } from 'node:fs';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { fileOf } from './files.js';
import { logIn, movingScene, openGui, strip } from './gui.js';
import { ways } from './ways.js';

const browser = sharedBrowser();

test.each(ways)('a whole file is restored by the scanner, and saved at once, $name', async (way) => {
  const scanner = await new ScannerFolder().start(movingScene);
  const client = scanner.client();
  await client.write('LocationName', 'Gate 3');
  const page = await openGui(browser(), await way.to(scanner), { at: 'backup' });
  await expect.poll(() => page.title()).toContain('Gate 3');
  await logIn(page);
  const content = await backup(page);
  await client.write('LocationName', 'Gate 9');
  const main = page.getByRole('main');
  await main.getByLabel('Choose a file').setInputFiles(fileOf('gate.json', content));
  await main.getByText('Restore the whole file at once').click();
  await main.getByRole('button', { name: 'Restore the whole file' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
  await main.getByText('The file is restored and saved').waitFor();
  expect(await client.value('LocationName')).toBe('Gate 3');
  await strip(page).getByText('Everything is saved').waitFor();
});

/** Downloads a backup by the page. @returns its text */
async function backup(page: Page): Promise<string> {
  const arrives = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download a backup' }).click();
  const download = await arrives;
  expect(download.suggestedFilename()).toMatch(/^Gate-3-backup-\d{4}-\d\d-\d\d-\d{4}\.json$/);
  return readFileSync(await download.path(), 'utf8');
}

test.each(ways)(
  'a backup is downloaded and restored: the plan says what will change, and the result what has changed, $name',
  async (way) => {
    const scanner = await new ScannerFolder().start(movingScene);
    const client = scanner.client();
    await client.write('LocationName', 'Gate 3');
    await client.write('ScanDataEnable', true);
    const page = await openGui(browser(), await way.to(scanner), { at: 'backup' });
    await expect.poll(() => page.title()).toContain('Gate 3');
    await logIn(page);
    const content = await backup(page);
    await client.write('LocationName', 'Gate 9');
    await client.write('ScanDataEnable', false);
    const main = page.getByRole('main');
    await main.getByLabel('Choose a file').setInputFiles(fileOf('gate.json', content));
    const plan = main.getByRole('table');
    const rowOf = (name: string) => plan.getByRole('row').filter({ hasText: name });
    const cellsOf = (name: string) => rowOf(name).getByRole('cell').allInnerTexts();
    await expect.poll(() => cellsOf('LocationName')).toEqual(['', 'Gate 9', 'Gate 3']);
    expect(await cellsOf('ScanDataEnable')).toEqual(['', 'Off', 'On']);
    // Nothing is written before the person says so, and nothing that the person does not want.
    expect(await client.value('LocationName')).toBe('Gate 9');
    await plan.getByLabel('ScanDataEnable').uncheck();
    await main.getByRole('button', { name: 'Restore 1 parameter' }).click();
    await main.getByText('The parameter is restored').waitFor();
    expect(await client.value('LocationName')).toBe('Gate 3');
    expect(await client.value('ScanDataEnable')).toBe(false);
    await main.getByRole('button', { name: 'Save' }).click();
    await strip(page).getByText('Everything is saved').waitFor();
  },
);
