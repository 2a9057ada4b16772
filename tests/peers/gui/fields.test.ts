import { readFile } from 'node:fs/promises';
import { type Evaluation, isObject } from '@azimuth/model';
import { dataOf } from '@azimuth/test-support/client';
import { expectDone } from '@azimuth/test-support/envelope';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { logIn, movingScene, openGui, strip } from './gui.js';
import { ways } from './ways.js';

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

/** Presses the plan at shares of its width and height. */
async function pressAt(page: Page, ...places: readonly (readonly [number, number])[]): Promise<void> {
  const box = await page.locator('.plan').boundingBox();
  if (box === null) throw new Error('there is no plan');
  for (const [across, down] of places) {
    await page.mouse.click(box.x + box.width * across, box.y + box.height * down);
  }
}

/** The evaluations that the scanner has, as JSON. */
async function evaluations(): Promise<unknown> {
  const { fields } = dataOf(await scanner().client().send({ method: 'GET', path: '/x/fields' }));
  return isObject(fields) ? fields.evaluations : undefined;
}

/** Replaces the fields of the scanner. All of them are always active. */
async function define(
  evaluations: readonly (Partial<Evaluation> & { readonly Id: number })[],
): Promise<void> {
  const client = scanner().client();
  const groups = [{ Id: 1, Evaluations: evaluations.map(({ Id }) => Id) }];
  const fields = { evaluations, groups: evaluations.length === 0 ? [] : groups };
  const body = JSON.stringify({ header: await client.header('x/fields'), data: { fields } });
  expectDone(await client.send({ method: 'POST', path: '/x/fields', body }));
}

test.each(ways)(
  'a field is drawn with the mouse, a corner is moved by keys, and the scanner has it after it was sent, $name',
  async (way) => {
    await define([]);
    const page = await openGui(browser(), await way.to(scanner()), { at: 'fields' });
    await logIn(page);
    await page.getByText('No field yet.').waitFor();
    await page.getByRole('button', { name: 'Rectangle' }).click();
    await pressAt(page, [0.3, 0.3], [0.6, 0.6]);
    const corner = page.getByRole('button', { name: /^Corner 1,/ });
    const before = await corner.getAttribute('aria-label');
    await corner.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Shift+ArrowLeft');
    const [, x, y] = /x (-?\d+) mm, y (-?\d+) mm/.exec(before ?? '') ?? [];
    const moved = { x: Number(x) + 10, y: Number(y) + 100 };
    await page.getByRole('button', { name: `Corner 1, x ${moved.x} mm, y ${moved.y} mm` }).waitFor();
    expect(await evaluations()).toEqual([]);
    await page.getByRole('button', { name: 'Send to the scanner' }).click();
    await expect.poll(evaluations).toMatchObject([{ Id: 1, Points: [moved, {}, {}, {}] }]);
  },
);

test('a detection is in the table, and in the file that is saved', async () => {
  await define([{ Id: 7, Name: 'everything', Points: around, MinimumObjectSize: 0 }]);
  const page = await openGui(browser(), scanner(), { at: 'detections' });
  const row = page.getByRole('row', { name: /^\d{4}-\d\d-\d\d .* 7 everything/ });
  await row.waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  const text = await readFile(await (await download).path(), 'utf8');
  expect(text).toMatch(/^time,field,name,x mm,y mm\r\n.+,7,everything,-?\d+,-?\d+\r\n/);
  await page.getByRole('searchbox', { name: 'Filter by field' }).fill('nothing of this name');
  await page.getByText('No detection is of such a field.').waitFor();
  expect(await row.count()).toBe(0);
});

test('a field is left out of the history, and taken into it again', async () => {
  const logged = async () => {
    const value = await scanner().client().value('EvaluationsToLog');
    return Array.isArray(value) ? value.slice(0, 8) : value;
  };
  await define([{ Id: 3, Name: 'door' }, { Id: 7 }]);
  const page = await openGui(browser(), scanner(), { at: 'detections' });
  await logIn(page);
  await page.getByText('Recorded fields').click();
  await page.getByRole('checkbox', { name: '3 door' }).uncheck();
  await expect.poll(logged, { timeout: 10_000 }).toEqual([true, true, false, true, true, true, true, true]);
  await page.getByText('1 of 2').waitFor();
  await page.getByRole('checkbox', { name: '3 door' }).check();
  await expect.poll(logged, { timeout: 10_000 }).not.toContain(false);
});

test('a corner that is drawn near a corner of another field snaps to it', async () => {
  await define([{ Id: 5, Name: 'dock', Points: dock }]);
  const page = await openGui(browser(), scanner(), { at: 'fields' });
  await page.getByRole('button', { name: /5 dock/ }).click();
  const corner = page.getByRole('button', { name: 'Corner 1, x 1030 mm, y 1010 mm' });
  // Waits until the plan has found its scale, and the corner no longer moves.
  await strip(page).getByText('Measuring').waitFor();
  await corner.click({ trial: true });
  const box = await corner.boundingBox();
  if (box === null) throw new Error('the corner is not in sight');
  await page.getByRole('button', { name: 'All fields' }).click();
  await page.getByRole('button', { name: 'Rectangle' }).click();
  await page.mouse.click(box.x + box.width / 2 + 6, box.y + box.height / 2 - 5);
  await pressAt(page, [0.2, 0.2]);
  // The new field is selected: its first corner is exactly that of the other one.
  await expect.poll(() => corner.isVisible()).toBe(true);
  await expect.poll(() => page.getByRole('heading', { name: 'dock' }).isVisible()).toBe(false);
});

test.each(ways)(
  'teach-in shows the contour while it grows, and the field that it has made, $name',
  async (way) => {
    await define([]);
    const page = await openGui(browser(), await way.to(scanner()), { at: 'fields' });
    await logIn(page);
    await page.getByRole('button', { name: 'Teach-in' }).click();
    await page.getByRole('button', { name: 'Start teach-in' }).click();
    await page.getByText(/the field so far: about [1-9]/).waitFor();
    const preview = page.locator('.fields-overlay .teach-in');
    expect(await preview.count()).toBe(1);
    await page.getByRole('button', { name: 'Stop, and make the field' }).click();
    await page.getByText('Done').waitFor();
    await expect.poll(() => preview.count()).toBe(0);
    await expect.poll(evaluations).toMatchObject([{ Id: 1, Name: 'TeachIn' }]);
    await page.getByRole('button', { name: /1 TeachIn/ }).click();
    await page.getByRole('button', { name: /^Corner 1,/ }).waitFor();
  },
);

test('the settings of teach-in and of fields are written, and act on the next contour', async () => {
  await define([{ Id: 1, Name: 'gate' }]);
  const page = await openGui(browser(), scanner(), { at: 'fields' });
  await logIn(page);
  await page.getByRole('button', { name: /1 gate/ }).click();
  await page.getByRole('checkbox', { name: 'Contour as reference' }).check();
  await page.getByRole('button', { name: 'Send to the scanner' }).click();
  await expect.poll(evaluations).toMatchObject([{ Id: 1, ContourAsReference: true }]);
  await page.getByRole('button', { name: 'All fields' }).click();
  await page.getByRole('button', { name: 'Teach-in' }).click();
  await page.getByRole('button', { name: /Edit teachIn/ }).click();
  await page.getByRole('textbox', { name: /distance ?in ?front/i }).fill('300');
  await page.getByRole('button', { name: 'Write' }).click();
  await page.getByText('ends 300 mm before everything').waitFor();
});

/** Walls are in it, so it is infringed at once. */
const around = [
  { x: -5000, y: -5000 },
  { x: 5000, y: -5000 },
  { x: 5000, y: 5000 },
  { x: -5000, y: 5000 },
];

/** Its first corner is on no line of the grid. */
const dock = [
  { x: 1030, y: 1010 },
  { x: 1030, y: -1000 },
  { x: 3000, y: -1000 },
];
