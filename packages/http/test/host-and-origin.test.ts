import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { HostAndOrigin } from '../src/admission.js';
import { type AllowedNames, hostName, webOrigin } from '../src/cors.js';

interface Asked {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly url?: string;
}

function request({ host, origin, url = '/api/DeviceStatus' }: Asked): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  message.url = url;
  message.rawHeaders = [
    ...(host === undefined ? [] : ['hOsT', host]),
    ...(origin === undefined ? [] : ['oRiGiN', origin]),
  ];
  return message;
}

function outcome(asked: Asked, allowed?: AllowedNames): string {
  return new HostAndOrigin(allowed).refusalOf(request(asked))?.counted ?? 'served';
}

describe('a host', () => {
  test.each([
    undefined,
    '127.0.0.1',
    '127.0.0.1:8080',
    '192.168.0.1:',
    '8.8.8.8',
    '[::1]',
    '[FE80::1]:8080',
    '[fe80::1%eth0]:80',
    'localhost',
    'LOCALHOST:99',
    'localhost.',
    'scanner',
    'my_scanner-2:8080',
    'a.b.localhost',
    'gate3.local',
    'Gate3.LOCAL.:80',
    'scanner.internal',
    'scanner.lan',
    'a.home.arpa',
  ])('%j is accepted: no stranger can own it', (host) => {
    expect(outcome({ host })).toBe('served');
  });

  test.each([
    'evil.example',
    'evil.example:8080',
    'evil.example.',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.0.0.1.nip.io',
    'local.example',
    'xlocal.co',
    'evil.com.lan.example',
    'home.arpa.example',
    'x.arpa',
    'localhost..',
    '.local',
    'a..local',
    '127.0.0.1@evil.example',
    'evil.example@127.0.0.1',
    '127.0.0.1, evil.example',
    '127.0.0.1 evil.example',
    '127.0.0.1/evil.example',
    '127.0.0.1:80:80',
    '127.0.0.1:x',
    '::1',
    '[::1',
    '[evil.example]',
    '[::1].evil.example',
    '1.2.3',
    '256.0.0.1',
    ':8080',
    '',
    '.',
    '*',
    'ünïcode.example',
    `${'a.'.repeat(8000)}example`,
  ])('%j is refused', (host) => {
    expect(outcome({ host })).toBe('host');
  });

  test('that is allowed by name is accepted at any port, but not its subdomains or parent domains', () => {
    const allowed = { hosts: ['scanner.example.com'] };
    for (const host of ['scanner.example.com', 'Scanner.Example.COM.:8443']) {
      expect(outcome({ host }, allowed)).toBe('served');
    }
    for (const host of ['example.com', 'x.scanner.example.com', 'scanner.example.com.evil.example']) {
      expect(outcome({ host }, allowed)).toBe('host');
    }
  });

  test('in a target in absolute form is checked in the same way', () => {
    const asked = (url: string, host = '127.0.0.1') => outcome({ url, host });
    expect(asked('http://127.0.0.1:8080/api/DeviceStatus')).toBe('served');
    expect(asked('http://scanner?x')).toBe('served');
    expect(asked('*')).toBe('served');
    expect(asked('http://evil.example/api/DeviceStatus')).toBe('host');
    expect(asked('HTTPS://evil.example:443?x')).toBe('host');
    expect(asked('http://127.0.0.1@evil.example/')).toBe('host');
    expect(asked('ws://evil.example/apievents')).toBe('host');
    expect(asked('http:///api')).toBe('host');
    expect(asked('http://127.0.0.1/', 'evil.example')).toBe('host');
    expect(outcome({ url: 'http://evil.example/' })).toBe('host');
  });

  test('that was accepted before does not skip the check of another host or origin', () => {
    const one = new HostAndOrigin();
    const asked = (wishes: Asked) => one.refusalOf(request(wishes))?.counted;
    expect(asked({ host: 'gate' })).toBeUndefined();
    expect(asked({ host: 'evil.example' })).toBe('host');
    expect(asked({ host: 'gate', origin: 'http://evil.example' })).toBe('origin');
    expect(asked({ host: 'gate', origin: 'http://gate' })).toBeUndefined();
    expect(asked({ host: 'gate2', origin: 'http://gate' })).toBe('origin');
    expect(asked({ host: 'gate', url: 'http://evil.example/' })).toBe('host');
    expect(asked({ host: 'gate', origin: 'http://gate' })).toBeUndefined();
  });
});

test.each([
  ['gate.scanners', 'served'],
  ['gate.scanners.svc.cluster.local:8080', 'served'],
  ['GATE.Scanners.SVC.', 'served'],
  ['scanners', 'served'],
  ['.scanners', 'host'],
  ['gatescanners.evil', 'host'],
  ['gate.scanners.evil.example', 'host'],
  ['svc', 'served'],
])('with all names below .scanners and .svc allowed, a Host %j is %s', (host, expected) => {
  expect(outcome({ host }, { hosts: ['.scanners', '.svc'] })).toBe(expected);
});

describe('an origin', () => {
  test.each([
    ['http://gate', 'gate'],
    ['http://gate', 'gate:80'],
    ['http://GATE:8080', 'gate:8080'],
    ['http://gate:8080', 'GATE:8080'],
    ['https://gate', 'gate:443'],
    ['https://gate', 'gate'],
    ['http://[fe80::1]:81', '[fe80::1]:81'],
    ['http://gate.local.', 'gate.local.'],
  ])('%j at %j is a page of the scanner', (origin, host) => {
    expect(outcome({ origin, host })).toBe('served');
  });

  test.each([
    ['http://gate:81', 'gate'],
    ['http://gate', 'gate:8080'],
    ['https://gate', 'gate:80'],
    ['http://evil.example', 'gate'],
    ['http://gate.evil.example', 'gate'],
    ['http://localhost:8080', '127.0.0.1:8080'],
    ['http://localhost:5173', 'localhost:8080'],
    ['http://evil.example@gate', 'gate'],
    ['http://gate', undefined],
    ['null', 'gate'],
    ['null', 'null'],
    ['', 'gate'],
    ['gate', 'gate'],
    ['gate:8080', 'gate:8080'],
    ['file://', 'gate'],
    ['chrome-extension://gate', 'gate'],
  ])('%j at %j is a foreign page', (origin, host) => {
    expect(outcome({ origin, host })).toBe('origin');
  });

  test('that comes twice is refused, whatever its values are', () => {
    const twice = request({ host: 'gate', origin: 'http://gate' });
    twice.rawHeaders.push('Origin', 'http://gate');
    expect(new HostAndOrigin().refusalOf(twice)?.counted).toBe('origin');
  });

  test('that is allowed is accepted at each host of the scanner, and at no other', () => {
    const allowed = { origins: ['https://panel.example.com'] };
    expect(outcome({ host: 'gate', origin: 'https://panel.example.com' }, allowed)).toBe('served');
    expect(outcome({ host: 'evil.example', origin: 'https://panel.example.com' }, allowed)).toBe('host');
    for (const origin of ['http://panel.example.com', 'https://panel.example.com:8443', 'null']) {
      expect(outcome({ host: 'gate', origin }, allowed)).toBe('origin');
    }
  });
});

test('a refusal is one line that names the option, whatever was sent', () => {
  for (const host of [`${'x'.repeat(5000)}.example`, 'a\u0085.b"\\\u001b[31m']) {
    const why = new HostAndOrigin().refusalOf(request({ host }))?.why ?? '';
    expect(why).toMatch(/^[\x20-\x7e]{1,300}$/);
    expect(why).toContain('--allowed-host');
  }
  expect(new HostAndOrigin().refusalOf(request({ host: 'x', origin: 'null' }))?.why).toContain(
    '--allowed-origin',
  );
});

describe('the value of', () => {
  test.each([
    ['scanner.example.com', 'scanner.example.com'],
    ['Scanner.Example.com.', 'scanner.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['my_scanner.example', 'my_scanner.example'],
    ['scanner.example.com:80', undefined],
    ['scanner.example.com:8443', undefined],
    ['http://scanner.example.com', undefined],
    ['*.example.com', '.example.com'],
    ['.Scanners.svc', '.scanners.svc'],
    ['a.*.example.com', undefined],
    ['..example.com', undefined],
    ['.', undefined],
    ['*', undefined],
    ['a b', undefined],
    ['', undefined],
  ])('--allowed-host: %j means %j', (typed, name) => {
    expect(hostName(typed)).toBe(name);
  });

  test.each([
    ['https://panel.example.com', 'https://panel.example.com'],
    ['HTTPS://Panel.example.com:443/', 'https://panel.example.com'],
    ['http://localhost:5173', 'http://localhost:5173'],
    ['chrome-extension://abcdef', 'chrome-extension://abcdef'],
    ['https://panel.example.com/page', undefined],
    ['https://user@panel.example.com', undefined],
    ['panel.example.com', undefined],
    ['null', undefined],
    ['*', undefined],
    ['file:///', undefined],
    ['', undefined],
  ])('--allowed-origin: %j means %j', (typed, origin) => {
    expect(webOrigin(typed)).toBe(origin);
  });
});
