import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pcapHeader, pcapPacketOf } from '@azimuth/telegrams';
import { freeUdpPort } from '@azimuth/test-support/free-port';
import { object, parse } from '@azimuth/test-support/json';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { until } from '@azimuth/test-support/waiting';
import { startScanner, type TestScanner } from '@azimuth/testing';
import { describe, expect, test } from 'vitest';
import { azimuth } from '../run.js';
import { frameDatagram } from '../scan-data/sender.js';

type Started = Awaited<ReturnType<typeof startScanner>>;

/** Sends all streams to a port. */
async function sendTo(scanner: Started, port: number): Promise<void> {
  const to = { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: port } as const;
  await scanner.client.write('ScanDataEthSettings', to);
  await scanner.client.write('ImuDataEthSettings', to);
  await scanner.client.write('ImuDataEnable', true);
  await scanner.client.write('ScanDataEnable', true);
}

/** The causes in a report. That the machine of the tests is busy does not count. */
function causesIn(stdout: string): readonly unknown[] {
  const { findings } = object(parse(stdout));
  const causes = Array.isArray(findings) ? findings.map((finding) => object(finding).cause) : [];
  return causes.filter((cause) => cause !== 'receiver-late');
}

/** The lines of findings, without those about the machine of the tests. */
function findingsOf(stdout: string): readonly string[] {
  return stdout.split('\n').filter((line) => /^finding +(?! |receiver-late)/.test(line));
}

test('a scanner is asked, its streams are judged, and nothing is wrong', async () => {
  await using scanner = await startScanner({ clock: 'real' });
  await sendTo(scanner, await freeUdpPort());
  const { stdout, exitCode } = await azimuth('timing', '--device', scanner.url, '--for', '3s');
  expect(stdout).toMatch(/^scan data of scanner 123456789 at 127\.0\.0\.1 \(Compact\): \d+ telegrams in/m);
  expect(stdout).toMatch(/^imu data at 127\.0\.0\.1/m);
  expect(stdout).toContain('scans at 15 Hz, 10 segments each');
  expect(stdout).toMatch(/last beam to arrival +[\d.]+ ms usually/);
  expect(findingsOf(stdout)).toEqual([]);
  expect(exitCode).toBe(stdout.includes('finding ') ? 5 : 0);
});

test('lost telegrams are a finding, with its own exit code, and as JSON', async () => {
  await using scanner = await startScanner({
    clock: 'real',
    faults: { seed: 1, faults: [{ kind: 'stream-loss', every: 20, stream: 'scan' }] },
  });
  const port = await freeUdpPort();
  await sendTo(scanner, port);
  const picture = join(temporaryFolder(), 'timing.png');
  const { stdout, exitCode } = await azimuth(
    'timing',
    '--listen',
    `${port}`,
    '--for',
    '2s',
    '--json',
    '--png',
    picture,
  );
  expect(causesIn(stdout)).toEqual(['lost-segments']);
  expect(exitCode).toBe(5);
  expect(readFileSync(picture).subarray(1, 4).toString()).toBe('PNG');
});

test('uptime stamps are a finding if the scanner says that it should follow a time server', async () => {
  await using scanner = await startScanner({ clock: 'real' });
  await sendTo(scanner, await freeUdpPort());
  await scanner.client.write('TSCRole', 1);
  await scanner.client.write('TSCTCSrvAddr', [127, 0, 0, 1]);
  const { stdout, exitCode } = await azimuth('timing', '--device', scanner.url, '--for', '1s');
  expect(stdout).toContain(
    'stamps count from the last boot (dates of 1970), although the scanner should follow',
  );
  expect(stdout).toContain('a time server 127.0.0.1');
  expect(exitCode).toBe(5);
});

test('from a port alone it cannot know that, and says so; --utc tells it', async () => {
  await using scanner = await startScanner({ clock: 'real' });
  const port = await freeUdpPort();
  await sendTo(scanner, port);
  const unknown = await azimuth('timing', '--listen', `${port}`, '--for', '1s');
  expect(unknown.stdout).toMatch(
    /^unknown +whether the scanner should be synchronised: --utc says that it should/m,
  );
  expect(findingsOf(unknown.stdout)).toEqual([]);
  const told = await azimuth('timing', '--listen', `${port}`, '--for', '1s', '--utc', '--json');
  expect([causesIn(told.stdout), told.exitCode]).toEqual([['uptime-stamps'], 5]);
});

test('another scanner at the port is named, and both are judged', async () => {
  await using scanner = await startScanner({ clock: 'real', serial: '42' });
  await using other = await startScanner({ clock: 'real', serial: '43' });
  const port = await freeUdpPort();
  await sendTo(scanner, port);
  await sendTo(other, port);
  const { stdout } = await azimuth('timing', '--device', scanner.url, '--for', '1s', '--json');
  expect(causesIn(stdout)).toEqual(['several-senders']);
  const { streams } = object(parse(stdout));
  const senders = Array.isArray(streams) ? streams.map((stream) => object(stream).sender) : [];
  expect(senders).toEqual(expect.arrayContaining([42, 43]));
});

/** Waits until a scanner has measured so many more scans. */
function moreScans({ device }: TestScanner, count: number): Promise<void> {
  const { measuring } = device.features;
  const end = measuring.scans + count;
  return until(() => measuring.scans >= end);
}

test('a scanner over TCP is judged, also if its connection ends early', async () => {
  await using scanner = await startScanner({ clock: 'real' });
  await scanner.client.write('ScanDataEthSettings', {
    Protocol: 2,
    IPAddress: [127, 0, 0, 1],
    Port: await freeUdpPort(),
  });
  await scanner.client.write('ScanDataEnable', true);
  const [{ stdout }] = await Promise.all([
    azimuth('timing', '--device', scanner.url, '--for', '10s'),
    moreScans(scanner, 25).then(() => scanner.client.write('ScanDataEnable', false)),
  ]);
  expect(stdout).toMatch(/^(1|2)(\.\d+ s|\d\d\d ms) watched: /m);
  expect(findingsOf(stdout)).toEqual([]);
});

test('Ctrl-C ends it with the report of what was seen', async () => {
  await using scanner = await startScanner({ clock: 'real' });
  const port = await freeUdpPort();
  await sendTo(scanner, port);
  const [{ stdout }] = await Promise.all([
    azimuth('timing', '--listen', `${port}`),
    moreScans(scanner, 25).then(() => process.emit('SIGINT')),
  ]);
  expect(stdout).toMatch(/^(1|2)(\.\d+ s|\d\d\d ms) watched: /m);
  expect(findingsOf(stdout)).toEqual([]);
});

describe('a recording', () => {
  test.each(['hall.azrec', 'hall.pcap'])('%s is judged as it was received', async (name) => {
    const port = await freeUdpPort();
    await using scanner = await startScanner({ clock: 'real' });
    await sendTo(scanner, port);
    const path = join(temporaryFolder(), name);
    expect((await azimuth('record', path, '--listen', `${port}`, '--seconds', '1.5')).exitCode).toBe(0);
    const well = await azimuth('timing', path, '--json');
    expect(causesIn(well.stdout)).toEqual([]);
    expect(object(parse(well.stdout)).unknown).toContain(
      'whether the computer that made the file was late: delays may be its own',
    );
    scanner.faults.add({ faults: [{ kind: 'stream-duplicate', stream: 'scan', every: 20 }] });
    expect(
      (await azimuth('record', path, '--listen', `${port}`, '--seconds', '1.5', '--force')).exitCode,
    ).toBe(0);
    const twice = await azimuth('timing', path, '--json');
    expect([causesIn(twice.stdout), twice.exitCode]).toEqual([['duplicated'], 5]);
  });

  test('that is none, or that is damaged, is told', async () => {
    const path = join(temporaryFolder(), 'notes.txt');
    writeFileSync(path, 'nothing recorded');
    const text = await azimuth('timing', path);
    expect(text.stderr).toContain('expected a recording (AZREC, pcap or pcapng)');
    expect(text.exitCode).toBe(2);
    const missing = await azimuth('timing', join(temporaryFolder(), 'none.pcap'));
    expect([missing.stderr, missing.exitCode]).toEqual([expect.stringContaining('there is no such file'), 2]);
  });

  test('that is a capture tells scanners apart by their addresses', async () => {
    const path = join(temporaryFolder(), 'two.pcap');
    const packets = [1, 2].flatMap((host) =>
      Array.from({ length: 20 }, (_, index) => {
        const time = 1_800_000_000_000_000 + 10_000 * index;
        const sourceAddress = `10.0.0.${host}`;
        return pcapPacketOf(time, frameDatagram(index + 1), {
          sourceAddress,
          sourcePort: 9,
          destinationPort: 2115,
        });
      }),
    );
    writeFileSync(path, Buffer.concat([pcapHeader(), ...packets]));
    const { stdout } = await azimuth('timing', path, '--json');
    expect(stdout).toContain('"host":"10.0.0.1"');
    expect(stdout).toContain('"host":"10.0.0.2"');
    expect(causesIn(stdout)).toContain('several-senders');
  });

  test('is judged alone', async () => {
    const { stderr, exitCode } = await azimuth('timing', 'hall.pcap', '--listen', '2115');
    expect(stderr).toContain('a file is judged alone: leave out --device, --listen and --aim');
    expect(exitCode).toBe(2);
  });
});

test('nothing at a port is a failure that says what to do', async () => {
  const { stderr, exitCode } = await azimuth(
    'timing',
    '--listen',
    `${await freeUdpPort()}`,
    '--for',
    '200ms',
  );
  expect(stderr).toMatch(/no telegram came from UDP port \d+; azimuth doctor says why nothing comes/);
  expect(exitCode).toBe(3);
});

test('a time that is none is refused', async () => {
  const { stderr, exitCode } = await azimuth('timing', '--for', 'long');
  expect(stderr).toContain('Expected a time from 100ms to 7d, for example 60s.');
  expect(exitCode).toBe(2);
});
