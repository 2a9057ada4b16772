import { describe, expect, test } from 'vitest';
import { severityOf } from '../../../src/outputs/entry-severity.js';
import { syslogFacilities, syslogMessage } from '../../../src/outputs/syslog/syslog-message.js';
import { condition } from '../outputs-of-tests.js';

const origin = { facility: 'local0', host: 'desk7', process: 42 } as const;
const encoded = (entry: Parameters<typeof syslogMessage>[0], longest = 8192) =>
  syslogMessage(entry, origin, longest).toString();

const common = { at: Date.UTC(2026, 5, 1, 12, 30, 15, 250), scanner: 'gate1', serial: '23010001' };
const head = (pri: number, id: string) =>
  `<${pri}>1 2026-06-01T12:30:15.250Z desk7 azimuth-monitor 42 ${id} `;

describe('a message of syslog', () => {
  test('has the bytes of RFC 5424 for a condition that begins', () => {
    const entry = condition({
      ...common,
      text: 'connection refused',
      condition: 'unreachable',
      severity: 'error',
    });
    expect(encoded(entry)).toBe(
      `${head(131, 'unreachable')}[azimuth@32473 scanner="gate1" serial="23010001" kind="condition" condition="unreachable" change="begins" since="2026-06-01T12:29:15.250Z"] gate1: Does not answer: connection refused`,
    );
  });

  test('is a notice if a condition ends', () => {
    expect(encoded(condition({ ...common, change: 'ends' }))).toMatch(/^<133>1 /);
  });

  test('begins with a byte order mark if it has other characters than ASCII', () => {
    const bytes = syslogMessage(condition({ ...common, text: '61 °C' }), origin, 8192);
    const start = bytes.indexOf('] ') + 2;
    expect(bytes.subarray(start, start + 3)).toEqual(Buffer.of(0xef, 0xbb, 0xbf));
    expect(bytes.subarray(start + 3).toString()).toBe('gate1: Is too warm: 61 °C');
  });

  test('escapes quotes, backslashes and brackets in values, and has no control characters', () => {
    const message = encoded({
      ...{ kind: 'value', ...common, name: 'a]b"c\\d', before: 'x\n<11>1 forged', after: null },
    });
    expect(message).toContain('name="a\\]b\\"c\\\\d" before="\\"x\\\\n<11>1 forged\\"" after="null"');
    expect(message.split('\n')).toHaveLength(1);
  });

  test('says who changed a parameter', () => {
    const author = { by: 'anna@desk7', command: 'set' };
    const entry = {
      kind: 'parameter',
      ...common,
      parameter: 'LEDEnable',
      before: true,
      after: false,
      author,
    } as const;
    expect(encoded(entry)).toBe(
      `${head(133, 'parameter')}[azimuth@32473 scanner="gate1" serial="23010001" kind="parameter" parameter="LEDEnable" before="true" after="false" by="anna@desk7" command="set"] gate1: LEDEnable changed from true to false, by anna@desk7 (set)`,
    );
  });

  test('is cut at its end, between characters', () => {
    const bytes = syslogMessage(condition({ ...common, text: '°'.repeat(4000) }), origin, 2048);
    expect(bytes.length).toBeLessThanOrEqual(2048);
    expect(bytes.length).toBeGreaterThan(2040);
    expect(bytes.toString()).not.toContain('\ufffd');
  });

  test('fits with the longest values that a scanner can send', () => {
    const hostile = { parameter: ']'.repeat(9000), before: '"'.repeat(9000), after: '\\'.repeat(9000) };
    const entry = { kind: 'parameter', ...common, scanner: '"'.repeat(900), ...hostile } as const;
    for (const longest of [2048, 8192]) {
      const message = syslogMessage(entry, { ...origin, host: 'h'.repeat(300) }, longest);
      expect(message.length).toBeLessThanOrEqual(longest);
      expect(message.toString()).toMatch(/"\] /);
    }
  });

  test('has the severity of its entry for each kind', () => {
    const codes = { error: 3, warning: 4, notice: 5, info: 6 };
    for (const severity of ['warning', 'error'] as const) {
      const entry = condition({ ...common, severity });
      expect(severityOf(entry)).toBe(severity);
      expect(encoded(entry)).toMatch(new RegExp(`^<${16 * 8 + codes[severity]}>`));
    }
  });

  test('can have each facility that the monitor file allows', () => {
    const pris = syslogFacilities.map((facility) =>
      syslogMessage(condition(), { ...origin, facility }, 2048)
        .toString()
        .slice(0, 5),
    );
    expect(new Set(pris).size).toBe(syslogFacilities.length);
  });
});
