import { expect, test } from 'vitest';
import { statusRows } from '../../src/sim/status.js';

test('members that a world does not tell are left empty, never the word undefined', () => {
  const status = {
    up: true,
    measuring: {},
    encoder: {},
    network: {},
    scene: {},
    plug: {},
    ports: [{}, 'of another kind'],
    http: { host: undefined, port: 8080 },
    later: { than: 'these' },
  };
  const text = JSON.stringify(statusRows(status));
  expect(text).not.toContain('undefined');
  expect(statusRows(status)).toContainEqual(['later', '{"than":"these"}']);
  expect(statusRows(status)).toContainEqual(['http', ':8080']);
});
