import { builtInInterface } from '@azimuth/model';
import { bundleOf, issue } from '@azimuth/test-support/certificates';
import { startScanner, type TestScanner } from '@azimuth/testing';
import { describe, expect, it } from 'vitest';
import {
  type CheckTarget,
  type ConformanceCase,
  editionSubject,
  type RunOptions,
  runCases,
  selectedCases,
  stages,
} from '../src/index.js';
import { call, get, once, pause, post, type Step, write } from '../src/steps/index.js';

const subject = editionSubject('2.4.4', 'full');

describe('a check puts back', () => {
  it('variables that a step has written, also if a later step fails', async () => {
    await using scanner = await startScanner({ parameters: { LocationName: 'hall' } });
    const run = await ran(scanner, [write('LocationName', 'checked'), get('SerialNumber', { status: 5 })]);
    expect([run.results[0]?.verdict, run.leftovers]).toEqual(['fail', []]);
    expect(await scanner.client.read('LocationName')).toBe('hall');
  });

  it('structs and lists as they were', async () => {
    await using scanner = await startScanner();
    const before = await scanner.client.read('TSCTCSrvAddr');
    const run = await ran(scanner, [write('TSCTCSrvAddr', [10, 9, 8, 7])]);
    expect([run.results[0]?.verdict, run.leftovers]).toEqual(['pass', []]);
    expect(await scanner.client.read('TSCTCSrvAddr')).toEqual(before);
  });

  it('variables that a case states, and the stored set if the case has saved', async () => {
    await using scanner = await startScanner({ stored: { LocationName: 'hall' } });
    await ran(scanner, [write('LocationName', 'checked'), call('WriteEeprom', undefined)]);
    await scanner.power.off();
    await scanner.power.on();
    expect(await scanner.client.read('LocationName')).toBe('hall');
  });

  it('what a reboot has interrupted, once the scanner answers again', async () => {
    await using scanner = await startScanner({ stored: { LocationName: 'hall' } });
    const run = await ran(scanner, [
      write('LocationName', 'checked'),
      call('RebootDevice', undefined),
      pause(1),
      get('SerialNumber', { status: 0 }),
    ]);
    expect([run.results[0]?.failure?.came, run.leftovers, run.ended]).toEqual([
      expect.stringContaining('connection failed'),
      [],
      undefined,
    ]);
    expect(await scanner.client.read('LocationName')).toBe('hall');
  });

  it('what a destructive case has made, before the next stage', async () => {
    await using scanner = await startScanner();
    const teachIn = [call('StartTeachIn', undefined), pause(1), call('StopTeachIn', undefined)];
    const made: ConformanceCase = { ...test, stage: 'destructive', steps: teachIn };
    const next: ConformanceCase = { ...test, stage: 'core', steps: [get('/x/fields', hasNoFields)] };
    const target = { ...targetOf(scanner), control: scanner.url };
    const { results } = await runCases([made, next], target, { ...subject, known: builtInInterface });
    expect(results.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
  });

  it('what destructive cases have prepared together, before the next one that has not', async () => {
    await using scanner = await startScanner({ parameters: { LocationName: 'hall' } });
    const prepared = once('another name', [write('LocationName', 'prepared')]);
    const read = (name: string) => get('LocationName', { data: { has: { LocationName: { is: name } } } });
    const sharing: ConformanceCase = { ...test, stage: 'destructive', steps: [prepared, read('prepared')] };
    const apart: ConformanceCase = { ...test, stage: 'destructive', steps: [read('hall')] };
    const { results } = await runCases([sharing, sharing, apart], targetOf(scanner), subject);
    expect(results.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass']);
  });

  it('what it has written when it is interrupted, after the steps that clean up', async () => {
    await using scanner = await startScanner({ parameters: { LocationName: 'hall' } });
    const interrupt = new AbortController();
    const run = await ran(
      scanner,
      [write('LocationName', 'checked'), pause(1), write('LocationName', 'never')],
      {
        signal: interrupt.signal,
        clock: async () => interrupt.abort(),
        cleanup: [get('LocationName', { data: { has: { LocationName: { is: 'checked' } } } })],
      },
    );
    expect(run.results[0]).toMatchObject({ verdict: 'not-tested', reason: 'interrupted' });
    expect([run.ended, run.leftovers]).toEqual(['interrupted', []]);
    expect(await scanner.client.read('LocationName')).toBe('hall');
  });
});

describe('what cannot be put back', () => {
  it('is listed as commands', async () => {
    await using scanner = await startScanner({ parameters: { LocationName: "the hall's end" } });
    const run = await ran(scanner, [write('LocationName', 'checked'), pause(1)], {
      timeoutMs: 500,
      clock: (ms) => (ms === 1000 ? scanner.power.off() : Promise.resolve()),
    });
    expect(run.ended).toBe('lost');
    expect(run.leftovers).toEqual([
      {
        name: 'LocationName',
        what: expect.stringContaining('the connection failed'),
        command: `azimuth set LocationName '"the hall'\\''s end"' --device '${scanner.url}'`,
      },
    ]);
  });

  it('is not changed, if it cannot be read before', async () => {
    await using scanner = await startScanner();
    const run = await ran(scanner, [post('x/noSuchName', { http: 200 })], { changes: ['x/noSuchName'] });
    expect(run.results[0]).toMatchObject({
      verdict: 'not-tested',
      reason: 'x/noSuchName cannot be read before: it could not be put back',
    });
  });
});

it('a scanner keeps its certificate in all stages, because its private key could not be put back', async () => {
  await using scanner = await startScanner();
  const { contentCertificateBundle: certificates, contentPrivateKey: privateKey } = bundleOf([issue()]);
  await scanner.client.setCertificates({ certificates, privateKey });
  const before = await scanner.client.certificates();
  const only = (id: string) =>
    id.startsWith('tls.bundle.') || id.startsWith('method.removeCertificateBundle.');
  const cases = selectedCases(subject, { stages: new Set(stages), only });
  const target = targetOf(scanner);
  const { results, leftovers } = await runCases(cases, target, subject);
  expect(results.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
  expect([await scanner.client.certificates(), leftovers]).toEqual([before, []]);
});

const hasNoFields = { data: { has: { fields: { has: { evaluations: { is: [] } } } } } };

const test = { id: 'status.test', clause: 'A test.', place: 'test', level: 'must' } as const;

interface Circumstances extends Pick<RunOptions, 'signal'> {
  readonly clock?: (milliseconds: number) => Promise<void>;
  readonly cleanup?: readonly Step[];
  readonly changes?: readonly string[];
  readonly timeoutMs?: number;
}

function targetOf(
  scanner: TestScanner,
  wait: CheckTarget['clock']['wait'] = (ms) => scanner.advance(ms),
): CheckTarget {
  return {
    url: scanner.url,
    passwords: { Service: 'servicelevel' },
    clock: { now: () => Date.now(), wait },
  };
}

function ran(scanner: TestScanner, steps: readonly Step[], circumstances: Circumstances = {}) {
  const {
    clock = (ms) => scanner.advance(ms),
    cleanup = [],
    changes = [],
    timeoutMs,
    ...options
  } = circumstances;
  const target: CheckTarget = { ...targetOf(scanner, clock), timeoutMs };
  const one: ConformanceCase = { ...test, stage: 'reboot', steps, cleanup, changes };
  return runCases([one], target, { ...subject, known: builtInInterface }, options);
}
