import { storedNames } from '@azimuth/device/documents';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { isReported, startWith, storedScanner } from '@azimuth/test-support/stored-scanner';
import { expect, test } from 'vitest';
import { casesOr, damaged } from './cases.js';

const { cases, seed } = casesOr(300);

test('whatever is damaged in a file of a scanner is found at the next start, and kept as it was found', {
  timeout: 3_600_000,
}, async () => {
  const random = new SeededRandom(seed);
  const { documents } = await storedScanner();
  const others = Buffer.concat([...documents.values()]);
  const hits = new Map<string, number>();
  for (let number = 0; number < cases; number++) {
    const name = random.pick(storedNames);
    const damage = damaged(documents.get(name) ?? new Uint8Array(), others, random);
    if (damage === undefined) continue;
    const findings = await startWith(new FaultyStorage(new Map([...documents, [name, damage.bytes]])));
    expect(isReported(name, damage.bytes, findings), `seed ${seed}, ${name}, ${damage.what}`).toBe(true);
    hits.set(name, (hits.get(name) ?? 0) + 1);
  }
  expect([...hits.keys()].sort()).toEqual([...storedNames].sort());
});
