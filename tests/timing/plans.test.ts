import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { causes, TimingAnalysis } from '@azimuth/client/timing';
import { RevolutionTimer, Scan } from '@azimuth/device';
import { performanceProfiles, releases } from '@azimuth/model';
import { checkedPlan } from '@azimuth/model/faults';
import { watchSentTelegrams } from '@azimuth/test-support/streams/sent-telegrams';
import { VirtualScanner } from '@azimuth/test-support/streams/virtual-scanner';
import { responseTo, stamp, TimeServer } from '@azimuth/test-support/time-server';
import { startScanner } from '@azimuth/testing';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { causesIn, Watched } from './watched.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'examples', 'timing');
const planIn = (name: string) => checkedPlan(parse(readFileSync(join(folder, `${name}.yaml`), 'utf8')));

/** A scanner on virtual time that follows a time server, whose time gains on it. */
class Following {
  isSilent = false;
  analysis = new TimingAnalysis();

  private constructor(readonly scanner: VirtualScanner) {}

  /** @param gains ppm */
  static async start(gains = 0): Promise<Following> {
    const server = await TimeServer.open((request, { port }, socket) => {
      if (following.isSilent) return;
      const { clock } = following.scanner;
      const now = stamp(clock.utc() + clock.monotonic() * gains * 1e-6);
      socket.send(responseTo(request, { received: now, sent: now }), port);
    });
    const following: Following = new Following(await VirtualScanner.start({ timeServerPort: server.port }));
    const { scanner } = following;
    watchSentTelegrams((telegram) =>
      following.analysis.push(telegram, scanner.clock.utc(), '127.0.0.1:5000'),
    );
    await scanner.write('TSCTCSrvAddr', [127, 0, 0, 1]);
    await scanner.write('TSCTCupdatetime', 20);
    await scanner.send('scan', 'UDP', 2115);
    await scanner.send('imu', 'UDP', 2115);
    return following;
  }
}

describe('a plan of examples/timing', () => {
  const plans = [
    'network-delay',
    'lost-segments',
    'lost-scans',
    'reordered',
    'duplicated',
    'damaged',
    'silence',
    'clock-drift',
    'stamp-jitter',
  ] as const;

  test.each(plans)('%s has this cause, and no other one', async (name) => {
    await using watched = await Watched.start({ faults: planIn(name) });
    expect(causesIn(await watched.over(20_000))).toEqual([name]);
  });

  test('reboot has this cause, and no other one', async () => {
    await using watched = await Watched.start({ faults: planIn('reboot') });
    await watched.scanner.client.call('WriteEeprom');
    const report = await watched.over(25_000);
    expect(causesIn(report)).toEqual(['reboot']);
    expect(report.findings[0]?.text).toMatch(/after 5(\.\d)? s without data/);
  });

  test('whole-scans.mjs has this cause, and no other one', async () => {
    const { default: create } = await import(join(folder, 'whole-scans.mjs'));
    await using watched = await Watched.start({ core: create({ RevolutionTimer, Scan }) });
    const report = await watched.over(10_000);
    expect(causesIn(report)).toEqual(['whole-scans']);
    expect(report.findings[0]?.text).toContain('the first beam is 66.7 ms old when it comes');
  });

  test('clock-steps has this cause on a scanner that is synchronised, and no other one', async () => {
    const following = await Following.start();
    await following.scanner.write('TSCRole', 1);
    await following.scanner.write('TSCTCupdatetime', 3600);
    await following.scanner.pass(2000);
    following.analysis = new TimingAnalysis();
    await following.scanner.control('/faults', planIn('clock-steps'));
    await following.scanner.pass(75_000);
    const report = following.analysis.report();
    expect(causesIn(report)).toEqual(['clock-steps']);
    expect(report.findings[0]?.text).toContain(
      'made 4 steps, up to 40 ms back: a time server sets it about every 20 s',
    );
  });

  test('is there for a cause, and each is described', () => {
    const page = readFileSync(join(root, 'docs', 'timing.md'), 'utf8');
    for (const file of readdirSync(folder)) expect(page, file).toContain(file);
    for (const cause of Object.keys(causes)) expect(page, cause).toContain(`| \`${cause}\` |`);
  });
});

describe('settings have their cause, and no other one', () => {
  test('a time server that sets the clock at each update time: clock-steps', async () => {
    const following = await Following.start(500);
    await following.scanner.write('TSCRole', 1);
    await following.scanner.pass(2000);
    following.analysis = new TimingAnalysis();
    await following.scanner.pass(90_000);
    const report = following.analysis.report({ asked: { follows: 'time server', updateTime: 20 } });
    expect(causesIn(report)).toEqual(['clock-steps']);
    expect(report.findings[0]?.text).toMatch(
      /4 steps, up to 10(\.\d)? ms forward: a time server sets it about every 20 s/,
    );
  });

  test('a time server that does not answer: uptime-stamps', async () => {
    const following = await Following.start();
    following.isSilent = true;
    await following.scanner.write('TSCRole', 1);
    await following.scanner.pass(10_000);
    const { analysis } = following;
    expect(causesIn(analysis.report())).toEqual([]);
    expect(causesIn(analysis.report({ asked: { follows: 'time server', synchronised: false } }))).toEqual([
      'uptime-stamps',
    ]);
  });

  test('a time server that is asked in the middle: clock-changed', async () => {
    const following = await Following.start();
    await following.scanner.pass(5000);
    await following.scanner.write('TSCRole', 1);
    await following.scanner.pass(10_000);
    const asked = { follows: 'time server', synchronised: true } as const;
    expect(causesIn(following.analysis.report({ asked }))).toEqual(['clock-changed']);
  });

  test('two scanners on one port: several-senders', async () => {
    await using watched = await Watched.start({ serial: '42' });
    await using other = await startScanner({ serial: '43' });
    watched.clocks.set(43, other.device.clock);
    const destination = { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: 2115 } as const;
    await other.client.write('ScanDataEthSettings', destination);
    await other.client.write('ScanDataEnable', true);
    for (let step = 0; step < 100; step++) {
      await watched.scanner.advance(50);
      await other.advance(50);
    }
    const { findings } = watched.analysis.report();
    expect(findings.map(({ cause }) => cause)).toEqual(['several-senders']);
    expect(findings[0]?.text).toContain('scanner 42 at 127.0.0.1, scanner 43 at 127.0.0.1');
  });
});

describe('nothing is wrong', () => {
  test.each(['Compact', 'MSGPACK'] as const)('with any profile, in %s', async (format) => {
    await using watched = await Watched.start();
    await watched.write('ScanDataFormat', format === 'Compact' ? 2 : 1);
    for (const profile of Object.keys(performanceProfiles)) {
      await watched.write('PerformanceProfileNumber', Number(profile));
      await watched.scanner.advance(200);
      const report = await watched.over(2500);
      expect(report.telegrams).toBeGreaterThan(300);
      expect(causesIn(report), profile).toEqual([]);
    }
  });

  test.each(releases)('with release %s', async (release) => {
    await using watched = await Watched.start({ release });
    const report = await watched.over(8000);
    expect(report.streams[0]).toMatchObject({ kind: 'scan', clock: 'uptime', segments: 10, late: 0 });
    expect(report.streams[0]?.scans).toBeGreaterThan(110);
    expect(causesIn(report)).toEqual([]);
  });

  test.each([
    ['LFPangleRangeFilter', { bEnable: true, fThetaStart: -300_000, fThetaStop: 450_000 }],
    [
      'LFPangleRangeFilter',
      { bEnable: true, fThetaStart: -100_000, fThetaStop: 100_000, uiBeamIncrement: 5 },
    ],
    ['LFPintervalFilter', { bEnable: true, uiReductionFactor: 4 }],
    ['LFPintervalFilter', { bEnable: true, uiReductionFactor: 50 }],
    ['LFPmovingAveragingFilter', { bEnable: true, uiAveragingDepth: 4 }],
  ])('with %s %o', async (name, members) => {
    await using watched = await Watched.start();
    await watched.change(name, members);
    await watched.scanner.advance(4000);
    expect(causesIn(await watched.over(30_000))).toEqual([]);
  });

  test('on a synchronised scanner, whose stamps are UTC', async () => {
    await using watched = await Watched.start({ synchronised: true });
    const report = await watched.over(20_000, { synchronised: true, expectsUtc: true });
    expect(report.streams[0]).toMatchObject({ kind: 'scan', clock: 'UTC' });
    expect(causesIn(report)).toEqual([]);
  });

  test('with one echo of each beam', async () => {
    await using watched = await Watched.start();
    await watched.write('FREchoFilter', 0);
    expect(causesIn(await watched.over(10_000))).toEqual([]);
  });
});
