import { SearchTelegram } from '@azimuth/telegrams/device-search';
import { describe, expect, test } from 'vitest';
import { decodeResponse, foundScanner, type ScannerFacts } from '../../src/discover/found-scanner.js';

const mac = '00:06:77:0a:1b:2c';
const told: ScannerFacts = { mac, address: '127.0.0.1', type: 'told', httpPort: 0, form: 'tagged' };
const web = { mac, address: '127.0.0.9', addresses: ['127.0.0.9'], type: 'web', httpPort: 8080 };

describe('the URL of a scanner', () => {
  test.each([
    ['is that of DNS-SD, where its answer came from elsewhere', told, web, 'http://127.0.0.9:8080'],
    [
      'is at the address that has answered, where the web server is there too',
      told,
      { ...web, addresses: ['192.0.2.7', '127.0.0.1'], address: '192.0.2.7' },
      'http://127.0.0.1:8080',
    ],
    [
      'has an address of IPv6 in brackets',
      told,
      { ...web, address: '::1', addresses: ['::1'] },
      'http://[::1]:8080',
    ],
    ['leaves port 80 out', undefined, { ...web, httpPort: 80 }, 'http://127.0.0.9'],
    ['is where the answer came from', { ...told, httpPort: 8081 }, undefined, 'http://127.0.0.1:8081'],
    ['is none where there is no web server', told, undefined, undefined],
  ])('%s', (_, search, dnsSd, url) => {
    expect(foundScanner(search, dnsSd)?.url).toBe(url);
  });
});

test('the facts of the device search take precedence, except the address of the web server', () => {
  expect(foundScanner(told, { ...web, httpsPort: 8443, location: 'Gate 3' })).toEqual({
    ...{ mac, address: '127.0.0.1', type: 'told', form: 'tagged', location: 'Gate 3' },
    ...{ httpPort: 8080, httpsPort: 8443, url: 'http://127.0.0.9:8080' },
  });
});

describe('an answer of a stranger', () => {
  const answer = (location: string) =>
    new TextEncoder().encode(
      `<NetScanResult MACAddr="${mac}"><Item key="LocationName" value="${location}" /></NetScanResult>`,
    );
  const decoded = (location: string) =>
    decodeResponse(SearchTelegram.xmlResponse, answer(location), '127.0.0.1');

  test('with a long text is cut', () => {
    expect(decoded('Gate 3')?.location).toBe('Gate 3');
    expect(decoded('x'.repeat(4000))?.location).toBe('x'.repeat(255));
  });

  test('of more bytes than any scanner sends is none', () => {
    expect(decoded('x'.repeat(8 * 1024))).toBeUndefined();
  });
});
