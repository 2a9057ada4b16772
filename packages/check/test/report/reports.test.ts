import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { htmlReport } from '../../src/report/html.js';
import { jsonReport } from '../../src/report/json.js';
import { junitReport } from '../../src/report/junit.js';
import { sarifReport } from '../../src/report/sarif.js';
import { isSignedReport, signedReport } from '../../src/report/signature.js';
import { tableLines } from '../../src/report/table.js';
import { hostileReport, someReport, someResult, tool } from './some-report.js';

const mixed = someReport([
  someResult('status.ok', 'pass'),
  someResult('auth.single-use', 'fail'),
  someResult('status.message', 'warn'),
  someResult('lock.five', 'not-tested'),
  someResult('variable.A.no-header', 'fail'),
  someResult('variable.B.no-header', 'fail'),
]);

describe('the table for people', () => {
  it('describes what failed first, with what was expected, what came, and how to see it', () => {
    const text = tableLines(mixed).join('\n');
    expect(text).toContain(
      [
        'FAIL  auth.single-use',
        '  A scanner does so. [specification: Errors]',
        '  at        header.status (step 1 of 0)',
        '  expected  4 (Access Denied)',
        '  came      0 (Ok)',
        '  by hand   curl -si x',
      ].join('\n'),
    );
    expect(text.indexOf('FAIL')).toBeLessThan(text.indexOf('WARN'));
    expect(text).toContain('  1  needs a login');
    expect(text).toContain('1 passed, 3 failed, 1 warning, 1 not tested, in 3.3 s');
  });

  it('describes the same fault of several names once', () => {
    const lines = tableLines(mixed);
    expect(lines.filter((line) => line.startsWith('FAIL'))).toEqual([
      'FAIL  auth.single-use',
      'FAIL  variable.A.no-header',
    ]);
    expect(lines).toContain('  likewise  variable.B.no-header');
  });

  it('lists what could not be put back, as commands', () => {
    const left = { what: 'LocationName was "hall": no answer', command: 'azimuth set LocationName hall' };
    expect(tableLines({ ...mixed, leftovers: [left] })).toContain(
      '  azimuth set LocationName hall    (LocationName was "hall": no answer)',
    );
  });
});

describe('a signed report', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const signed = signedReport(jsonReport([mixed], tool), privateKey);
  const read = (): Record<string, unknown> => JSON.parse(JSON.stringify(signed));

  it('is valid with the key, whatever the order of its members', () => {
    expect(isSignedReport(read(), publicKey)).toBe(true);
    const reversed = Object.fromEntries(Object.entries(read()).toReversed());
    expect(isSignedReport(reversed, publicKey)).toBe(true);
  });

  it('is not valid if anything was changed, with another key, or without a signature', () => {
    expect(isSignedReport({ ...read(), tool: { ...tool, version: '9' } }, publicKey)).toBe(false);
    expect(isSignedReport(read(), generateKeyPairSync('ed25519').publicKey)).toBe(false);
    expect(isSignedReport({ ...read(), signature: undefined }, publicKey)).toBe(false);
    expect(isSignedReport('text', publicKey)).toBe(false);
  });
});

describe('JUnit', () => {
  it('has a failure for a must, and skips what was not tested', () => {
    const { counts, names } = readXml(junitReport([mixed]));
    expect(counts).toMatchObject({ testsuite: 4, testcase: 6, failure: 3, skipped: 1, 'system-out': 1 });
    expect(names).toContain('auth.single-use');
  });
});

describe('SARIF', () => {
  it('has a rule and a place for each result, as code scanning requires', () => {
    const { runs } = sarifReport([mixed], tool);
    const [run] = runs;
    expect(run?.results?.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ['auth.single-use', 'error'],
      ['status.message', 'warning'],
      ['variable.A.no-header', 'error'],
      ['variable.B.no-header', 'error'],
    ]);
    for (const result of run?.results ?? []) {
      expect(run?.tool.driver.rules?.[result.ruleIndex ?? -1]?.id).toBe(result.ruleId);
      expect(result.locations?.[0]?.physicalLocation?.artifactLocation?.uri).toBe('scanners/192.0.2.1');
      expect(result.locations?.[0]?.physicalLocation?.region?.startLine).toBe(1);
      expect(result.partialFingerprints?.primaryLocationLineHash).toMatch(/^[0-9a-f]{32}$/);
    }
  });
});

describe('the page', () => {
  it('has a column for each scanner, and a link from each failure to its description', () => {
    const other = someReport([someResult('status.ok', 'fail')], 'http://192.0.2.2');
    const page = htmlReport([mixed, other], tool);
    expect(page).toContain('<a class="fail" href="#1-status.ok">fail</a>');
    expect(page).toContain('id="1-status.ok"');
    expect(page).not.toContain('<script');
  });

  it('describes the same fault of several names once, with a place for the link of each', () => {
    const page = htmlReport([mixed], tool);
    expect(page).toContain('<article id="0-variable.A.no-header">');
    expect(page).toContain('<dt>likewise</dt><dd><code id="0-variable.B.no-header">');
  });

  it('tells what was not put back, why a check ended early, and what was not tested', () => {
    const leftovers = [{ what: 'LocationName was "hall"', command: 'azimuth set LocationName hall' }];
    const page = htmlReport([{ ...mixed, leftovers, ended: 'lost' }], tool);
    expect(page).toContain('The scanner does not answer any more');
    expect(page).toContain('<pre>azimuth set LocationName hall</pre>');
    expect(page).toContain('<li>1: needs a login</li>');
  });
});

describe('nothing that a scanner sends breaks a report', () => {
  const markup = fc.constantFrom(
    '<script>alert(1)</script>',
    ']]>',
    '"><img src=x onerror=alert(1)>',
    "' onclick='x",
    '&amp;&#2;',
    '\u0002sRA\u0003',
    '\u001b[2J',
    '\u202e',
    '\ud800',
    '\r\n',
    '-->',
  );
  const text = fc
    .array(fc.oneof(markup, fc.string({ unit: 'binary', maxLength: 20 })), { maxLength: 6 })
    .map((parts) => parts.join(''));

  it('JUnit stays XML with the same elements', () => {
    const usual = readXml(junitReport([hostileReport('x')])).counts;
    fc.assert(
      fc.property(text, (hostile) => {
        expect(readXml(junitReport([hostileReport(hostile)])).counts).toEqual(usual);
      }),
    );
  });

  it('the page stays a page with the same elements and attributes', () => {
    const usual = tagsOf(htmlReport([hostileReport('x')], tool));
    fc.assert(
      fc.property(text, (hostile) => {
        expect(tagsOf(htmlReport([hostileReport(hostile)], tool))).toEqual(usual);
      }),
    );
  });

  it('JSON and SARIF can be read again', () => {
    fc.assert(
      fc.property(text, (hostile) => {
        const json: unknown = JSON.parse(JSON.stringify(jsonReport([hostileReport(hostile)], tool)));
        expect(json).toMatchObject({ reports: [{ scanner: { name: hostile } }] });
        expect(sarifReport([hostileReport(hostile)], tool).runs[0]?.results).toHaveLength(2);
      }),
    );
  });
});

/** @returns how often each element comes. Throws for anything that is no XML. */
function readXml(xml: string): { counts: Record<string, number>; names: readonly string[] } {
  const counts: Record<string, number> = {};
  const names: string[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    counts[name] = (counts[name] ?? 0) + 1;
    if (name === 'testcase') names.push(String(attributes.name));
  });
  parser.write(xml).close();
  return { counts, names };
}

/** Returns the tags of a page with the names of their attributes, in order. */
function tagsOf(page: string): readonly string[] {
  return [...page.matchAll(/<\/?([a-z0-9]+)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>/g)].map(
    ([, name, attributes = '']) =>
      [name, ...[...attributes.matchAll(/([a-z-]+)(?:="[^"]*")?/g)].map(([, one]) => one)].join(' '),
  );
}
