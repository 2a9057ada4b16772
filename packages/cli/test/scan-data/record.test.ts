import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileSource, type McapMessage, readMcap, telegramChannel } from '@azimuth/bridge/mcap';
import { decodeTelegram, encodeImu, readRecording, recordingFacts } from '@azimuth/telegrams';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { freeUdpPort } from '@azimuth/test-support/free-port';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { azimuth } from '../run.js';
import { frameDatagram, sendTo } from './sender.js';

let folder: string;
let port: number;
beforeEach(async () => {
  folder = temporaryFolder();
  port = await freeUdpPort();
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
  vi.stubEnv('AZIMUTH_USER', '');
});

const at = (name: string) => join(folder, name);

const imu = encodeImu({
  acceleration: [0, 0, 9.5],
  angularVelocity: [0, 0, 0],
  orientation: [1, 0, 0, 0],
  time: 5,
});

function telegramsIn(path: string): readonly Uint8Array[] {
  if (!path.endsWith('.mcap')) return [...readRecording(readFileSync(path))].map(({ telegram }) => telegram);
  return messagesIn(path).flatMap(({ topic, data }) => (topic === telegramChannel.topic ? data : []));
}

function messagesIn(path: string): readonly McapMessage[] {
  const source = FileSource.open(path);
  const messages = [...readMcap(source)].flatMap((item) => (item.kind === 'message' ? item : []));
  source.close();
  return messages;
}

/** The records of a recording: sequence numbers of scan data, the kind of others. */
function contents(name: string) {
  return telegramsIn(at(name)).map((telegram) => {
    const decoded = decodeTelegram(telegram);
    return decoded.kind === 'scan' ? decoded.telegram.sequence : decoded.kind;
  });
}

/** Checks that numbers rise by one. */
function rising(numbers: readonly unknown[]): unknown[] {
  return numbers.map((_, i) => Number(numbers[0]) + i);
}

describe('record', () => {
  test('makes the folder, and puts the day into the name', async () => {
    await sendTo(port);
    const flags = ['--listen', `${port}`, '--frames', '1'];
    expect((await azimuth('record', at('{date}/hall.azrec'), ...flags)).exitCode).toBe(0);
    const [day = ''] = readdirSync(folder);
    expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(contents(join(day, 'hall.azrec')).length).toBeGreaterThanOrEqual(3);
  });

  test('cannot name a scanner that is not asked', async () => {
    const { stderr, exitCode } = await azimuth('record', at('{scanner}.azrec'), '--listen', `${port}`);
    expect(stderr).toContain('no scanner is asked, so {scanner} stands for nothing');
    expect([exitCode, readdirSync(folder)]).toEqual([2, []]);
  });

  test.each(['hall.azrec', 'hall.pcap', 'hall.PCAP', 'hall.pcapng', 'hall.mcap'])(
    'writes whole frames into %s',
    async (name) => {
      await sendTo(port);
      const flags = ['record', at(name), '--listen', `${port}`, '--frames', '4', '--json'];
      const { stdout, stderr, exitCode } = await azimuth(...flags);
      expect([stderr, exitCode]).toEqual(['', 0]);
      const numbers = contents(name);
      expect(numbers).toEqual(rising(numbers));
      // The last telegram is the last one of a frame of three.
      expect(Number(numbers.at(-1)) % 3).toBe(0);
      expect(numbers.length).toBeGreaterThanOrEqual(12);
      expect(numbers.length).toBeLessThan(15);
      expect(JSON.parse(stdout)).toEqual({
        file: at(name),
        bytes: statSync(at(name)).size,
        telegrams: numbers.length,
        seconds: expect.any(Number),
        losses: { telegrams: 0, frames: 0, restarts: 0, outOfOrder: 0, damaged: 0, overrun: 0 },
      });
      expect(statSync(at(name)).mode & 0o777).toBe(0o600);
    },
  );

  test('writes the addresses that the datagrams had into a capture', async () => {
    await sendTo(port);
    await azimuth('record', at('a.pcap'), '--listen', `${port}`, '--frames', '1');
    // The first packet, behind the header of the file and its own: IPv4, then UDP.
    const packet = readFileSync(at('a.pcap')).subarray(24 + 16);
    expect([...packet.subarray(12, 20)]).toEqual([127, 0, 0, 1, 127, 0, 0, 1]);
    expect(packet.readUInt16BE(22)).toBe(port);
  });

  test('omits the telegram that shows that the last frame is complete', async () => {
    await sendTo(port);
    await azimuth('record', at('a'), '--listen', `${port}`, '--frames', '1');
    const numbers = contents('a');
    expect(numbers.length).toBeLessThan(6);
    expect(Number(numbers.at(-1)) % 3).toBe(0);
  });

  test('writes origin and time of its telegrams into the file', async () => {
    await sendTo(port);
    await azimuth('record', at('a'), '--listen', `${port}`, '--frames', '1');
    const bytes = readFileSync(at('a'));
    const facts = recordingFacts(bytes);
    expect(facts?.source).toContain(`UDP port ${port}`);
    const [first] = readRecording(bytes);
    expect(Math.abs((first?.time ?? 0) / 1000 - Date.parse(facts?.made ?? ''))).toBeLessThan(60_000);
  });

  test('accepts several ports and a duration', async () => {
    const other = await freeUdpPort();
    await sendTo(port);
    await sendTo(other, () => imu);
    await azimuth('record', at('a'), '--listen', `${port}`, '--listen', `${other}`, '--seconds', '0.3');
    const kinds = new Set(contents('a').map((item) => typeof item));
    expect(kinds).toEqual(new Set(['number', 'string']));
  });

  test('writes to standard output for a dash', async () => {
    await sendTo(port, () => imu);
    const { stdout } = await azimuth('record', '-', '--listen', `${port}`, '--seconds', '0.2', '--json');
    expect(stdout.startsWith('AZREC 1\n{')).toBe(true);
    expect(stdout).not.toContain('"telegrams"');
  });

  test('ends on Ctrl-C with a complete file', async () => {
    const running = azimuth('record', at('a'), '--listen', `${port}`, '--progress');
    await sendTo(port, (number) => {
      if (number === 50) process.emit('SIGINT');
      return frameDatagram(number);
    });
    const { stderr, exitCode } = await running;
    expect(exitCode).toBe(0);
    const numbers = contents('a');
    expect(numbers).toEqual(rising(numbers));
    expect(stderr).toMatch(new RegExp(`^${numbers.length} telegrams {2}0\\.0 MB {2}lost 0\\n$`));
  });

  test('keeps an existing file without --force, and with --force until the first telegram comes', async () => {
    writeFileSync(at('a'), 'the old one');
    mkdirSync(at('folder'));
    const flags = ['record', at('a'), '--listen', `${port}`, '--seconds', '0.1'];
    expect((await azimuth(...flags)).stderr).toBe(
      `azimuth: ${at('a')} already exists; use --force to replace it\n`,
    );
    expect((await azimuth('record', at('folder'), '--listen', `${port}`)).stderr).toContain('is a folder');
    const { stderr, exitCode } = await azimuth(...flags, '--force');
    expect([stderr, exitCode]).toEqual([`azimuth: received nothing at UDP port ${port}\n`, 3]);
    expect(readFileSync(at('a'), 'utf8')).toBe('the old one');
    await sendTo(port);
    expect((await azimuth(...flags, '--force')).exitCode).toBe(0);
    expect(contents('a').length).toBeGreaterThan(0);
  });

  test('reports if the file cannot be written', async () => {
    await sendTo(port);
    // The name is too long for any disk.
    const { stderr, exitCode } = await azimuth('record', at('a'.repeat(300)), '--listen', `${port}`);
    expect(stderr).toMatch(/aaa cannot be written: ENAMETOOLONG/);
    expect(exitCode).toBe(1);
  });

  test('refuses --listen together with --aim', async () => {
    expect((await azimuth('record', at('a'), '--listen', '1', '--aim')).exitCode).toBe(2);
  });
});

describe('record of a scanner', () => {
  let device: FakeDevice;
  beforeEach(async () => {
    device = await FakeDevice.start();
    vi.stubEnv('AZIMUTH_DEVICE', device.url);
    device.values.set('ScanDataEnable', true);
    device.values.set('ScanDataFormat', 2);
    device.values.set('ScanDataEthSettings', { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: port });
  });
  afterEach(() => device.stop());

  test('records all streams that are sent here, and reports the others', async () => {
    const other = await freeUdpPort();
    device.values.set('ImuDataEnable', true);
    device.values.set('ImuDataEthSettings', { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: other });
    device.values.set('EncoderDataEnable', false);
    device.values.set('EncoderDataEthSettings', { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: 7504 });
    await sendTo(port);
    await sendTo(other, () => imu);
    const { stderr, exitCode } = await azimuth('record', at('a'), '--seconds', '0.3');
    expect(exitCode).toBe(0);
    expect(stderr).toBe(
      'azimuth: the scanner sends no encoder data. --aim switches it on while this command runs; "azimuth set EncoderDataEnable on" switches it on for good\n',
    );
    expect(new Set(contents('a').map((item) => typeof item))).toEqual(new Set(['number', 'string']));
  });

  test('accepts two streams at one port', async () => {
    device.values.set('ImuDataEnable', true);
    device.values.set('ImuDataEthSettings', { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: port });
    await sendTo(port, (number) => (number % 2 === 0 ? imu : frameDatagram((number + 1) / 2)));
    expect(await azimuth('record', at('a'), '--frames', '2')).toMatchObject({ stderr: '', exitCode: 0 });
    expect(contents('a')).toContain('imu');
  });

  test('fails if no stream is sent here', async () => {
    device.values.set('ScanDataEnable', false);
    const { stderr, exitCode } = await azimuth('record', at('a'));
    expect(stderr).toContain('the scanner sends no scan data. --aim switches it on');
    expect(exitCode).toBe(1);
    expect(existsSync(at('a'))).toBe(false);
  });
});
