import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { startScanner, type TestScanner } from '@azimuth/testing';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { azimuth } from './run.js';

beforeEach(() => {
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
  vi.stubEnv('AZIMUTH_USER', '');
});

async function started(): Promise<TestScanner> {
  const scanner = await startScanner({ parameters: { LocationName: 'hall' } });
  onTestFinished(() => scanner.close());
  return scanner;
}

/** A device that answers one variable, and status 5 to everything else. */
async function fake(name: string): Promise<FakeDevice> {
  const device = await FakeDevice.start();
  onTestFinished(() => device.stop());
  device.values.set('DeviceIdent', { Name: name, Version: '2.4.4.0R' });
  device.values.set('LocationName', 'hall');
  return device;
}

function file(content: unknown): string {
  const path = join(temporaryFolder(), 'file.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('azimuth check', () => {
  test('ends with exit code 0 for a scanner that keeps the interface, and puts back what it wrote', async () => {
    const { url, client } = await started();
    const { stdout, exitCode } = await azimuth('check', url, '--write', '--only', 'status');
    expect(stdout).toContain('picoScan 2.4.4.0R (123456789)');
    expect(stdout).toMatch(/^\d+ passed, 0 failed/m);
    expect(exitCode).toBe(0);
    expect(await client.read('LocationName')).toBe('hall');
  });

  test('says what was expected, what came, and how to see it, and ends with exit code 5', async () => {
    const { url } = await fake('clone');
    const { stdout, exitCode } = await azimuth('check', url, '--only', 'status.ok');
    expect(exitCode).toBe(5);
    expect(stdout).toContain('FAIL  status.ok\n');
    expect(stdout).toContain(`by hand   curl -si '${url}/api/SerialNumber'`);
  });

  test('lets nothing that a scanner sends reach the terminal unescaped', async () => {
    const { url } = await fake('\u001b[2J\u202e');
    const text = await azimuth('check', url, '--only', 'status.ok');
    const json = await azimuth('check', url, '--only', 'status.ok', '--json');
    for (const { stdout } of [text, json]) {
      expect(stdout).not.toContain('\u001b');
      expect(stdout).not.toContain('\u202e');
    }
  });

  test('checks several scanners, each with its name', async () => {
    const [one, other] = [await started(), await started()];
    const { stdout } = await azimuth(
      'check',
      one.url,
      '--device',
      other.url,
      '--json',
      '--only',
      'status.ok',
    );
    expect(JSON.parse(stdout)).toMatchObject({
      tool: { name: 'azimuth' },
      reports: [one, other].map(({ url }) => ({ scanner: { name: 'picoScan', url }, counts: { pass: 1 } })),
    });
  });

  test('does not begin with a wrong password, which would lock the scanner', async () => {
    const { url, client } = await started();
    vi.stubEnv('AZIMUTH_PASSWORD', 'wrong');
    const { stderr, exitCode } = await azimuth('check', url, '--write');
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining('the password of Service is wrong')]);
    await client.call('checkCredentials');
  });

  test('asks before it destroys', async () => {
    const { url } = await started();
    const { stderr, exitCode } = await azimuth('check', url, '--destructive');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('resets all parameters, fields and passwords');
  });

  test('lists the cases with all of their data', async () => {
    const { stdout } = await azimuth('check', '--list', '--only', 'status.ok', '--json');
    expect(JSON.parse(stdout)).toMatchObject([
      { id: 'status.ok', stage: 'read', steps: [{ kind: 'request' }] },
    ]);
    expect((await azimuth('check', '--list')).stdout).toMatch(/^status\.ok +read +must +A successful read/m);
  });

  test('knows the ids', async () => {
    const { stderr, exitCode } = await azimuth('check', '--only', 'statu');
    expect([stderr, exitCode]).toEqual([
      'azimuth: --only: no case is named statu; did you mean status?\n',
      2,
    ]);
  });

  test('reads passwords of several levels from a file, and repeats none of them', async () => {
    const passwords = file('# of the hall\nService=servicelevel\nMaintenanc=secret\n');
    const { stderr } = await azimuth('check', '--passwords', passwords);
    expect(stderr).toContain('line 3: expected LEVEL=PASSWORD');
    expect(stderr).toContain('did you mean Maintenance=…?');
    expect(stderr).not.toContain('secret');
  });
});

describe('a profile', () => {
  test('is written by a command, and read again', async () => {
    const { url } = await started();
    const path = join(temporaryFolder(), 'profile.json');
    await azimuth('check', 'profile', url, '-o', path);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      ...{ azimuthProfile: 1, name: 'picoScan', release: '2.4.4', variant: 'full', absent: [] },
      deviations: [],
    });
    const { exitCode } = await azimuth('check', url, '--profile', path, '--only', 'status');
    expect(exitCode).toBe(0);
  });

  test('declares what is expected to fail, and a pass is told then', async () => {
    const { url } = await fake('clone');
    const deviations = [
      { case: 'status.ok', reason: 'it has no serial number' },
      { case: 'status.get-on-method', reason: 'it answers anything' },
    ];
    const profile = file({ azimuthProfile: 1, release: '2.4.4', variant: 'basic', deviations });
    const only = deviations.flatMap(({ case: id }) => ['--only', id]);
    const { stdout, exitCode } = await azimuth('check', url, '--profile', profile, ...only);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('DEVIATION  status.ok');
    expect(stdout).toContain('UNEXPECTED PASS  status.get-on-method');
    expect(stdout).toContain('reason    it answers anything');
  });

  test('with mistakes is refused, each with its place and the nearest name', async () => {
    const profile = file({
      ...{ azimuthProfile: 1, release: '2.4', variant: 'full', absnt: [] },
      deviations: [{ case: 'status.okay', reason: 'typed' }],
    });
    const { stderr } = await azimuth('check', '--profile', profile);
    expect(stderr).toContain('absnt: is not known; did you mean absent?');
    expect(stderr).toContain('release: expected one of');
    expect(stderr).toContain('deviations[0].case: no case is named status.okay; did you mean status.ok?');
  });
});
