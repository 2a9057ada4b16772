import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expectData, expectDone } from '@azimuth/test-support/envelope';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { rectangle } from '@azimuth/test-support/scene-scanner';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { logIn, movingScene, type Opening, openGui, strip } from './gui.js';
import { ScansOnTheWire } from './scans-on-the-wire.js';

/** Where the pictures of the docs are written, by `npm run pictures`. Otherwise nothing is written. */
const folder =
  process.env.AZIMUTH_PICTURES === undefined
    ? undefined
    : fileURLToPath(new URL('../../../docs/images', import.meta.url));
const mostBytes = 150 * 1024;

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

const fields = {
  evaluations: [
    { Id: 1, Name: 'door', Points: rectangle({ x: 600, y: -900 }, { x: 2200, y: 900 }) },
    { Id: 2, Name: 'lane', Points: rectangle({ x: 600, y: 1000 }, { x: 3000, y: 3400 }) },
  ],
  groups: [{ Id: 1, Evaluations: [1, 2] }],
};

beforeAll(async () => {
  const client = scanner().client();
  expectDone(await client.write('LocationName', 'Gate 3'));
  const header = await client.header('x/fields');
  const body = JSON.stringify({ header, data: { fields } });
  expectDone(await client.send({ method: 'POST', path: '/x/fields', body }));
  expectData(await client.call('WriteEeprom'), { Success: true });
});

const desk = { context: { viewport: { width: 1200, height: 750 } } };

test.each<[name: string, opening: Opening]>([
  ['live-light', { at: 'live', ...desk }],
  ['live-dark', { at: 'live', colours: 'dark', ...desk }],
  ['fields', { at: 'fields', ...desk }],
  ['phone', { at: 'live', screen: 'phone' }],
])('a picture of the floor plan: %s', async (name, opening) => {
  const page = await openGui(browser(), scanner(), { ...opening, at: 'overview' });
  const scans = new ScansOnTheWire(page);
  await page.evaluate(`location.hash = "#/${opening.at}"`);
  await expect.poll(() => scans.count, { timeout: 20_000 }).toBeGreaterThan(45);
  await strip(page).getByText('Everything is saved').waitFor();
  // On a phone, the list of the fields is below the plan.
  const state = page.getByRole('main').getByText(/^infringed$/i);
  if (opening.screen !== 'phone') await state.first().waitFor({ timeout: 30_000 });
  await picture(page, name);
});

test.each<[name: string, opening: Opening]>([
  ['overview', { at: 'overview', ...desk }],
  ['parameters', { at: 'parameters', colours: 'dark', ...desk }],
])('a picture of a page: %s', async (name, opening) => {
  const page = await openGui(browser(), scanner(), opening);
  await logIn(page);
  await strip(page).getByText('Everything is saved').waitFor();
  await picture(page, name);
});

/** A picture that is small enough for the docs. */
async function picture(page: Page, name: string): Promise<void> {
  const png = await page.screenshot({ animations: 'disabled' });
  expect(png.length).toBeLessThan(mostBytes);
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.png`), png);
}
