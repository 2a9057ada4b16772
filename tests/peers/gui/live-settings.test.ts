import { service } from '@azimuth/test-support/client';
import { ScannerFolder, sharedScanner } from '@azimuth/test-support/scanner-process';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { fillLogin, logIn, movingScene, type Opening, openGui, strip } from './gui.js';
import { guiCommand } from './gui-command.js';

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

test('a filter takes points away, the view shows both scans, and the change is undone', async () => {
  const page = await openSettings();
  await logIn(page);
  await openSection(page, 'Filters');
  await keepUpTo3m(page);
  await page.getByText(/\d+ points fewer: \d+ went, \d+ came/).waitFor();
  const before = page.locator('canvas[data-layer="before"]');
  expect(await before.isVisible()).toBe(true);
  await page.locator('.legend').getByText('before').waitFor();
  expect(await pointsOf(page)).toBeLessThan(600);
  await page.getByText('Radial distance: Enable Off → On, Dist max 200000 mm → 3000 mm').waitFor();
  const settings = page.getByRole('region', { name: 'Settings' });
  // The numbers change several times a second: a screen reader says them when they are final.
  const told = settings.getByRole('status').filter({ hasText: 'fewer' });
  expect(await told.getAttribute('aria-busy')).toBe('true');
  await before.waitFor({ state: 'hidden' });
  await expect.poll(() => told.getAttribute('aria-busy')).toBe('false');
  await settings.getByText('1 unsaved').waitFor();
  await settings.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await page.getByText(/\d+ points more: \d+ went, \d+ came/).waitFor();
  await expect.poll(() => pointsOf(page)).toBeGreaterThan(600);
  await settings.getByText('1 unsaved').waitFor({ state: 'detached' });
});

test('a refused value is told at its member, and nothing is compared', async () => {
  const page = await openSettings();
  await logIn(page);
  await openSection(page, 'Filters');
  const form = page.getByRole('form', { name: 'Particles' });
  await form.getByLabel('Threshold').fill('7');
  await form.getByRole('button', { name: 'Write' }).click();
  await form.getByText(/expected .*20/).waitFor();
  expect(await page.getByText(/points (fewer|more)|as before/).count()).toBe(0);
});

test('without a login, the panel asks for one', async () => {
  const page = await openSettings();
  const settings = page.getByRole('region', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Needs AuthorizedClient' }).click();
  await fillLogin(page, service);
  await settings.getByRole('combobox', { name: 'SensitivityMode' }).waitFor();
});

test('a mounting position moves the scanner on the plan', async () => {
  const page = await openSettings();
  await logIn(page);
  await openSection(page, 'Mounting');
  const form = page.getByRole('form', { name: 'Position and rotation' });
  await form.getByLabel('x', { exact: true }).fill('1500');
  await form.getByRole('button', { name: 'Write' }).click();
  await page.getByText('The scanner has moved on the plan.').waitFor();
  await page.getByRole('region', { name: 'Settings' }).getByRole('button', { name: 'Undo' }).first().click();
  await expect.poll(() => form.getByLabel('x', { exact: true }).inputValue()).toBe('0');
});

test('the browser remembers that the settings are open', async () => {
  const page = await openSettings();
  await page.reload();
  await page.getByRole('region', { name: 'Settings' }).waitFor();
  await page.getByRole('button', { name: 'Close the settings' }).click();
  await page.reload();
  await page.getByText('No beam is chosen.').waitFor();
});

test('on a phone, the settings are a sheet, and the scan stays in sight', async () => {
  const page = await openSettings({ screen: 'phone' });
  const sheet = await page.locator('.inspector').boundingBox();
  const plan = await page.getByRole('application').boundingBox();
  expect(sheet?.y).toBeGreaterThan((plan?.y ?? 0) + 250);
  expect((sheet?.y ?? 0) + (sheet?.height ?? 0)).toBeLessThanOrEqual(844);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test('another scanner is chosen beside the scan, which goes on', async () => {
  const two = await Promise.all([
    new ScannerFolder().start(movingScene),
    new ScannerFolder().start(movingScene),
  ]);
  const urls = two.map(({ httpPort }) => `http://127.0.0.1:${httpPort}`);
  for (const [index, name] of ['North', 'South'].entries()) {
    await two[index]?.client().write('LocationName', name);
  }
  const page = await openGui(browser(), await guiCommand(...urls), { at: 's/0/@/live' });
  const canvas = page.locator('canvas[data-layer="scan"]');
  await expect.poll(() => canvas.getAttribute('data-drawn'), { timeout: 20_000 }).toMatch(/^[1-9]/);
  await canvas.evaluate((element) => element.classList.add('the-same'));
  // The destination of each scanner is changed on its own page.
  const routes = page.getByRole('link', { name: 'Change the destination for good' });
  await expect
    .poll(() => routes.evaluateAll((links) => links.map((link) => link.getAttribute('href'))))
    .toEqual(['#/s/0/@/data-output', '#/s/1/@/data-output']);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const settings = page.getByRole('region', { name: 'Settings' });
  await logIn(page);
  await openSection(page, 'Filters');
  await keepUpTo3m(page);
  const effect = settings.getByText(/points (fewer|more)|as before/);
  const undo = settings.getByRole('status').getByRole('button', { name: 'Undo' });
  await effect.waitFor();
  for (const [name, path] of [
    ['South', /#\/s\/1\//],
    ['North', /#\/s\/0\//],
  ] as const) {
    await settings.getByRole('combobox', { name: 'Of scanner' }).selectOption({ label: name });
    await page.waitForURL(path);
    await strip(page).getByText(name).waitFor();
    // The effect and the way back belong to the scanner that was changed.
    const isNorth = name === 'North';
    await effect.waitFor({ state: isNorth ? 'visible' : 'detached' });
    await expect.poll(() => undo.count()).toBe(isNorth ? 1 : 0);
  }
  expect(await page.locator('canvas.the-same').count()).toBe(1);
  // The history of the last seconds is still there.
  await page.locator('.bottom-line').getByText('North').waitFor();
});

async function openSettings(opening: Opening = {}): Promise<Page> {
  const page = await openGui(browser(), scanner(), { at: 'live', ...opening });
  const drawn = () => page.locator('canvas[data-layer="scan"]').getAttribute('data-drawn');
  await expect.poll(drawn, { timeout: 20_000 }).toMatch(/^[1-9]/);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('region', { name: 'Settings' }).waitFor();
  return page;
}

async function openSection(page: Page, title: string): Promise<void> {
  await page.getByRole('region', { name: 'Settings' }).getByRole('heading', { name: title }).click();
}

async function keepUpTo3m(page: Page): Promise<void> {
  const form = page.getByRole('form', { name: 'Radial distance' });
  await form.getByLabel('Enable').check();
  await form.getByLabel('Dist max').fill('3000');
  await form.getByRole('button', { name: 'Write' }).click();
}

async function pointsOf(page: Page): Promise<number> {
  const text = await page.locator('.bottom-line').innerText();
  return Number(/(\d+)\s*points/.exec(text)?.[1]);
}
