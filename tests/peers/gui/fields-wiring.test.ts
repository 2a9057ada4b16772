import { isObject } from '@azimuth/model';
import { expectDone } from '@azimuth/test-support/envelope';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { logIn, movingScene, openGui } from './gui.js';
import { ways } from './ways.js';

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

const square = (x: number, y: number) => [
  { x, y },
  { x: x + 1000, y },
  { x: x + 1000, y: y + 1000 },
  { x, y: y + 1000 },
];

/** Walls are in it, so it is infringed at once. */
const around = [
  { x: -5000, y: -5000 },
  { x: 5000, y: -5000 },
  { x: 5000, y: 5000 },
  { x: -5000, y: 5000 },
];

beforeEach(async () => {
  const client = scanner().client();
  const evaluations = [
    { Id: 1, Name: 'door', Points: square(1000, -500), MinimumObjectSize: 0 },
    { Id: 2, Name: 'lane', Points: around, MinimumObjectSize: 0 },
    { Id: 3, Name: 'spare' },
  ];
  const fields = { evaluations, groups: [{ Id: 1, Evaluations: [1, 2, 3] }] };
  const body = JSON.stringify({ header: await client.header('x/fields'), data: { fields } });
  expectDone(await client.send({ method: 'POST', path: '/x/fields', body }));
  expectDone(await client.write('PortConfiguration', await withoutSources()));
});

/** The ports, of which no output follows anything. */
async function withoutSources(): Promise<unknown> {
  const ports = await scanner().client().value('PortConfiguration');
  if (!Array.isArray(ports)) return ports;
  return ports.map((port: unknown) => {
    const settings = isObject(port) && isObject(port.OutputSettings) ? port.OutputSettings : {};
    return { ...(isObject(port) ? port : {}), OutputSettings: { ...settings, Sources: [] } };
  });
}

/** The codes of what a port follows. */
async function sourcesOfPort(number: number): Promise<readonly string[]> {
  const ports = await scanner().client().value('PortConfiguration');
  const port: unknown = Array.isArray(ports) ? ports[number - 1] : undefined;
  const settings = isObject(port) && isObject(port.OutputSettings) ? port.OutputSettings : {};
  const sources = Array.isArray(settings.Sources) ? settings.Sources : [];
  return sources.filter(isObject).map(({ Name, Invert }) => `${Invert === true ? '!' : ''}${String(Name)}`);
}

const dot = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const line = (page: Page, name: RegExp) => page.getByRole('button', { name });

/** Drags from one dot to another one. */
async function drag(page: Page, from: string, to: string): Promise<void> {
  const boxes = await Promise.all([from, to].map((name) => dot(page, name).boundingBox()));
  const [start, end] = boxes.map((box) => {
    if (box === null) throw new Error('a dot is not in sight');
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  });
  if (start === undefined || end === undefined) throw new Error('a dot is missing');
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 });
  await page.mouse.move(end.x, end.y, { steps: 4 });
  await page.mouse.up();
}

const send = (page: Page) => page.getByRole('button', { name: 'Send to the scanner' }).click();

test.each(ways)(
  'a line is drawn with the mouse from an evaluation to an output, which follows it once it is sent, $name',
  async (way) => {
    const page = await openGui(browser(), await way.to(scanner()), { at: 'fields/wiring' });
    await logIn(page);
    await drag(page, 'Draw a line from evaluation 2 lane', 'Draw a line from port 2 InOut2');
    await line(page, /^Line from evaluation 2 lane to port 2, active, not sent/).waitFor();
    expect(await sourcesOfPort(2)).toEqual([]);
    await page.getByText('Port 2 InOut2: active while field 2 is infringed').waitFor();
    await send(page);
    await expect.poll(() => sourcesOfPort(2)).toEqual(['FE02']);
    // The scanner switches the port, and the page says so.
    await line(page, /^Line from evaluation 2 lane to port 2, active/).waitFor();
    await page.getByRole('button', { name: /2 InOut2 Active/ }).waitFor();
  },
);

test('a line is drawn, inverted, led elsewhere and removed with keys alone', async () => {
  const page = await openGui(browser(), scanner(), { at: 'fields/wiring' });
  await logIn(page);
  await dot(page, 'Draw a line from evaluation 1 door').focus();
  await page.keyboard.press('Enter');
  // The first dot where the line may end has the focus: that of port 1.
  await page.getByText('Choose an output. Escape cancels.').waitFor();
  await expect.poll(() => focused(page)).toBe('End the line at port 1 InOut1');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await line(page, /^Line from evaluation 1 door to port 2/).waitFor();
  await page.getByRole('checkbox', { name: /Inverted/ }).press('Space');
  await page.getByRole('combobox', { name: 'Output' }).selectOption('7 InOut7');
  await line(page, /^Line from evaluation 1 door to port 7, .*inverted/).waitFor();
  await send(page);
  await expect.poll(() => sourcesOfPort(7)).toEqual(['!FE01']);
  expect(await sourcesOfPort(2)).toEqual([]);
  await line(page, /^Line from evaluation 1 door to port 7/).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Delete');
  await send(page);
  await expect.poll(() => sourcesOfPort(7)).toEqual([]);
});

test('what the rules do not allow is said before anything is sent', async () => {
  const page = await openGui(browser(), scanner(), { at: 'fields/wiring' });
  await drag(page, 'Draw a line from evaluation 1 door', 'Draw a line from port 3 InOut3');
  await page.getByText('Port 3 is an input. Make it an output first, on the page Ports.').waitFor();
  expect(await page.getByRole('button', { name: 'Send to the scanner' }).count()).toBe(0);
  await drag(page, 'Draw a line from field 1 door', 'Draw a line from the field of evaluation 1 door');
  await page.getByText('Evaluation 1 watches this field already.').waitFor();
});

test('an evaluation gets the field of another one, and loses it again', async () => {
  const page = await openGui(browser(), scanner(), { at: 'fields/wiring' });
  await logIn(page);
  await drag(page, 'Draw a line from field 2 lane', 'Draw a line from the field of evaluation 3 spare');
  await line(page, /^Line from field 2 lane to evaluation 3 spare/).waitFor();
  await send(page);
  await line(page, /^Line from field 2 lane to evaluation 3 spare, active/).waitFor();
  await page.getByRole('button', { name: 'Remove the line' }).click();
  await page.getByText('Field 3 spare: contour').waitFor();
});

function focused(page: Page): Promise<string | null> {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null);
}
