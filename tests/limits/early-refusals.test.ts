import { lastRequests, statusWhileSending } from '@azimuth/test-support/early-refusal';
import { scannerFacts, someFleet } from '@azimuth/test-support/some-fleet';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { describe, expect, test } from 'vitest';

/** What is refused before its body has come, with the HTTP status. */
const refused: readonly (readonly [line: string, status: number, headers: readonly string[]])[] = [
  ['PUT /api/update', 403, []],
  ['POST /api/update', 200, []],
  ['POST /api/LocationName', 200, []],
  ['GET /apievents', 426, []],
  ['PUT /openapi.json', 405, []],
  ['POST /x/sim/temperature', 400, []],
  ['PUT /api/update', 403, ['Origin: http://evil.example']],
];

describe.each(lastRequests)(
  'a request that asks for %s gets its answer, though it is refused early',
  (_, version, headers) => {
    test('by a scanner', async () => {
      const { httpPort } = await TestScanner.start({ controlPort: 0 });
      for (const [line, status, more] of refused) {
        // The simulation is for nobody who speaks HTTP/1.0.
        const expected = version === '1.0' && line.includes('sim') ? 403 : status;
        expect(await statusWhileSending(httpPort, line, version, [...headers, ...more]), line).toBe(expected);
      }
    });

    test('by a control port', async () => {
      const scanner = await TestScanner.start({ controlPort: 0 });
      const statuses = await Promise.all(
        ['POST /temperature', 'PUT /nothing'].map((line) =>
          statusWhileSending(scanner.controlPort, line, version, headers),
        ),
      );
      expect(statuses).toEqual(version === '1.0' ? [403, 403] : [400, 404]);
    });

    test('by the port of a fleet', async () => {
      const port = Number(new URL((await someFleet(scannerFacts(1))).url).port);
      const statusOf = (line: string) => statusWhileSending(port, line, version, headers);
      expect(await statusOf('PUT /scanners/1/api/update')).toBe(403);
      expect(await statusOf('PUT /scanners/7/api/update')).toBe(404);
      expect(await statusOf('POST /fleet/power')).toBe(version === '1.0' ? 403 : 400);
      expect(await statusOf('PUT /scanners')).toBe(405);
      expect(await statusOf('GET /scanners/1/apievents')).toBe(426);
    });
  },
);
