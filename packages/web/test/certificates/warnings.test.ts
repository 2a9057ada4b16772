import { expect, test } from 'vitest';
import { browserWarnings, type Leaf } from '../../src/certificates/warnings.js';

const leaf: Leaf = {
  names: [{ entry: 'DNS:gate.local' }, { entry: 'DNS:*.plant.example' }, { entry: 'IP Address:192.168.0.1' }],
  issuer: 'CN=Plant CA',
  subject: 'CN=gate',
  validNotBefore: 'Jan  1 00:00:00 2026 GMT',
  validNotAfter: 'Jan  1 00:00:00 2028 GMT',
};
const now = Date.parse('2026-06-01T00:00:00Z');

test.each(['gate.local', 'GATE.local', 'north.plant.example', '192.168.0.1'])(
  'browsers find nothing wrong with a certificate that names %s',
  (host) => expect(browserWarnings(leaf, host, now)).toEqual([]),
);

test.each(['other.local', '192.168.0.2', 'a.b.plant.example'])(
  'browsers warn if it does not name %s',
  (host) => {
    expect(browserWarnings(leaf, host, now)).toEqual([expect.stringContaining(host)]);
  },
);

test('a self-signed certificate is told', () => {
  const warnings = browserWarnings({ ...leaf, issuer: leaf.subject }, 'gate.local', now);
  expect(warnings).toEqual([expect.stringContaining('self-signed')]);
});

test('a certificate that is not valid yet, expires soon or has expired is told', () => {
  const at = (day: string) => browserWarnings(leaf, 'gate.local', Date.parse(day)).join();
  expect(at('2025-12-31T00:00:00Z')).toContain('not valid yet');
  expect(at('2027-12-31T00:00:00Z')).toContain('expires in 1 day.');
  expect(at('2028-01-02T00:00:00Z')).toContain('has expired');
});
