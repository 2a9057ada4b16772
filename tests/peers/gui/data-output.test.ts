import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isObject } from '@azimuth/model';
import { expectDone } from '@azimuth/test-support/envelope';
import { ScannerFolder, type ScannerProcess, sharedScanner } from '@azimuth/test-support/scanner-process';
import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { cutOff } from './cut-off.js';
import { gone, logIn, movingScene, openGui, refusedWith } from './gui.js';
import { guiCommand } from './gui-command.js';
import { ways } from './ways.js';
import { withoutExtensions } from './without-extensions.js';

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

const at = 'data-output';
/** ms, on a busy machine. */
const slow = 40_000;

/** A program that receives the data. */
async function receiver(): Promise<{ readonly socket: Socket; readonly port: number }> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  onTestFinished(() => void socket.close());
  await once(socket, 'listening');
  return { socket, port: socket.address().port };
}

/** The settings of a stream or of a filter. */
function group(page: Page, name: string): Locator {
  return page.getByRole('group', { name, exact: true });
}

async function apply(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('region', { name: 'Changes that are not applied' }).waitFor({ state: 'detached' });
}

async function stored(of: ScannerProcess, name: string): Promise<Readonly<Record<string, unknown>>> {
  const value = await of.client().value(name);
  if (!isObject(value)) throw new Error(`${name} has no members`);
  return value;
}

async function setFilter(name: string, changed: Readonly<Record<string, unknown>>): Promise<void> {
  const value = { ...(await stored(scanner(), name)), ...changed };
  expectDone(await scanner().client().write(name, value));
}

const rectangle = { bEnable: true, lXMin: 0, lXMax: 3000, lYMin: -1500, lYMax: 1500 };

/** Drags a handle by CSS pixels. */
async function drag(page: Page, handle: Locator, right: number, down: number): Promise<void> {
  // Waits until the plan has found its scale, and the handle no longer moves.
  await page.getByText('Seen here:').waitFor();
  await handle.click({ trial: true });
  const box = await handle.boundingBox();
  if (box === null) throw new Error('the handle is not in sight');
  const [left, top] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(left, top);
  await page.mouse.down();
  await page.mouse.move(left + right, top + down, { steps: 4 });
  await page.mouse.up();
}

test.each(ways)('scan data arrives at the destination that is chosen on the page, $name', async (way) => {
  expectDone(await scanner().client().write('ScanDataEnable', false));
  const { socket, port } = await receiver();
  const page = await openGui(browser(), await way.to(scanner()), { at, patience: slow });
  await logIn(page);
  const scanData = group(page, 'Scan data');
  await scanData
    .getByRole('button', { name: 'This computer' })
    .or(scanData.getByLabel('Port'))
    .first()
    .waitFor();
  await scanData.getByLabel('Address').fill('127.0.0.1');
  await scanData.getByLabel('Port').fill(String(port));
  await scanData.getByRole('checkbox', { name: 'Scan data' }).check();
  expect(await scanner().client().value('ScanDataEnable')).toBe(false);
  await apply(page);
  await once(socket, 'message');
  await scanData.getByText('Sending').waitFor();
  await scanData
    .getByText(new RegExp(`to 127.0.0.1:${port}, \\d+ telegrams a second, \\d+ refused`))
    .waitFor();
});

test('a range filter that is dragged is stored when it is applied, and not before', async () => {
  await setFilter('LFPcubicareafilter', rectangle);
  const page = await openGui(browser(), scanner(), { at });
  await logIn(page);
  const handle = page.getByRole('button', { name: /^Front side, x / });
  await drag(page, handle, 0, 60);
  const [, x] = /x (-?\d+) mm/.exec((await handle.getAttribute('aria-label')) ?? '') ?? [];
  expect(Number(x)).toBeGreaterThan(500);
  expect(Number(x)).toBeLessThan(2990);
  expect(Number(x) % 10).toBe(0);
  expect(await group(page, 'Rectangle (x, y)').getByLabel('To x').inputValue()).toBe(x);
  expect(await page.locator('.region.applied').count()).toBe(1);
  expect(await stored(scanner(), 'LFPcubicareafilter')).toMatchObject(rectangle);
  await apply(page);
  expect(await stored(scanner(), 'LFPcubicareafilter')).toMatchObject({ ...rectangle, lXMax: Number(x) });
  expect(await page.locator('.region.applied').count()).toBe(0);
  await setFilter('LFPcubicareafilter', { bEnable: false });
});

test('the angle range is moved with the keyboard alone, undone, and applied', async () => {
  await setFilter('LFPangleRangeFilter', { bEnable: true, fThetaStart: -900_000, fThetaStop: 900_000 });
  const page = await openGui(browser(), scanner(), { at });
  await logIn(page);
  await page.getByRole('button', { name: 'First angle, -90°' }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.getByRole('button', { name: 'First angle, -79°' }).waitFor();
  await page.getByRole('button', { name: 'Last angle, 90°' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('button', { name: 'Last angle, 89°' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Last angle, 90°' }).waitFor();
  await page.getByRole('button', { name: 'Apply' }).focus();
  await page.keyboard.press('Enter');
  await expect
    .poll(() => stored(scanner(), 'LFPangleRangeFilter'), { timeout: slow })
    .toMatchObject({ fThetaStart: -790_000, fThetaStop: 900_000 });
  await setFilter('LFPangleRangeFilter', { bEnable: false });
});

test('the page says if filters leave nothing, and which value is not allowed', async () => {
  await setFilter('LFPcubicareafilter', { ...rectangle, lXMin: 2000 });
  const page = await openGui(browser(), scanner(), { at });
  await logIn(page);
  await group(page, 'Distance').getByRole('checkbox', { name: 'Distance' }).check();
  await group(page, 'Distance').getByLabel('To').fill('1000');
  await page.getByText('These regions have no place in common.').waitFor();
  await group(page, 'IMU data').getByLabel('Port').fill('0');
  await page.getByText('With port 0, nothing is sent.').waitFor();
  await group(page, 'IMU data').getByLabel('Port').fill('70000');
  await page.getByRole('button', { name: 'Apply' }).click();
  await group(page, 'IMU data').getByRole('alert').filter({ hasText: '65535' }).waitFor();
  expect(await stored(scanner(), 'LFPradialDistanceRangeFilter')).toMatchObject({ bEnable: false });
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await setFilter('LFPcubicareafilter', { bEnable: false });
});

test('each format has the settings that count for it', async () => {
  const page = await openGui(browser(), scanner(), { at });
  await logIn(page);
  const choose = (name: string) => page.getByRole('radio', { name: new RegExp(`^${name}`) }).check();
  await group(page, 'Settings of Compact').getByLabel('Signal strength (RSSI)').uncheck();
  await apply(page);
  expect(await stored(scanner(), 'compactTelegramType1Content')).toMatchObject({ includeRssi: false });
  await choose('MSGPACK');
  await page.getByText('this format has no settings of its own').waitFor();
  await group(page, 'Scan data').getByLabel('Address').waitFor();
  await choose('LMDscandata');
  await group(page, 'Settings of LMDscandata').getByLabel('TCP port of B, binary').waitFor();
  expect(await group(page, 'Scan data').getByLabel('Address').count()).toBe(0);
  await choose('Native ROS 2');
  await group(page, 'Settings of Native ROS 2').getByLabel('Namespace').fill('gate');
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await group(page, 'Settings of Compact').waitFor();
});

test('an older release has only its own formats and settings', async () => {
  const old = await new ScannerFolder().start([...movingScene, '--firmware', '2.1.0']);
  const page = await openGui(browser(), old, { at, patience: slow });
  await page.getByRole('radio', { name: /^LMDscandata/ }).waitFor();
  await expect.poll(() => page.getByRole('radio').count()).toBe(3);
  await page.getByText('this format has no settings of its own').waitFor();
  expect(await group(page, 'Encoder data').count()).toBe(0);
  expect(await group(page, 'IMU data').count()).toBe(1);
});

test('a scanner as real ones are is changed through azimuth gui, and does not tell what arrives', async () => {
  const real = await new ScannerFolder().start([...movingScene, '--as-device']);
  const { port } = await receiver();
  const url = await guiCommand(await withoutExtensions(real.httpPort));
  const page = await openGui(browser(), url, {
    at,
    patience: slow,
    expected: [refusedWith(403), refusedWith(404), ...gone],
  });
  await logIn(page);
  const scanData = group(page, 'Scan data');
  await scanData.getByRole('button', { name: 'This computer' }).click();
  await scanData.getByLabel('Port').fill(String(port));
  await scanData.getByRole('checkbox', { name: 'Scan data' }).check();
  await apply(page);
  expect(await stored(real, 'ScanDataEthSettings')).toMatchObject({ IPAddress: [127, 0, 0, 1], Port: port });
  await scanData.getByText('this scanner does not tell how much arrives').waitFor();
});

test.each(['live', 'fields', at])(
  'the page %s asks before it makes a scanner send its data here',
  async (name) => {
    const client = scanner().client();
    const elsewhere = { Protocol: 1, IPAddress: [127, 0, 0, 9], Port: 50_009 };
    expectDone(await client.write('ScanDataEthSettings', elsewhere));
    // What is sent to any address of this computer would arrive.
    expectDone(await client.write('ScanDataEnable', false));
    const url = await guiCommand(await withoutExtensions(scanner().httpPort));
    const page = await openGui(browser(), url, {
      at: name,
      patience: slow,
      expected: [refusedWith(403), refusedWith(404), ...gone],
    });
    await page.getByRole('main').getByRole('button', { name: 'Show it here …' }).first().click();
    await page.getByRole('dialog').getByText('Destination: 127.0.0.9:50009 → this computer').waitFor();
  },
);

test('on a phone, everything is there, and nothing scrolls sideways', async () => {
  await setFilter('LFPcubicareafilter', rectangle);
  const page = await openGui(browser(), scanner(), { at, screen: 'phone' });
  await page.getByRole('button', { name: /^Front side, x / }).waitFor();
  const scanData = group(page, 'Scan data');
  await scanData.getByLabel('Address').fill('192.168.100.200');
  await scanData.getByLabel('Port').fill('65535');
  expect(await scanData.locator('input').evaluateAll(cutOff)).toEqual([]);
  await group(page, 'Interval').scrollIntoViewIfNeeded();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(await page.locator('.page').evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(
    0,
  );
  await setFilter('LFPcubicareafilter', { bEnable: false });
});
