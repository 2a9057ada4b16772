import { expectDone } from '@azimuth/test-support/envelope';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { rectangle } from '@azimuth/test-support/scene-scanner';
import { beforeAll, expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { movingScene, openGui } from './gui.js';

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

const fields = {
  evaluations: [
    { Id: 1, Name: 'door', Points: rectangle({ x: 600, y: -900 }, { x: 2200, y: 900 }) },
    { Id: 2, Name: 'lane', Points: rectangle({ x: 600, y: 1000 }, { x: 3000, y: 3400 }) },
  ],
  groups: [
    { Id: 1, Evaluations: [1] },
    { Id: 2, Evaluations: [2] },
  ],
};

beforeAll(async () => {
  const client = scanner().client();
  const header = await client.header('x/fields');
  const body = JSON.stringify({ header, data: { fields } });
  expectDone(await client.send({ method: 'POST', path: '/x/fields', body }));
});

test('detections are bars by time and by field, as many as the table has', async () => {
  const page = await openGui(browser(), scanner(), { at: 'detections' });
  const byField = page.getByRole('region', { name: 'Detections by field' });
  const rows = byField.getByRole('row', { name: /door|lane/ });
  await rows.nth(1).waitFor({ timeout: 60_000 });
  await page
    .getByRole('region', { name: 'Detections by time' })
    .getByRole('img', { name: /Detections in each minute, at most \d+/ })
    .waitFor();
  const shown = page.getByText(/^\d+ of \d+ detections/);
  await expect
    .poll(async () => {
      const counts = (await byField.getByRole('cell').allInnerTexts()).map(Number).filter(Boolean);
      const listed = Number((await shown.innerText()).split(' ')[0]);
      return listed - counts.reduce((sum, count) => sum + count, 0);
    })
    .toBe(0);
  await byField.getByRole('link', { name: '1 door' }).click();
  await expect.poll(() => page.url()).toMatch(/#\/fields\/1$/);
});

test('a group is chosen, and its fields alone have bars', async () => {
  const page = await openGui(browser(), scanner(), { at: 'detections' });
  const byField = page.getByRole('region', { name: 'Detections by field' });
  await byField.getByRole('link', { name: '1 door' }).waitFor({ timeout: 60_000 });
  await byField.getByRole('link', { name: '2 lane' }).waitFor({ timeout: 60_000 });
  await page.getByLabel('Group').selectOption('Group 2');
  await expect.poll(() => byField.getByRole('link', { name: '1 door' }).count()).toBe(0);
  await byField.getByRole('link', { name: '2 lane' }).waitFor();
});
