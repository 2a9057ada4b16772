import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { Client } from '../../support/client.js';
import { ScannerFolder } from '../../support/scanner-process.js';
import { sharedBrowser } from './browser.js';
import { gone, logIn, movingScene, openGui, refusedWith, strip } from './gui.js';
import { guiCommand } from './gui-command.js';

const browser = sharedBrowser();

/** Types another address, and applies it. */
async function applyAddress(page: Page, address: string): Promise<void> {
  const form = page.getByRole('form', { name: 'Address' });
  await form.getByRole('textbox', { name: 'Address', exact: true }).fill(address);
  await form.getByRole('button', { name: 'Apply …' }).click();
  const question = page.getByRole('dialog', { name: 'Change the network settings?' });
  await question.getByText(`→ ${address}`).waitFor();
  await question.getByRole('button', { name: 'Apply' }).click();
}

test('azimuth gui goes with a scanner to its new address, and its pages go on there', async () => {
  const scanner = await new ScannerFolder().start([
    ...movingScene,
    '--network',
    'rebind',
    '--host',
    '127.0.0.2',
  ]);
  const url = await guiCommand(`http://127.0.0.2:${scanner.httpPort}`);
  const page = await openGui(browser(), url, { at: 'network', expected: [...gone, refusedWith(502)] });
  await logIn(page);
  await applyAddress(page, '127.0.0.5');
  await page
    .getByRole('status')
    .getByText(`The scanner is at http://127.0.0.5:${scanner.httpPort}`)
    .waitFor({ timeout: 60_000 });
  await strip(page).getByText('Measuring').waitFor({ timeout: 30_000 });
  await page.getByRole('main').getByText(`http://127.0.0.5:${scanner.httpPort}`, { exact: true }).waitFor();
  // News come from there, and the login goes on.
  const moved = new Client(scanner.httpPort ?? 0, { host: '127.0.0.5' });
  await moved.write('LocationName', 'Gate 3');
  await expect.poll(() => page.title(), { timeout: 20_000 }).toContain('Gate 3');
  await strip(page).getByRole('button', { name: 'Save' }).click();
  await strip(page).getByText('Everything is saved').waitFor();
});
