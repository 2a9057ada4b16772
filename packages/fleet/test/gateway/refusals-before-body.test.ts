import { lastRequests, statusWhileSending } from '@azimuth/test-support/early-refusal';
import { scannerFacts } from '@azimuth/test-support/some-fleet';
import { describe, expect, test } from 'vitest';
import { gatewayTo, nowhere, worker } from './gateway-and-workers.js';

describe.each(lastRequests)(
  'a request that asks for %s gets its answer through a gateway, though it is refused early',
  (_, version, headers) => {
    test('by the scanner, the worker or the gateway', async () => {
      const one = await worker(scannerFacts(1));
      const gateway = await gatewayTo([one], 2, { patience: 50 });
      gateway.owners.set('1', one).set('2', nowhere);
      const statusOf = (line: string) =>
        statusWhileSending(Number(new URL(gateway.url).port), line, version, headers);
      expect(await statusOf('PUT /scanners/1/api/update')).toBe(403);
      expect(await statusOf('PUT /scanners/2/api/update')).toBe(503);
      expect(await statusOf('PUT /scanners/7/api/update')).toBe(404);
      expect(await statusOf('POST /fleet/power')).toBe(version === '1.0' ? 403 : 400);
      expect(await statusOf('GET /scanners/1/apievents')).toBe(426);
    });
  },
);
