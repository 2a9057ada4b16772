import { sharedScanner } from '@azimuth/test-support/scanner-process';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { blankPage, movingScene, openGui } from './gui.js';

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

const fullAddresses = ['?fullscreen#/live', '#/live?fullscreen', '#/?fullscreen=', '?fullscreen_mode=#/'];

test.each(fullAddresses)('the address /%s shows the scan alone, until Escape', async (address) => {
  const page = await blankPage(browser());
  await page.goto(`http://127.0.0.1:${scanner().httpPort}/${address}`);
  const plan = page.getByRole('application');
  await plan.waitFor();
  await page.getByRole('main').getByText('Measuring', { exact: true }).waitFor();
  expect(await page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(false);
  const room = await plan.boundingBox();
  expect(room?.width).toBe(1280);
  expect(room?.height).toBeGreaterThan(750);
  await page.keyboard.press('Escape');
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  expect(new URL(page.url()).search + new URL(page.url()).hash).toBe('#/live');
});

test('a button and a key take the whole screen, and give it back', async () => {
  const page = await openGui(browser(), scanner(), { at: 'live' });
  await page.getByRole('button', { name: 'Full screen' }).click();
  await expect.poll(() => isWhole(page)).toBe(true);
  expect(page.url()).toMatch(/#\/live\?fullscreen$/);
  await page.getByRole('button', { name: 'Leave full screen' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  expect(await isWhole(page)).toBe(false);
  await page.keyboard.press('Shift+F');
  await expect.poll(() => isWhole(page)).toBe(true);
  await page.evaluate(() => document.exitFullscreen());
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
});

function isWhole(page: Page): Promise<boolean> {
  return page.evaluate(() => document.fullscreenElement !== null);
}
