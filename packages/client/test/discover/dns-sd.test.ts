import { httpService } from '@azimuth/telegrams/device-search';
import { expect, test } from 'vitest';
import { scannersInResponse } from '../../src/discover/dns-sd.js';

const instance = `Scanner.${httpService}`;
const pointer = { name: httpService, type: 'PTR', data: instance } as const;
const service = { name: instance, type: 'SRV', data: { target: 'Scanner.local', port: 8080 } } as const;
const entries = ['mac=00:06:77:01:02:03', 'serial=123456789'];
const text = { name: instance, type: 'TXT' as const, data: entries };
const address = (data: string) => ({ name: 'SCANNER.local', type: 'A', data }) as const;

test('a scanner is found by its records, in upper or lower case', () => {
  const found = scannersInResponse(
    { answers: [pointer], additionals: [service, text, address('127.0.0.2')] },
    '127.0.0.9',
  );
  expect(found).toMatchObject([
    { serialNumber: '123456789', address: '127.0.0.2', addresses: ['127.0.0.2'], httpPort: 8080 },
  ]);
});

test('a scanner that is named thousands of times is one, with a few addresses', () => {
  const addresses = Array.from({ length: 2000 }, (_, at) => address(`127.1.${at >> 8}.${at & 255}`));
  const found = scannersInResponse(
    { answers: Array.from({ length: 3000 }, () => pointer), additionals: [service, text, ...addresses] },
    '127.1.5.5',
  );
  expect(found).toHaveLength(1);
  expect(found[0]?.addresses).toHaveLength(16);
  expect(found[0]?.address).toBe('127.1.5.5');
});
