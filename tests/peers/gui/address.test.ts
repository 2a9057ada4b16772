import { Client } from '@azimuth/test-support/client';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { logIn, movingScene, openGui, strip } from './gui.js';
import { ways } from './ways.js';

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

test.each(ways)(
  'the pages of a scanner go with it to its new address, say so, and go on there, $name',
  async (way) => {
    const scanner = await new ScannerFolder().start([
      ...movingScene,
      '--network',
      'rebind',
      '--host',
      '127.0.0.2',
    ]);
    const there = `127.0.0.5:${scanner.httpPort}`;
    const page = await openGui(browser(), await way.to(scanner, '127.0.0.2'), {
      at: 'network',
      expected: way.away,
      // The pages of the scanner itself move with it.
      follows: there,
    });
    await logIn(page);
    await applyAddress(page, '127.0.0.5');
    await page
      .getByRole('status')
      .getByText(`The scanner is at http://${there}`)
      .waitFor({ timeout: 60_000 });
    await strip(page).getByText('Measuring').waitFor({ timeout: 30_000 });
    await page.getByRole('main').getByText(`http://${there}`, { exact: true }).waitFor();
    // News come from there.
    const moved = new Client(scanner.httpPort ?? 0, { host: '127.0.0.5' });
    await moved.write('LocationName', 'Gate 3');
    await expect.poll(() => page.title(), { timeout: 20_000 }).toContain('Gate 3');
    // A browser keeps a login to one address; that of azimuth gui stays the same.
    if (await strip(page).getByRole('button', { name: 'Log in' }).isVisible()) await logIn(page);
    await strip(page).getByRole('button', { name: 'Save' }).click();
    await strip(page).getByText('Everything is saved').waitFor();
  },
);
