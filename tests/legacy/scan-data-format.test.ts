import { dialects, session } from '@azimuth/test-support/legacy/scanner';
import { describe, expect, test } from 'vitest';
import { LegacyTestScanner } from './legacy-test-scanner.js';

describe('sEN LMDscandata in another format than LMDscandata', () => {
  const logged = (scanner: LegacyTestScanner) =>
    scanner.testScanner.log.lines.filter(({ message }) => /LMDscandata.*ScanDataFormat is/.test(message));

  test.each(dialects)('says once in the log of a session why nothing comes, over %s', async (dialect) => {
    const scanner = await LegacyTestScanner.start();
    const client = await session(scanner.ports, dialect);
    for (let time = 0; time < 20; time += 1) {
      await client.follow('LMDscandata');
      await client.follow('LMDscandata', false);
    }
    const format = await scanner.rest.value('ScanDataFormat');
    expect(logged(scanner).map(({ severity, message }) => [severity, message])).toEqual([
      ['warn', expect.stringContaining(`ScanDataFormat is ${format} but must be 3`)],
    ]);
    expect(logged(scanner)[0]?.facts.client).toMatch(/^127\.0\.0\.1:\d+$/);
    await (await session(scanner.ports, dialect)).follow('LMDscandata');
    expect(logged(scanner)).toHaveLength(2);
  });

  test('is not logged if scans come, or if a session ends its subscription', async () => {
    const scanner = await LegacyTestScanner.start();
    const client = await session(scanner.ports, 'B');
    await client.follow('LMDscandata', false);
    await scanner.write('ScanDataFormat', 3);
    await client.follow('LMDscandata');
    expect(logged(scanner)).toEqual([]);
  });
});
