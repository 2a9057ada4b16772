import { isObject } from '@azimuth/model';
import { dataOf } from '@azimuth/test-support/client';
import { expectDone } from '@azimuth/test-support/envelope';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { logIn, movingScene, openGui, openPage } from './gui.js';
import { guiCommand } from './gui-command.js';

const browser = sharedBrowser();
const corners = [
  { x: 1000, y: -500 },
  { x: 2000, y: -500 },
  { x: 2000, y: 500 },
];

async function define(scanner: ScannerProcess, ...names: readonly string[]): Promise<void> {
  const client = scanner.client();
  const evaluations = names.map((Name, index) => ({ Id: index + 1, Name, Points: corners }));
  const groups = evaluations.length === 0 ? [] : [{ Id: 1, Evaluations: evaluations.map(({ Id }) => Id) }];
  const body = JSON.stringify({
    header: await client.header('x/fields'),
    data: { fields: { evaluations, groups } },
  });
  expectDone(await client.send({ method: 'POST', path: '/x/fields', body }));
}

async function evaluations(scanner: ScannerProcess): Promise<unknown> {
  const { fields } = dataOf(await scanner.client().send({ method: 'GET', path: '/x/fields' }));
  return isObject(fields) ? fields.evaluations : undefined;
}

test('a contour is typed as JSON: what is wrong is said with its line, and what is right is drawn and sent', async () => {
  const scanner = await new ScannerFolder().start(movingScene);
  await define(scanner, 'door');
  const page = await openGui(browser(), scanner, { at: 'fields/1' });
  await logIn(page);
  await page.getByText('Contour as JSON').click();
  const text = page.getByRole('textbox', { name: 'Contour as JSON' });
  expect(await text.inputValue()).toContain('{ "x": 1000, "y": -500 }');
  await text.fill('[\n  { "x": 1000, "y": -500 },\n  { "x": 2000 "y": 0 }\n]');
  await page.getByText(/^Line 3: expected , or }/).waitFor();
  expect(await page.getByRole('button', { name: 'Use it' }).isDisabled()).toBe(true);
  const moved = corners.map(({ x, y }) => ({ x: x + 500, y }));
  await text.fill(JSON.stringify({ points: moved }));
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.getByRole('button', { name: 'Corner 1, x 1500 mm, y -500 mm' }).waitFor();
  expect(await evaluations(scanner)).toMatchObject([{ Points: corners }]);
  await page.getByRole('button', { name: 'Send to the scanner' }).click();
  await expect.poll(() => evaluations(scanner)).toMatchObject([{ Points: moved }]);
  // What was sent is undone on another visit of the page, after another selection, and sent again.
  await page.getByRole('button', { name: 'All fields' }).click();
  await openPage(page, 'Ports');
  await openPage(page, 'Fields');
  await page.getByRole('heading', { name: 'Fields', level: 1 }).click();
  await page.keyboard.press('Control+z');
  await page.getByText('Field 1 door: contour').waitFor();
  await page.getByRole('button', { name: 'Send to the scanner' }).click();
  await expect.poll(() => evaluations(scanner)).toMatchObject([{ Points: corners }]);
  await page.keyboard.press('Control+Shift+z');
  await page.getByText('Field 1 door: contour').waitFor();
});

test('the distance of objects has a form with a curve, and teach-in makes a reference in a chosen group', async () => {
  const scanner = await new ScannerFolder().start(movingScene);
  await define(scanner, 'door');
  const page = await openGui(browser(), scanner, { at: 'fields/1' });
  await logIn(page);
  await page.getByRole('checkbox', { name: 'Distance-dependent' }).check();
  await page.getByRole('img', { name: /one object until one is 300 mm further away/ }).waitFor();
  await page.getByRole('img', { name: /200 mm near the scanner/ }).waitFor();
  await page.getByRole('button', { name: 'Send to the scanner' }).click();
  await expect.poll(() => evaluations(scanner)).toMatchObject([{ ObjectDistanceThreshold: 300 }]);
  await page.getByRole('button', { name: 'All fields' }).click();
  await page.getByRole('button', { name: 'Teach-in' }).click();
  await page
    .getByRole('combobox', { name: 'Makes' })
    .selectOption({ label: 'a reference: what is there now has to stay there' });
  await page.getByRole('combobox', { name: 'Stops' }).selectOption({ label: 'after 2 s' });
  await page.getByRole('button', { name: 'Start teach-in' }).click();
  await page.getByText('Done').waitFor();
  await expect
    .poll(() => evaluations(scanner))
    .toMatchObject([{ Id: 1 }, { Id: 2, Name: 'TeachIn', ContourAsReference: true }]);
  // It is undone as a draft.
  await page.getByRole('button', { name: 'Undo' }).click();
  const edits = page.getByRole('region', { name: 'Edits that are not sent' });
  await edits.getByText('Field 2 TeachIn: contour').waitFor();
});

test('fields are copied to another scanner: what changes there is shown first, and it is a draft there', async () => {
  const [first, second] = await Promise.all([
    new ScannerFolder().start(movingScene),
    new ScannerFolder().start(movingScene),
  ]);
  await define(first, 'door', 'lane');
  await define(second, 'theirs');
  await first.client().write('LocationName', 'North');
  await second.client().write('LocationName', 'South');
  const page = await openGui(
    browser(),
    await guiCommand(...[first, second].map(({ httpPort }) => `http://127.0.0.1:${httpPort}`)),
    { at: 's/0/@/fields' },
  );
  await page.getByRole('button', { name: 'Copy between scanners' }).click();
  await page.getByRole('checkbox', { name: /^South/ }).check();
  const there = page.getByRole('region', { name: 'Copy to South' });
  await there.getByText('1 field added: 2 lane').waitFor();
  await there.getByText('1 field replaced: 1 theirs').waitFor();
  await page
    .getByRole('combobox', { name: /same number/ })
    .selectOption({ label: 'stays: the copy gets a free number' });
  await there.getByText('2 fields added: 2 door, 3 lane').waitFor();
  await page.getByRole('checkbox', { name: '2 lane' }).uncheck();
  await there.getByText('1 field added: 2 door').waitFor();
  await there.getByRole('button', { name: 'Make it a draft' }).click();
  await there.getByText('It is a draft there').waitFor();
  expect(await evaluations(second)).toMatchObject([{ Name: 'theirs' }]);
});
