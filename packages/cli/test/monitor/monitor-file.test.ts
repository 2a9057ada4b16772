import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@azimuth/test-support/files';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { azimuth } from '../run.js';

let folder: string;
let file: string;

beforeEach(() => {
  folder = realpathSync(temporaryFolder());
  file = join(folder, 'monitor.yaml');
  vi.stubEnv('XDG_CONFIG_HOME', folder);
  vi.stubEnv('AZIMUTH_DEVICES', '');
  mkdirSync(join(folder, 'azimuth'));
  writeFileSync(
    join(folder, 'azimuth', 'devices.yaml'),
    `devices:
  hall-a/gate1: {url: http://192.168.0.1}
  hall-a/gate2: {url: http://192.168.0.2}
  yard: {url: http://192.168.0.3}
groups:
  night: [yard]
`,
  );
});

async function checked(text: string, ...words: readonly string[]) {
  writeFileSync(file, text);
  return azimuth('monitor', file, '--check', ...words);
}

const everything = `devices: ['@hall-a', '@night']
interval: 5
http: {host: 0.0.0.0, port: 9000}
limits:
  temperature: 55
  unsaved: 2h
  for:
    hall-a: {temperature: 60, certificate-days: 14}
    hall-a/gate2: {temperature: 65}
log: {folder: log, keep: 400d}
site: sites/hall.yaml
outputs:
  syslog:
    - url: tls://logs.example.org:6514
      ca-file: ca.pem
      facility: local0
      only: {severity: warning, kinds: [condition], scanners: ['@hall-a']}
  webhook:
    - {url-file: secrets/webhook, secret-file: /etc/azimuth/secret}
  mqtt:
    - {url: 'mqtts://broker', prefix: site/azimuth, home-assistant: true, user: azimuth, password-file: broker}
  mail:
    - {url: 'smtp://mail.example.org:587', from: azimuth@example.org, to: [ops@example.org]}
`;

describe('azimuth monitor --check', () => {
  test('prints what the monitor would do', async () => {
    const { stdout, stderr, exitCode } = await checked(everything);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout.split('\n')).toEqual([
      'watches 3 scanners every 5 s: hall-a/gate1, hall-a/gate2, yard',
      'serves http://0.0.0.0:9000',
      `logs into ${folder}/log`,
      `compares with ${folder}/sites/hall.yaml`,
      'sends to syslog tls://logs.example.org:6514',
      `sends to webhook of ${folder}/secrets/webhook`,
      'sends to mqtt mqtts://broker',
      'sends to mail smtp://mail.example.org:587',
      '',
    ]);
  });

  test('gives each scanner its limits: of all, of its group, its own', async () => {
    const { scanners } = JSON.parse((await checked(everything, '--json')).stdout);
    expect(
      scanners.map(({ limits }: { limits: Record<string, unknown> }) => [
        limits.temperature,
        limits.certificateDays,
        limits.unsavedSeconds,
      ]),
    ).toEqual([
      [60, 14, 7200],
      [65, 14, 7200],
      [55, 30, 7200],
    ]);
  });

  test('options win over the file, the file over what is usual', async () => {
    const words = ['--interval', '7', '--port', '0', '--device', '@yard'];
    const printed = await checked('interval: 5\nhttp: {host: "::1", port: 9000}\n', ...words, '--json');
    const { scanners, interval, http } = JSON.parse(printed.stdout);
    expect([scanners.length, interval, http]).toEqual([1, 7, { host: '::1', port: 0, allowedHosts: [] }]);
  });

  test('an empty file is one with all that is usual', async () => {
    const { interval, http } = JSON.parse((await checked('', '--json')).stdout);
    expect([interval, http]).toEqual([10, { host: '127.0.0.1', port: 9464, allowedHosts: [] }]);
  });

  test('has the name of the monitor, and names by which its port may be requested', async () => {
    const text =
      'name: hall-a\nhttp: {host: "::", allowed-hosts: [Monitor.example.org., .lan.example.org]}\n';
    const ofFile = JSON.parse((await checked(text, '--json')).stdout);
    expect([ofFile.log.name, ofFile.http.allowedHosts]).toEqual([
      'hall-a',
      ['monitor.example.org', '.lan.example.org'],
    ]);
    const words = ['--name', 'desk', '--allowed-host', 'a.example.org', '--allowed-host', 'b.example.org'];
    const typed = JSON.parse((await checked(text, '--json', ...words)).stdout);
    expect([typed.log.name, typed.http.allowedHosts]).toEqual(['desk', ['a.example.org', 'b.example.org']]);
    expect((await checked(text)).stdout).toContain('serves http://[::]:9464\n');
  });
});

describe('a mistake in a monitor file', () => {
  const unusual: readonly (readonly [text: string, place: string, message: string])[] = [
    ['intervall: 5', '1:1', 'there is no member "intervall"; did you mean interval?'],
    ['interval: 0', '1:11', 'interval: expected a number from 1 to 3600'],
    ['name: " "', '1:7', 'name: expected a name'],
    [
      'http: {allowed-hosts: ["monitor:9464"]}',
      '1:24',
      'http.allowed-hosts[0]: expected a host name without a port, for example monitor.example.org',
    ],
    ['limits: {temperature: hot}', '1:23', 'limits.temperature: expected a number from -40 to 150'],
    ['limits: {unsaved: 5 weeks}', '1:19', 'expected a length of time from 1min to 30d, for example 30d'],
    ['store: {keep: 400d}', '1:8', 'store.url-file is missing'],
    ['archive: {at: "02:30"}', '1:10', 'archive.folder is missing'],
    ['archive: {folder: a, at: "24:00"}', '1:26', 'expected a time of day such as "02:30"'],
    ['archive: {folder: a, time-zone: Berlin}', '1:33', 'expected a time zone such as Europe/Berlin'],
    ['archive: {folder: a, author: Anna}', '1:30', 'expected a name and a mail address'],
    ['log: {}\nstore: {url-file: a}', '1:1', 'expected log or store, not both'],
    ['outputs: {sylog: []}', '1:11', 'outputs: there is no member "sylog"; did you mean syslog?'],
    [
      'outputs: {syslog: [{url: "http://logs"}]}',
      '1:26',
      'outputs.syslog[0].url: expected a URL such as tls://logs.example.org:6514, with udp:// or tcp:// or tls://',
    ],
    ['outputs: {webhook: [{}]}', '1:21', 'outputs.webhook[0]: expected url or url-file, one of them'],
    [
      'outputs: {mail: [{url: "smtp://m", from: a@b, to: ["a@b\\r\\nBcc: c@d"]}]}',
      '1:52',
      'outputs.mail[0].to[0]: expected an address such as operator@example.org',
    ],
    [
      'outputs: {mqtt: [{url: "mqtt://b", prefix: "a/#"}]}',
      '1:44',
      'expected letters, digits, "-" and "_", with "/" between words, for example site/azimuth',
    ],
  ];

  test.each(unusual)('%s', async (text, place, message) => {
    const { stderr, exitCode } = await checked(`${text}\n`);
    expect(stderr).toContain(`monitor.yaml:${place}: `);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  test('all mistakes are reported at once', async () => {
    const { stderr } = await checked('interval: 0\nhttp: {port: 70000}\n');
    expect(stderr.split('\n').filter((line) => line.includes('monitor.yaml'))).toHaveLength(2);
  });

  test('a name that means no watched scanner is one', async () => {
    const { stderr } = await checked(
      "devices: ['@hall-a']\nlimits: {for: {hall-b: {}}}\noutputs: {syslog: [{url: 'udp://l', only: {scanners: ['@yard']}}]}\n",
    );
    expect(stderr).toContain('2:16: no watched scanner is named by "hall-b"');
    expect(stderr).toContain('3:55: no watched scanner is named by "@yard"');
  });

  test('a secret is one, and is not repeated', async () => {
    const { stderr } = await checked(
      "outputs: {mqtt: [{url: 'mqtt://anna:hunter2@b', password: hunter2}]}\n",
    );
    expect(stderr).toContain(
      'a user or a password does not belong into the URL: name user and password-file',
    );
    expect(stderr).toContain('a secret does not belong in this file ("password")');
    expect(stderr).not.toContain('hunter2');
  });
});
