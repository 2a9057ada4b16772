import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { allChecks, allFindings, checkResults } from '../../src/doctor/all-checks.js';
import { Observation } from '../../src/doctor/observation.js';
import { reportJson, reportLines } from '../../src/doctor/report.js';
import { observation, realOnly } from './observation.js';

/** Scan data goes to a multicast group, from which several programs can receive it. */
const toGroup = {
  values: { ScanDataEthSettings: { Protocol: 1, IPAddress: [239, 1, 2, 3], Port: 2115 } },
};

describe('the checks', () => {
  test('find nothing wrong with a scanner that works', () => {
    expect(allFindings(checkResults(observation(toGroup)))).toEqual([]);
  });

  test('say of a scanner that tells little what could not be looked at', () => {
    const looked = checkResults(realOnly(toGroup));
    expect(allFindings(looked)).toEqual([]);
    expect(reportJson('', looked).unseen.map(({ check }) => check)).toEqual([
      'documents',
      'scan-sending',
      'lock',
      'login',
      'factory-passwords',
      'unsaved',
    ]);
  });

  test('say why, if nothing could be read', () => {
    const failing = observation();
    const facts = { ...failing.facts, readings: new Map() };
    const looked = checkResults(new Observation(facts));
    expect(allFindings(looked)).toEqual([]);
    for (const { text } of reportJson('', looked).unseen) expect(text).not.toBe('');
  });

  test('have a name of their own each', () => {
    expect(new Set(allChecks.map(({ name }) => name)).size).toBe(allChecks.length);
  });
});

describe('a report', () => {
  const looked = checkResults(
    observation({
      values: { ScanDataEnable: false, LFPintervalFilter: { bEnable: true, uiReductionFactor: 4 } },
      facts: { unsaved: ['ScanDataEnable'] },
    }),
  );

  test('has a line for each finding, the worst first, and a summary', () => {
    expect(reportLines(looked, false)).toEqual([
      'problem  the scan data stream is off, so no program gets scans from it – azimuth set ScanDataEnable on --device @gate3',
      'warning  a change is not saved, and a reboot or a power cut discards it: ScanDataEnable – azimuth save --device @gate3',
      'note     the interval filter lets only one of 4 scans out – all scans: azimuth set LFPintervalFilter bEnable=off --device @gate3',
      `${allChecks.length} checks: 1 problem, 1 warning, 1 note, 2 could not be looked at (--all lists them)`,
    ]);
  });

  test('also lists everything else on request', () => {
    const lines = reportLines(looked, true);
    expect(lines).toContain('fine     whether it is too hot: 20.0 °C');
    expect(lines).toContain('absent   where scan data goes: the stream of scan data is off');
    expect(lines.filter((line) => line.startsWith('unseen'))).toHaveLength(2);
  });

  test('says as JSON which findings can be fixed', () => {
    const { findings } = reportJson('http://192.168.0.1', looked);
    expect(findings.map(({ check, severity, fixable }) => [check, severity, fixable])).toEqual([
      ['scan-on', 'problem', true],
      ['unsaved', 'warning', false],
      ['filters', 'note', false],
    ]);
  });
});

test('docs/doctor.md names every check', () => {
  const page = readFileSync(new URL('../../../../docs/doctor.md', import.meta.url), 'utf8');
  for (const { name } of allChecks) expect(page).toContain(`\`${name}\``);
});
