import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CaseResult, type CheckReport, htmlReport, type Verdict, verdicts } from '@azimuth/check';
import { expect, onTestFinished, test } from 'vitest';
import { axe, seriousFaults } from './gui/accessibility.js';
import { sharedBrowser } from './gui/browser.js';

const browser = sharedBrowser();

const hostile = [
  `</style><script>document.title='taken'</script>`,
  `"><img src="http://127.0.0.1:9/x" onerror="document.title='taken'">`,
  `<svg onload="document.title='taken'"><link rel="stylesheet" href="http://127.0.0.1:9/x.css">`,
  `\u202e\u0000<iframe srcdoc="<script>parent.document.title='taken'</script>">${'x'.repeat(500)}`,
].join(' ');

/** A result in which all that a scanner sends is hostile. */
function result(id: string, verdict: Verdict): CaseResult {
  const step = { at: hostile, expected: hostile, came: hostile, step: 1, byHand: [hostile] };
  const one = { id, clause: 'A scanner does so.', place: 'specification: Errors' };
  return {
    ...{ case: { ...one, level: 'must', stage: 'read', steps: [] }, verdict, milliseconds: 1 },
    ...(verdict === 'not-tested' ? { reason: hostile } : {}),
    ...(verdict === 'fail' || verdict === 'warn' ? { failure: step } : {}),
  };
}

/** A report of a scanner whose texts are hostile. */
function report(): CheckReport {
  const counts = { fail: 1, warn: 1, 'unexpected-pass': 1, deviation: 1, noted: 1, 'not-tested': 1, pass: 1 };
  const results = verdicts.map((verdict) => result(`status.${verdict}`, verdict));
  return {
    scanner: {
      ...{ url: 'http://192.0.2.1', name: hostile, version: hostile, serialNumber: hostile },
      ...{ deviceType: hostile, orderNumber: hostile, release: '2.4.4', variant: 'full' },
    },
    ...{ stages: ['read'], began: '2026-11-29T12:00:00.000Z', finished: '2026-11-29T12:00:03.250Z' },
    ...{ results, counts, ended: 'lost' },
    leftovers: [{ what: hostile, command: hostile }],
  };
}

test.each(['light', 'dark'] as const)(
  'a report of a hostile scanner runs nothing, loads nothing, and can be read by all, on a narrow screen too (%s)',
  async (colorScheme) => {
    const path = join(mkdtempSync(join(tmpdir(), 'azimuth-page-')), 'check.html');
    writeFileSync(path, htmlReport([report(), report()], { name: 'azimuth', version: '0.1.0' }));
    const context = await browser().newContext({ colorScheme, viewport: { width: 400, height: 800 } });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.addInitScript(axe);
    const url = pathToFileURL(path).href;
    await page.goto(url);
    expect(await page.title()).toBe('azimuth check');
    expect(asked).toEqual([url]);
    expect(await page.locator('body :is(script, img, svg, link, iframe, style)').count()).toBe(0);
    // What came is read as text.
    expect(
      await page.locator('dd', { hasText: "<script>document.title='taken'</script>" }).count(),
    ).toBeGreaterThan(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
    expect(await seriousFaults(page)).toEqual([]);
  },
);
