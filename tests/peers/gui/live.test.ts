import { expectDone } from '@azimuth/test-support/envelope';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { FrameCostMeter } from './frame-costs.js';
import { movingScene, openGui, openPage } from './gui.js';
import { ScansOnTheWire } from './scans-on-the-wire.js';

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

const seconds = 10;
/** Of the scans that came. On a busy machine, the browser draws late at times, and then only the newest scan. */
const leastDrawn = 0.1;

test.each([
  { profile: 8, hertz: 50, trail: 'none' },
  { profile: 6, hertz: 30, trail: 'none' },
  { profile: 6, hertz: 30, trail: '10 s' },
])(
  'at $hertz Hz with a trail of $trail, every scan that is sent arrives, and the newest one is drawn',
  async ({ profile, hertz, trail }) => {
    expectDone(await scanner().client().write('PerformanceProfileNumber', profile));
    const page = await openGui(browser(), scanner());
    const scans = new ScansOnTheWire(page);
    const costs = await FrameCostMeter.of(page);
    await openPage(page, 'Live view');
    await page.getByRole('combobox', { name: 'Trail' }).selectOption(`Trail: ${trail}`);
    await expect
      .poll(
        async () => {
          await costs.look((await drawing(page)).drawn);
          return scans.count;
        },
        { timeout: 60_000, interval: 500 },
      )
      .toBeGreaterThanOrEqual(seconds * hertz);
    const came = scans.count;
    const shown = async () => (await drawing(page)).shown;
    await expect.poll(shown, { timeout: 20_000 }).toBeGreaterThanOrEqual(came);
    const { drawn, skipped, mostBehind, keptUp, medianMs } = await drawing(page);
    const { script, all } = costs.median;
    console.log(
      `profile ${profile}, ${hertz} Hz, trail ${trail}: ${scans.count} scans came, ${drawn} drawn, ${skipped} skipped for ` +
        `newer ones; the picture was at most one scan behind in ${(keptUp * 100).toFixed(1)} % of the drawings, and ` +
        `${mostBehind} at most; a frame took ${script.toFixed(1)} ms of scripting and drawing in the median ` +
        `(${medianMs} ms of it drawing), ${all.toFixed(1)} ms with all work of the page`,
    );
    expect(scans.lostTelegrams).toBe(0);
    expect(drawn).toBeGreaterThan(leastDrawn * came);
  },
);

/** What the page tells about its drawing. */
async function drawing(page: Page) {
  const canvas = page.locator('canvas[data-layer="scan"]');
  const { drawn, skipped, mostBehind, keptUp, medianMs } = await canvas.evaluate(({ dataset }) => ({
    ...dataset,
  }));
  return {
    drawn: Number(drawn ?? 0),
    skipped: Number(skipped ?? 0),
    mostBehind: Number(mostBehind ?? 0),
    keptUp: Number(keptUp ?? 0),
    medianMs: Number(medianMs ?? 0),
    shown: Number(drawn ?? 0) + Number(skipped ?? 0),
  };
}
