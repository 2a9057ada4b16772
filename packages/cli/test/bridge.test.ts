import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { azimuth } from './run.js';

/** No scanner is asked before the words are checked. */
const nowhere = ['--device', 'http://127.0.0.1:9'];

describe('azimuth bridge', () => {
  test.each([
    ['foxglove', '--allowed-origin', 'https://a.example/path'],
    ['foxglove', '--allowed-host', 'a.example:80'],
    ['foxglove', '--port', '70000'],
    ['rosbridge'],
    ['rosbridge', 'http://robot:9090'],
    ['rosbridge', 'ws://robot:9090', '--ros', '3'],
    ['rosbridge', 'ws://robot:9090', '--topic', 'scans'],
  ])('refuses %s %s %s', async (...words) => {
    const { exitCode, stderr, stdout } = await azimuth('bridge', ...words, ...nowhere);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).not.toBe('');
  });

  test('does not print a password in the URL of a server', async () => {
    const { exitCode, stderr } = await azimuth(
      'bridge',
      'rosbridge',
      'ws://robot:secret@10.0.0.7:9090',
      ...nowhere,
    );
    expect([exitCode, stderr.includes('secret'), stderr.includes('10.0.0.7')]).toEqual([2, false, true]);
  });

  test('says which port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const { exitCode, stderr } = await azimuth('bridge', 'foxglove', '--port', String(port), ...nowhere);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`Port ${port} on 127.0.0.1 is in use`)]);
  });
});
