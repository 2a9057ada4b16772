import { fileURLToPath } from 'node:url';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { openGui } from './gui.js';

const hall = fileURLToPath(new URL('../../../packages/simulation/scenes/hall.yaml', import.meta.url));
const scanner = sharedScanner(['--scene', hall, '--seed', '1']);
const browser = sharedBrowser();

test('a ROS map is on the plan of the simulation, and goes with its scene', async () => {
  const page = await openGui(browser(), scanner(), { at: 'simulation' });
  await page.getByRole('application', { name: 'The scene hall from above' }).waitFor();
  const canvas = page.locator('canvas[data-layer="map"]');
  // An empty canvas is a picture of about a kilobyte.
  const pictureSize = () =>
    canvas.evaluate((element) => (element instanceof HTMLCanvasElement ? element.toDataURL().length : 0));
  await expect.poll(pictureSize).toBeGreaterThan(8000);
  await page.getByLabel('What stands around the scanner').selectOption('Gate');
  await expect.poll(() => canvas.isVisible()).toBe(false);
});
