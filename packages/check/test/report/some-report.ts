import type { ConformanceCase } from '../../src/cases/index.js';
import type { CaseResult, Verdict } from '../../src/run/case-result.js';
import type { CheckReport } from '../../src/run/check-report.js';
import { verdictCounts } from '../../src/run/verdict-counts.js';

export const tool = { name: 'azimuth check', version: '0.1.0' };

/** A case of no scanner. */
export function someCase(id: string, level: ConformanceCase['level'] = 'must'): ConformanceCase {
  return {
    id,
    clause: 'A scanner does so.',
    place: 'specification: Errors',
    level,
    stage: 'read',
    steps: [],
  };
}

export function someResult(id: string, verdict: Verdict, came = '0 (Ok)'): CaseResult {
  const failed = {
    at: 'header.status',
    expected: '4 (Access Denied)',
    came,
    step: 1,
    byHand: ['curl -si x'],
  };
  const hasFailure = verdict === 'fail' || verdict === 'warn' || verdict === 'noted';
  return {
    case: someCase(id, verdict === 'warn' ? 'should' : 'must'),
    verdict,
    ...(hasFailure ? { failure: failed } : {}),
    ...(verdict === 'not-tested' ? { reason: 'needs a login' } : {}),
    milliseconds: 12.4,
  };
}

export function someReport(results: readonly CaseResult[], url = 'http://192.0.2.1'): CheckReport {
  return {
    scanner: {
      url,
      name: 'picoScan',
      version: '2.4.4.0R',
      serialNumber: '26120001',
      deviceType: 'picoScan150',
      orderNumber: '1134610',
      release: '2.4.4',
      variant: 'full',
    },
    stages: ['read'],
    began: '2026-11-29T12:00:00.000Z',
    finished: '2026-11-29T12:00:03.250Z',
    results,
    counts: verdictCounts(results),
    leftovers: [],
  };
}

/** A report in which each text that a scanner sends is this one. */
export function hostileReport(text: string): CheckReport {
  const result = someResult('status.ok', 'fail', text);
  const failure = { at: text, expected: text, came: text, step: 1, byHand: [text] };
  const report = someReport([
    { ...result, failure },
    { ...result, case: someCase('status.other'), verdict: 'not-tested', reason: text },
    { ...result, case: someCase('status.third'), verdict: 'warn', failure },
  ]);
  return {
    ...report,
    scanner: { ...report.scanner, name: text, version: text, serialNumber: text },
    leftovers: [{ what: text, command: text }],
  };
}
