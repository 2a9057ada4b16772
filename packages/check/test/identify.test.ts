import { createServer } from 'node:http';
import { releases, variants } from '@azimuth/model';
import { startScanner } from '@azimuth/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { identify } from '../src/index.js';

const clock = { now: () => Date.now(), wait: async () => undefined };

describe('a check finds out', () => {
  it.each(variants)('the variant %s by the names that it answers', async (variant) => {
    for (const release of [releases[0], '2.2.0', '2.4.4'] as const) {
      await using scanner = await startScanner({ release, variant });
      const { url } = scanner;
      expect(await identify({ url, passwords: {}, clock })).toMatchObject({
        ...{ url, release, variant, version: `${release}.0R`, serialNumber: '123456789' },
      });
    }
  });

  it('what a person states otherwise', async () => {
    await using scanner = await startScanner();
    const facts = await identify(
      { url: scanner.url, passwords: {}, clock },
      { release: '2.1.0', variant: 'basic' },
    );
    expect(facts).toMatchObject({ release: '2.1.0', variant: 'basic' });
  });
});

describe('a check is not fooled by', () => {
  it('an answer without an end, which is cut off', async () => {
    const url = await served((path) => (path.endsWith('DeviceIdent') ? '['.repeat(100_000) : '{}'));
    await expect(identify({ url, passwords: {}, clock })).rejects.toThrow('more than 65536 bytes came');
  });

  it('an answer that is nested deeply', async () => {
    const url = await served(() => `${'['.repeat(20_000)}${']'.repeat(20_000)}`);
    await expect(identify({ url, passwords: {}, clock })).rejects.toThrow('DeviceIdent: expected a value');
  });

  it('a name of a million letters, which is cut', async () => {
    const ident = { Name: 'x'.repeat(60_000), Version: '2.4.4.0R' };
    const url = await served((path) =>
      path.endsWith('DeviceIdent')
        ? JSON.stringify({ header: { status: 0 }, data: { DeviceIdent: ident } })
        : JSON.stringify({ header: { status: 5 } }),
    );
    const facts = await identify({ url, passwords: {}, clock });
    expect([facts.name.length, facts.variant, facts.serialNumber]).toEqual([64, 'picoScan120', '']);
  });
});

/** Serves texts, and returns the URL. */
async function served(answer: (path: string) => string): Promise<string> {
  const server = createServer(({ url = '' }, response) => response.end(answer(url)));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
    });
  });
}
