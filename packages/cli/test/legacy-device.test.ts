import { allVariables } from '@azimuth/model';
import { a, FakeLegacy, type FakeSession } from '@azimuth/test-support/fake-legacy';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { azimuth } from './run.js';

beforeEach(() => {
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
});

/** A text interface that answers from a table; other variables are unknown. */
async function answering(answers: Readonly<Record<string, string>>) {
  const fake = await FakeLegacy.start();
  const requests: string[] = [];
  const sessions: FakeSession[] = [];
  fake.sessions.next().then(async (session) => {
    sessions.push(session);
    session.closed.then(() => session.requests.push(Buffer.alloc(0)));
    for (let request = await session.text(); request !== ''; request = await session.text()) {
      requests.push(request);
      session.send(a(answers[request] ?? 'sFA 3'));
    }
  });
  return { device: `cola://127.0.0.1:${fake.port}`, asked: requests, fake, sessions };
}

describe('get', () => {
  test('prints the same as over REST, over one connection', async () => {
    const { device, asked, fake, sessions } = await answering({
      'sRN LocationName': 'sRA LocationName 6 Gate 3',
      'sRN EtherIPAddress': 'sRA EtherIPAddress C0 A8 0 7',
    });
    expect(await azimuth('get', 'LocationName', 'EtherIPAddress', '--device', device)).toEqual({
      stdout: 'LocationName    Gate 3\nEtherIPAddress  192.168.0.7\n',
      stderr: '',
      exitCode: 0,
    });
    expect(asked).toEqual(['sRN LocationName', 'sRN EtherIPAddress']);
    await sessions[0]?.closed;
    expect(fake.sessions.length).toBe(0);
  });

  test('--all omits variables that the scanner does not have', async () => {
    const { device, asked } = await answering({ 'sRN LocationName': 'sRA LocationName 6 Gate 3' });
    const { stdout } = await azimuth('get', '--all', '--json', '--device', device);
    expect(stdout).toBe('{"LocationName":"Gate 3"}\n');
    expect(asked).toHaveLength(allVariables.length);
  });

  test('reports a refusal in words', async () => {
    const { device } = await answering({});
    expect(await azimuth('get', 'LocationName', '--device', device)).toEqual({
      stdout: '',
      stderr: 'azimuth: LocationName: the scanner knows no such variable (sFA 3)\n',
      exitCode: 1,
    });
  });
});

describe('set and call', () => {
  test('log in only if a user level is given', async () => {
    vi.stubEnv('AZIMUTH_PASSWORD', 'client');
    const { device, asked } = await answering({
      'sMN SetAccessMode 3 F4724744': 'sAN SetAccessMode 1',
      'sWN LocationName 6 Gate 3': 'sWA LocationName',
    });
    const typed = ['set', 'LocationName', 'Gate', '3', '--user', 'AuthorizedClient', '--device', device];
    expect(await azimuth(...typed)).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    expect(asked).toEqual(['sMN SetAccessMode 3 F4724744', 'sWN LocationName 6 Gate 3']);
  });

  test('an open method needs no password', async () => {
    vi.stubEnv('AZIMUTH_PASSWORD', '');
    const { device } = await answering({ 'sMN GetWebserverEnabled': 'sAN GetWebserverEnabled 1' });
    expect((await azimuth('call', 'GetWebserverEnabled', '--device', device)).stdout).toBe(
      'IsEnabled  true\n',
    );
  });

  test.each([
    [{}, 'SetAccessMode: the scanner knows no such variable (sFA 3)', 1],
    [
      { 'sMN SetAccessMode 4 81BE23AA': 'sAN SetAccessMode 0' },
      'SetAccessMode: REFUSED (0) – Service is not let in: wrong password, user level disabled, or logins locked for 30 s',
      4,
    ],
    [
      { 'sMN SetAccessMode 4 81BE23AA': 'sAN SetAccessMode 1', 'sWN LocationName 1 x': 'sFA A' },
      'LocationName: read-only, or the user level does not allow to write it (sFA A)',
      4,
    ],
  ])('report why they are refused: %#', async (answers, line, exitCode) => {
    const { device } = await answering(answers);
    const outcome = await azimuth('set', 'LocationName', 'x', '--device', device);
    expect(outcome).toEqual({ stdout: '', stderr: `azimuth: ${line}\n`, exitCode });
  });

  test('an invalid value is refused without a connection', async () => {
    const { device, sessions } = await answering({});
    const { exitCode } = await azimuth('set', 'EtherIPAddress', '300.1.1.1', '--device', device);
    expect([exitCode, sessions]).toEqual([2, []]);
  });
});

test('a whole scanner is read, written and called over either interface', async () => {
  const scanner = await TestScanner.start();
  scanner.clock.advance(2000);
  const addresses = [`cola://127.0.0.1:${scanner.portA}`, `colab://127.0.0.1:${scanner.portB}`];
  const rest = `http://127.0.0.1:${scanner.httpPort}`;
  for (const device of addresses) {
    const port = device.startsWith('colab') ? 2117 : 2116;
    const set = await azimuth(
      'set',
      'ScanDataEthSettings',
      `Port=${port}`,
      'IPAddress=127.0.0.1',
      '--device',
      device,
    );
    expect(set).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    const typed = ['get', 'ScanDataEthSettings', 'DeviceIdent', '--device'];
    const read = await azimuth(...typed, device);
    expect(read.stdout).toContain(`Port       ${port}\n`);
    expect(read).toEqual(await azimuth(...typed, rest));
    const called = await azimuth('call', 'WriteEeprom', '--device', device);
    expect(called).toEqual({ stdout: 'Success  true\n', stderr: '', exitCode: 0 });
  }
  const all = await azimuth('get', '--all', '--json', '--device', addresses[1] ?? '');
  const same = await azimuth('get', '--all', '--json', '--device', rest);
  expect(Object.keys(JSON.parse(all.stdout))).toEqual(Object.keys(JSON.parse(same.stdout)));
});

test.each([[['backup', 'x.json']], [['scan']], [['watch', 'DeviceStatus']], [['users']]])(
  '%j needs http or https, and says so',
  async (words) => {
    const outcome = await azimuth(...words, '--device', 'cola://127.0.0.1');
    expect(outcome).toEqual({
      stdout: '',
      stderr:
        'azimuth: this command needs http:// or https://; only get, set and call work over the legacy protocol (cola://, colab://)\n',
      exitCode: 2,
    });
  },
);

test('an invalid address is refused', async () => {
  const outcome = await azimuth('get', 'LocationName', '--device', 'cola://127.0.0.1:70000');
  expect(outcome.stderr).toBe(
    'azimuth: expected cola://HOST[:PORT] or colab://HOST[:PORT], got "cola://127.0.0.1:70000"\n',
  );
  expect(outcome.exitCode).toBe(2);
});

test('an address without an answer is reported', async () => {
  const fake = await FakeLegacy.start();
  const { port } = fake;
  await fake.stop();
  const outcome = await azimuth('get', 'LocationName', '--device', `colab://127.0.0.1:${port}`);
  expect(outcome).toEqual({
    stdout: '',
    stderr: `azimuth: colab://127.0.0.1:${port} cannot be reached: ECONNREFUSED – is it running? azimuth discover lists the scanners that answer\n`,
    exitCode: 3,
  });
});
