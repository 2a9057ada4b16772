import type { ConformanceCase } from '../cases/index.js';
import type { CheckSubject, CheckTarget } from '../scanner/checked-scanner.js';
import { HttpExchange } from '../wire/http-exchange.js';
import type { CaseResult } from './case-result.js';
import { performed } from './run-case.js';
import { usualTimeout } from './run-check.js';
import { whyNotTestable } from './testability.js';

/**
 * Runs the steps of one case, and nothing else: nothing is put back. For scanners that are thrown away afterwards, as those that
 * prove the case.
 */
export async function runAlone(
  one: ConformanceCase,
  target: CheckTarget,
  subject: CheckSubject,
  signal: AbortSignal,
): Promise<CaseResult> {
  const started = performance.now();
  const untestable = whyNotTestable(one, target, subject);
  if (untestable !== undefined)
    return { case: one, verdict: 'not-tested', reason: untestable, milliseconds: 0 };
  const http = new HttpExchange(target.url, target.timeoutMs ?? usualTimeout);
  const closing: (() => unknown)[] = [];
  const saved = new Map<string, unknown>();
  const closeAtEnd = (close: () => unknown) => closing.push(close);
  try {
    const shared = { target, subject, http, signal, saved, samples: new Map() };
    const { outcome } = await performed(one, { ...shared, closeAtEnd, changing: () => undefined });
    return { case: one, ...outcome, milliseconds: performance.now() - started };
  } finally {
    // What is not closed now is closed by the scanner.
    for (const close of closing.toReversed()) await Promise.resolve(close()).catch(() => undefined);
    http.close();
  }
}
