import { expect, it } from 'vitest';
import { changedFacts, factLines } from '../src/facts/index.js';

it('the model states the facts that were reviewed; npm run facts writes them anew', () => {
  expect(changedFacts()).toEqual([]);
});

it('a name is stated with its level, type, releases and factory values', () => {
  expect(JSON.parse(factLines().get('EtherDHCPFallback') ?? '')).toEqual({
    kind: 'variable',
    group: 'Ethernet',
    write: 'AuthorizedClient',
    stored: true,
    section: 'device',
    type: { kind: 'enumeration', format: 'uint8', values: { TX_USE_STATIC_IP: 0, TX_RETRY_DHCP: 1 } },
    factory: { '1.4.0': 1, '2.1.0': 0 },
  });
});
