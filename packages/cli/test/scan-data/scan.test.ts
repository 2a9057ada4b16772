import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { isObject } from '@azimuth/model';
import { encodeMsgpackScan } from '@azimuth/telegrams';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { freeUdpPort } from '@azimuth/test-support/free-port';
import { listening } from '@azimuth/test-support/listening';
import { telegramOf } from '@azimuth/test-support/scan-telegrams';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { PNG } from 'pngjs';
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
/** A datagram that is no scan data. */
const noFrame = Buffer.alloc(9);

describe('scan --listen', () => {
  test('without a terminal prints a picture and ends', async () => {
    await sendTo(port);
    const { stdout, stderr, exitCode } = await azimuth('scan', '--listen', `${port}`, '--range', '2');
    expect([stderr, exitCode]).toEqual(['', 0]);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(36);
    expect(lines.at(-2)).toBe(`UDP port ${port}`);
    expect(lines.at(-1)).toMatch(
      /^frame \d+ {2}9 beams {2}9 echoes {2}lost 0 {2}nearest 1\.000 m at -138\.0° {2}range 2 m$/,
    );
  });

  test('prints a line of JSON for each frame', async () => {
    await sendTo(port);
    const { stdout, exitCode } = await azimuth('scan', '--listen', `${port}`, '--json', '--count', '3');
    expect(exitCode).toBe(0);
    const frames = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(frames).toHaveLength(3);
    expect(frames[2]).toEqual({
      frame: frames[1].frame + 1,
      sender: 24_000_001,
      time: expect.any(Number),
      endTime: expect.any(Number),
      complete: true,
      segments: [0, 1, 2],
      beams: 9,
      echoes: 1,
      // Beams carry whole steps of 1/5215 rad.
      azimuth: [-138, -137, -136, -108, -107, -106, -78, -77, -76].map((angle) => expect.closeTo(angle, 1)),
      distance: [1000, 1001, 1002, 1000, 1001, 1002, 1000, 1001, 1002],
      rssi: [500, 500, 500, 501, 501, 501, 502, 502, 502],
      properties: [0, 0, 0, 0, 0, 0, 0, 0, 0],
      losses: { telegrams: 0, frames: 0, restarts: 0, outOfOrder: 0, damaged: 0, overrun: 0 },
    });
  });

  test('writes a frame as files', async () => {
    await sendTo(port);
    const files = ['--png', at('a.png'), '--svg', at('a.svg'), '--csv', at('a.csv')];
    expect(await azimuth('scan', '--listen', `${port}`, ...files)).toEqual({
      stdout: '',
      stderr: '',
      exitCode: 0,
    });
    const png = PNG.sync.read(readFileSync(at('a.png')));
    expect([png.width, png.height]).toEqual([1200, 1120]);
    expect(readFileSync(at('a.svg'), 'utf8')).toContain(`UDP port ${port} (24000001)`);
    const rows = readFileSync(at('a.csv'), 'utf8').trimEnd().split('\n');
    expect(rows).toHaveLength(10);
    expect(rows[1]).toMatch(/^\d+,0,0,-13\d\.\d{4},1000\.0,500,-74\d\.\d,-66\d\.\d,0$/);
    expect(readdirSync(folder).sort()).toEqual(['a.csv', 'a.png', 'a.svg']);
  });

  test('refuses to replace existing files without --force, before anything is received', async () => {
    writeFileSync(at('a.csv'), 'the old one');
    const flags = ['scan', '--listen', `${port}`, '--csv', at('a.csv')];
    const { stderr, exitCode } = await azimuth(...flags);
    expect([stderr, exitCode]).toEqual([
      `azimuth: ${at('a.csv')} already exists; use --force to replace it\n`,
      2,
    ]);
    await sendTo(port);
    expect((await azimuth(...flags, '--force', '--json')).stdout).toContain('"bytes":');
    expect(readFileSync(at('a.csv'), 'utf8')).toContain('azimuth_deg');
    const twice = await azimuth('scan', '--csv', at('x'), '--svg', at('x'));
    expect([twice.stderr, twice.exitCode]).toEqual([`azimuth: ${at('x')} is given twice\n`, 2]);
  });

  test('accepts only one port', async () => {
    const { stderr, exitCode } = await azimuth('scan', '--listen', '1', '--listen', '2');
    expect([stderr, exitCode]).toEqual(['azimuth: scan shows one scanner: give --listen once\n', 2]);
  });

  test('reads MSGPACK as well', async () => {
    await sendTo(port, (number) =>
      encodeMsgpackScan(telegramOf({ sequence: number, frame: number, segment: 0 })),
    );
    const { stdout } = await azimuth('scan', '--listen', `${port}`, '--json', '--count', '1');
    expect(JSON.parse(stdout)).toMatchObject({ beams: 3, distance: [1000, 1001, 1002] });
  });

  test('reports what was received if there was no frame', async () => {
    const flags = ['scan', '--listen', `${port}`, '--wait', '0.2'];
    const nothing = await azimuth(...flags);
    expect([nothing.stderr, nothing.exitCode]).toEqual([
      `azimuth: received no complete frame at UDP port ${port} within 0.2 s; check that the scanner measures, that it sends here, and that no firewall blocks it\n`,
      3,
    ]);
    await sendTo(port, () => Buffer.from('sRA LMDscandata 1'));
    const foreign = await azimuth(...flags, '--png', at('a.png'));
    expect(foreign.stderr).toMatch(/; \d+ datagrams were damaged, or no telegrams in Compact or MSGPACK/);
    expect([foreign.exitCode, readdirSync(folder)]).toEqual([3, []]);
  });

  test('ends cleanly on Ctrl-C', async () => {
    // Interrupted as soon as something has been printed.
    const running = azimuth('scan', '--listen', `${port}`, '--json');
    await sendTo(port, (number) => {
      if (number === 40) process.emit('SIGINT');
      return frameDatagram(number);
    });
    const { stdout, stderr, exitCode } = await running;
    expect([stderr, exitCode]).toEqual(['', 0]);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).beams)).not.toContain(0);
    expect(process.listenerCount('SIGINT')).toBe(0);
  });

  test('interrupted before a frame leaves no file, and reports this', async () => {
    const running = azimuth('scan', '--listen', `${port}`, '--png', at('a.png'));
    // It listens for signals first, and then at the port.
    let heard = 0;
    await sendTo(port, () => {
      if (process.listenerCount('SIGINT') > 0 && ++heard === 25) process.emit('SIGINT');
      return noFrame;
    });
    const { stderr, exitCode } = await running;
    expect([stderr, exitCode]).toEqual(['azimuth: interrupted before a complete frame was received\n', 1]);
    expect(existsSync(at('a.png'))).toBe(false);
  });
});

describe('scan of a scanner', () => {
  let device: FakeDevice;
  beforeEach(async () => {
    device = await FakeDevice.start();
    vi.stubEnv('AZIMUTH_DEVICE', device.url);
    device.values.set('ScanDataEnable', true);
    device.values.set('ScanDataFormat', 2);
    device.values.set('LocationName', 'Gate 3');
    sendsTo([127, 0, 0, 1], port);
  });
  afterEach(() => device.stop());

  const sendsTo = (address: readonly number[], at: number, protocol = 1) =>
    device.values.set('ScanDataEthSettings', { Protocol: protocol, IPAddress: address, Port: at });
  const destination = () => {
    const settings = device.values.get('ScanDataEthSettings');
    return isObject(settings) ? settings : {};
  };

  test('listens at the port to which the scanner sends, without a login', async () => {
    await sendTo(port);
    const { stdout, exitCode } = await azimuth('scan');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('\nGate 3\n');
    expect(device.exchanges.every(({ method }) => method === 'GET')).toBe(true);
  });

  test('connects if the scanner uses TCP', async () => {
    const server = createServer((client) => {
      for (let number = 1; number < 10; number++) client.write(frameDatagram(number));
      client.end();
    });
    sendsTo([0, 0, 0, 0], await listening(server), 2);
    const { stdout, exitCode } = await azimuth('scan', '--json');
    expect(exitCode).toBe(0);
    const frames = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).frame);
    expect(frames).toEqual([1, 2, 3]);
  });

  test.each([
    [
      'is off',
      () => device.values.set('ScanDataEnable', false),
      'the scanner sends no scan data. --aim switches it on while this command runs; "azimuth set ScanDataEnable on" switches it on for good',
    ],
    [
      'goes elsewhere',
      () => sendsTo([192, 0, 2, 7], 2115),
      'the scanner sends its scan data to 192.0.2.7, port 2115; this computer is 127.0.0.1. --aim redirects it here while this command runs',
    ],
    [
      'has another format',
      () => device.values.set('ScanDataFormat', 3),
      'the scanner sends its scan data as LMDscandata; only Compact and MSGPACK can be read. --aim switches to Compact while this command runs',
    ],
  ])('says what to do if the stream %s', async (_, prepare, message) => {
    prepare();
    const { stderr, exitCode } = await azimuth('scan');
    expect([stderr, exitCode]).toEqual([`azimuth: ${message}\n`, 1]);
  });

  test('--aim redirects the data to this computer, and restores the settings', async () => {
    device.values.set('ScanDataEnable', false);
    device.values.set('ScanDataFormat', 3);
    sendsTo([192, 0, 2, 7], port);
    // Sends as the scanner's settings say, when they have changed.
    let on = false;
    await sendTo(() => {
      on = device.values.get('ScanDataEnable') === true;
      return on ? Number(destination().Port) : undefined;
    });
    const { stderr, exitCode } = await azimuth('scan', '--aim');
    expect([stderr, exitCode]).toEqual(['', 0]);
    const written = device.exchanges
      .filter(({ method, endpoint }) => method === 'POST' && endpoint !== 'getChallenge')
      .map(({ body }) => body.data);
    expect(written).toEqual([
      { ScanDataEthSettings: { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: port } },
      { ScanDataFormat: 2 },
      { ScanDataEnable: true },
      { ScanDataEnable: false },
      { ScanDataFormat: 3 },
      { ScanDataEthSettings: { Protocol: 1, IPAddress: [192, 0, 2, 7], Port: port } },
    ]);
  });

  test('--aim restores the settings after a failure and after Ctrl-C as well', async () => {
    device.values.set('ScanDataEnable', false);
    expect((await azimuth('scan', '--aim', '--wait', '0.1')).exitCode).toBe(3);
    expect(device.values.get('ScanDataEnable')).toBe(false);
    const running = azimuth('scan', '--aim', '--json');
    await sendTo(port, () => {
      if (device.values.get('ScanDataEnable') === true) process.emit('SIGINT');
      return noFrame;
    });
    expect((await running).exitCode).toBe(0);
    expect(device.values.get('ScanDataEnable')).toBe(false);
  });

  test('--aim does not restore settings that another client has changed meanwhile', async () => {
    device.values.set('ScanDataEnable', false);
    await sendTo(port, (number) => {
      if (device.values.get('ScanDataEnable') !== true) return noFrame;
      sendsTo([192, 0, 2, 9], 9999);
      return frameDatagram(number);
    });
    sendsTo([192, 0, 2, 7], port);
    expect((await azimuth('scan', '--aim')).exitCode).toBe(0);
    expect(destination().IPAddress).toEqual([192, 0, 2, 9]);
  });

  test('--aim does not restore switch and format either if the data has been redirected meanwhile', async () => {
    device.values.set('ScanDataEnable', false);
    device.values.set('ScanDataFormat', 3);
    await sendTo(port, (number) => {
      if (device.values.get('ScanDataEnable') !== true) return noFrame;
      // Another client has changed the destination: it found the switch on.
      sendsTo([127, 0, 0, 1], 9999);
      return frameDatagram(number);
    });
    expect((await azimuth('scan', '--aim')).exitCode).toBe(0);
    const left = ['ScanDataEnable', 'ScanDataFormat'].map((name) => device.values.get(name));
    expect([...left, destination().Port]).toEqual([true, 2, 9999]);
  });

  test('--aim needs a login, and reports what it could not restore', async () => {
    vi.stubEnv('AZIMUTH_PASSWORD', 'wrong');
    device.values.set('ScanDataEnable', false);
    expect((await azimuth('scan', '--aim')).exitCode).toBe(4);
    expect(device.values.get('ScanDataEnable')).toBe(false);
    vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
    await sendTo(port, (number) => {
      if (device.values.get('ScanDataEnable') === true) device.setPassword('Service', 'another', [1]);
      return frameDatagram(number);
    });
    const { stderr, exitCode } = await azimuth('scan', '--aim');
    expect(stderr).toMatch(/could not all be restored \(.*\); they were: ScanDataEnable false\n$/);
    expect(exitCode).toBe(1);
  });
});
