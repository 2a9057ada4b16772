import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectDone } from '../../support/envelope.js';
import { sharedScanner } from '../../support/scanner-process.js';
import { sharedBrowser } from './browser.js';
import { movingScene, openGui, openPage } from './gui.js';
import { ScansOnTheWire } from './scans-on-the-wire.js';

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

const seconds = 10;
/** Of the scans that came. On a busy machine, the browser draws late at times, and then only the newest scan. */
const leastDrawn = 0.5;

test.each([
  { profile: 8, hertz: 50 },
  { profile: 6, hertz: 30 },
])(
  'at $hertz Hz, every scan that is sent arrives, and the newest one is drawn',
  async ({ profile, hertz }) => {
    expectDone(await scanner().client().write('PerformanceProfileNumber', profile));
    const page = await openGui(browser(), scanner());
    const scans = new ScansOnTheWire(page);
    await openPage(page, 'Live view');
    await expect.poll(() => scans.count, { timeout: 60_000 }).toBeGreaterThanOrEqual(seconds * hertz);
    const came = scans.count;
    const shown = async () => (await drawing(page)).shown;
    await expect.poll(shown, { timeout: 20_000 }).toBeGreaterThanOrEqual(came);
    const { drawn, skipped, mostBehind, medianMs } = await drawing(page);
    console.log(
      `profile ${profile}, ${hertz} Hz: ${scans.count} scans came, ${drawn} drawn, ${skipped} skipped for newer ones, ` +
        `at most ${mostBehind} behind, ${medianMs} ms a drawing in the median`,
    );
    expect(scans.lostTelegrams).toBe(0);
    expect(drawn).toBeGreaterThan(leastDrawn * came);
  },
);

/** What the page tells about its drawing. */
async function drawing(page: Page) {
  const canvas = page.locator('canvas[data-layer="scan"]');
  const { drawn, skipped, mostBehind, medianMs } = await canvas.evaluate(({ dataset }) => ({ ...dataset }));
  return {
    drawn: Number(drawn ?? 0),
    skipped: Number(skipped ?? 0),
    mostBehind: Number(mostBehind ?? 0),
    medianMs: Number(medianMs ?? 0),
    shown: Number(drawn ?? 0) + Number(skipped ?? 0),
  };
}
