import { sharedScanner } from '@azimuth/test-support/scanner-process';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { movingScene, openGui } from './gui.js';

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

interface Actor {
  readonly name: string;
  readonly path?: { readonly waypoints: readonly { readonly x: number; readonly y: number }[] };
}

/** Where an actor of the scene stands, if it walks no more. */
async function standsAt(page: Page, name: string): Promise<readonly number[]> {
  const scene: { readonly actors: readonly Actor[] } = await page.evaluate(async () =>
    (await fetch('/x/sim/scene')).json(),
  );
  const waypoints = scene.actors.find((actor) => actor.name === name)?.path?.waypoints ?? [];
  return waypoints.length === 1 ? waypoints.flatMap(({ x, y }) => [x, y]) : [];
}

test('an actor is dragged to another place, and pushed on by an arrow key', async () => {
  const page = await openGui(browser(), scanner(), { at: 'simulation' });
  const handle = page.getByRole('button', { name: /^person 1, at/ });
  const plan = page.getByRole('application', { name: 'The scene Gate from above' });
  const box = await plan.boundingBox();
  if (box === null) throw new Error('the plan is in sight');
  await handle.focus();
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => standsAt(page, 'person 1')).toHaveLength(2);
  const [before = 0] = await standsAt(page, 'person 1');
  await handle.focus();
  await page.keyboard.press('ArrowUp');
  await expect.poll(async () => (await standsAt(page, 'person 1'))[0]).toBeCloseTo(before + 0.1, 2);
  await handle.hover();
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 3, { steps: 5 });
  await page.mouse.up();
  await expect.poll(async () => Math.abs((await standsAt(page, 'person 1'))[1] ?? 9)).toBeLessThan(0.1);
});

test('a temperature that is set here is the one that the scanner reports', async () => {
  const page = await openGui(browser(), scanner(), { at: 'simulation' });
  const panel = page.getByRole('main').locator('section', { hasText: 'Temperature inside' });
  await panel.getByLabel('Set to').fill('71');
  await panel.getByRole('button', { name: 'Set', exact: true }).click();
  await panel.getByText('set here').waitFor();
  expect(await scanner().client().value('CurrentTempDev')).toBeCloseTo(71, 0);
});

test('another scene is chosen', async () => {
  const page = await openGui(browser(), scanner(), { at: 'simulation' });
  await page.getByLabel('What stands around the scanner').selectOption('Conveyor');
  const conveyor = page.getByRole('application', { name: 'The scene Conveyor from above' });
  await expect.poll(() => conveyor.isVisible()).toBe(true);
});

test('a fault is added with its members, seen at the scanner, and ended', async () => {
  const page = await openGui(browser(), scanner(), { at: 'simulation' });
  const panel = page.getByRole('main').locator('section', { hasText: 'No fault is planned.' });
  await panel.getByLabel('Kind of fault').selectOption('http-status');
  // An endpoint that no page reads: the browser would make the fault happen, too.
  await panel.getByLabel('endpoint').fill('LFTchecksum');
  await panel.getByLabel(/^status/).fill('99');
  await panel.getByText('status: a whole number 1 to 11, not 99').waitFor();
  await panel.getByLabel(/^status/).fill('6');
  await page.getByRole('button', { name: 'Add the fault' }).click();
  const end = page.getByRole('button', { name: 'End http-status' });
  await end.waitFor();
  expect((await scanner().client().get('LFTchecksum')).text).toContain('"status":6');
  await page.getByText('happened 1 of 1 time').waitFor();
  await end.click();
  await page.getByText('No fault is planned.').waitFor();
  expect((await scanner().client().get('LFTchecksum')).text).toContain('"status":0');
});
