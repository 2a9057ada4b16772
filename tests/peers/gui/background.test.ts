import { sharedScanner } from '@azimuth/test-support/scanner-process';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { movingScene, type Opening, openGui } from './gui.js';

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

/** A picture of two rooms. */
function drawing(): Buffer {
  const png = new PNG({ width: 400, height: 200 });
  for (let y = 0; y < 200; y++) {
    for (let x = 0; x < 400; x++) {
      const isWall = x < 8 || x > 391 || y < 8 || y > 191 || Math.abs(x - 200) < 4;
      png.data.set(isWall ? [170, 51, 51, 255] : [255, 255, 255, 255], 4 * (400 * y + x));
    }
  }
  return PNG.sync.write(png);
}

test('a drawing is below the plan, is scaled by two points with the keyboard, and stays in the browser', async () => {
  const page = await openBackground();
  await choose(page, ['hall.png', drawing()]);
  await page.getByText('hall.png').waitFor();
  await expect.poll(() => drawnPixels(page)).toBeGreaterThan(500);
  await page.getByRole('button', { name: 'Scale by two points …' }).press('Enter');
  const plan = page.getByRole('application');
  await plan.press('Enter');
  await page.getByText('Press the second point').waitFor();
  for (let step = 0; step < 3; step++) await plan.press('ArrowUp');
  await plan.press('Enter');
  const before = Number(await page.getByLabel('Scale', { exact: true }).inputValue());
  await page.getByLabel('Their distance').fill('1');
  await page.getByLabel('Their distance').press('Enter');
  const scale = page.getByLabel('Scale', { exact: true });
  await expect.poll(async () => Number(await scale.inputValue())).toBeLessThan(before);
  await page.getByLabel('Turn').fill('45');
  await page.reload();
  await expect.poll(() => drawnPixels(page)).toBeGreaterThan(20);
  await openPanel(page);
  expect(await page.getByLabel('Turn').inputValue()).toBe('45');
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.locator('canvas[data-layer="background"]').waitFor({ state: 'hidden' });
});

test('a map of ROS is placed by its description', async () => {
  const page = await openBackground({ colours: 'dark' });
  const pixels = `P2\n4 2\n255\n${'0 '.repeat(8)}`;
  const description = 'image: hall.pgm\nresolution: 0.5\norigin: [1, -1, 0]\n';
  await choose(page, ['hall.yaml', description], ['hall.pgm', pixels]);
  await expect.poll(() => page.getByLabel('Middle, ahead').inputValue()).toBe('2');
  expect(await page.getByLabel('Middle, to the left').inputValue()).toBe('-0.5');
  expect(await page.getByLabel('Turn').inputValue()).toBe('90');
  expect(await page.getByLabel('Scale', { exact: true }).inputValue()).toBe('0.5');
  await expect.poll(() => drawnPixels(page)).toBeGreaterThan(500);
});

test('files that are no pictures, broken ones and huge ones are refused with words', async () => {
  const page = await openBackground({ screen: 'phone' });
  for (const [name, content] of [
    ['page.html', '<html></html>'],
    ['hall.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'],
  ] as const) {
    await choose(page, [name, content]);
    await page.getByText('expected PNG, JPEG or PGM').waitFor();
  }
  const huge = Buffer.alloc(64);
  huge.writeUInt32BE(0x89504e47, 0);
  huge.writeUInt32BE(60_000, 16);
  huge.writeUInt32BE(60_000, 20);
  await choose(page, ['huge.png', huge]);
  await page.getByText('The picture is too large: 60000 × 60000 pixels').waitFor();
  huge.writeUInt32BE(10, 16);
  huge.writeUInt32BE(10, 20);
  await choose(page, ['broken.png', huge]);
  await page.getByText('The picture is damaged').waitFor();
  await choose(page, ['hall.yaml', 'image: hall.pgm\nresolution: 0.5\norigin: [1, -1, 0]\n']);
  await page.getByText('Choose hall.pgm together with hall.yaml.').waitFor();
  expect(await page.locator('canvas[data-layer="background"]').isVisible()).toBe(false);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

async function openBackground(opening: Opening = {}): Promise<Page> {
  const page = await openGui(browser(), scanner(), { at: 'live', ...opening });
  await openPanel(page);
  return page;
}

async function openPanel(page: Page): Promise<void> {
  await page.getByText('Show', { exact: true }).click();
  await page.getByRole('button', { name: 'Background …' }).click();
  await page.getByRole('region', { name: 'Background' }).waitFor();
}

async function choose(page: Page, ...files: readonly (readonly [string, string | Buffer])[]): Promise<void> {
  await page
    .getByRole('region', { name: 'Background' })
    .locator('input[type="file"]')
    .setInputFiles(files.map(([name, content]) => ({ name, mimeType: '', buffer: Buffer.from(content) })));
}

/** Number of pixels of the background that are drawn. */
function drawnPixels(page: Page): Promise<number> {
  return page.locator('canvas[data-layer="background"]').evaluate((canvas) => {
    if (!(canvas instanceof HTMLCanvasElement) || canvas.hidden) return 0;
    const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
    let drawn = 0;
    for (let at = 3; at < (data?.length ?? 0); at += 4) if ((data?.[at] ?? 0) > 0) drawn++;
    return drawn;
  });
}
