import { readFile } from 'node:fs/promises';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { movingScene, openGui } from './gui.js';

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

test('a beam is chosen without a mouse, and arrow keys go from beam to beam', async () => {
  const page = await openGui(browser(), scanner(), { at: 'live' });
  await scanIsThere(page);
  await page.getByRole('button', { name: 'Beam straight ahead' }).press('Enter');
  await page.getByRole('heading', { name: 'Beam 414' }).waitFor();
  const slider = page.getByRole('slider', { name: 'Beam' });
  expect(await slider.getAttribute('aria-valuetext')).toBe('0.00 degrees ahead');
  const plan = page.getByRole('application');
  await plan.press('ArrowLeft');
  await page.getByRole('heading', { name: 'Beam 415' }).waitFor();
  expect(await slider.getAttribute('aria-valuetext')).toBe('0.33 degrees to the left');
  await plan.press('Shift+ArrowRight');
  await page.getByRole('heading', { name: 'Beam 405' }).waitFor();
  await slider.press('ArrowRight');
  await page.getByRole('heading', { name: 'Beam 404' }).waitFor();
  await plan.press('Escape');
  await page.getByText('No beam is chosen.').waitFor();
});

test('the picture that is saved has a line below the plan', async () => {
  const page = await openGui(browser(), scanner(), { at: 'live' });
  await scanIsThere(page);
  const download = page.waitForEvent('download');
  await page.getByText('Save', { exact: true }).first().click();
  await page.getByRole('button', { name: 'Picture (PNG)' }).click();
  const png = await readFile(await (await download).path());
  const plan = await page.getByRole('application').boundingBox();
  // Width and height stand behind the signature and the head of the first chunk.
  expect(png.readUInt32BE(16)).toBe(Math.round(plan?.width ?? 0));
  expect(png.readUInt32BE(20)).toBe(Math.round(plan?.height ?? 0) + 28);
});

test('the drawing that is saved tells the scanner, the time and the frame', async () => {
  const page = await openGui(browser(), scanner(), { at: 'live' });
  await scanIsThere(page);
  const download = page.waitForEvent('download');
  await page.getByText('Save', { exact: true }).first().click();
  await page.getByRole('button', { name: 'Drawing (SVG)' }).click();
  const svg = await readFile(await (await download).path(), 'utf8');
  expect(svg).toMatch(/>picoScan \d+, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}, frame \d+<\/text>/);
});

test('the edges of segments are drawn when they are chosen', async () => {
  const page = await openGui(browser(), scanner(), { at: 'live' });
  await scanIsThere(page);
  const edges = page.locator('canvas[data-layer="segments"]');
  expect(await edges.isVisible()).toBe(false);
  await page.getByText('Show', { exact: true }).click();
  await page.getByLabel('Segments of telegrams').check();
  await edges.waitFor();
  // An empty canvas is far shorter as a PNG file.
  const length = () =>
    edges.evaluate((canvas) => (canvas instanceof HTMLCanvasElement ? canvas.toDataURL().length : 0));
  await expect.poll(length).toBeGreaterThan(10_000);
});

/** Waits until a scan is in sight. */
async function scanIsThere(page: Page): Promise<void> {
  const drawn = () => page.locator('canvas[data-layer="scan"]').getAttribute('data-drawn');
  await expect.poll(drawn, { timeout: 20_000 }).toMatch(/^[1-9]/);
}
