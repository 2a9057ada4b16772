import { expect, test } from 'vitest';
import { gate } from '../../../tests/support/gate.js';
import { inTurn } from '../src/turn.js';

test('an act begins when the one before it for the same scanner has ended', async () => {
  const { open, opened } = gate();
  const seen: string[] = [];
  const first = inTurn('http://a', async () => {
    seen.push('first begins');
    await opened;
    seen.push('first ends');
  });
  const second = inTurn('http://a', async () => void seen.push('second'));
  await inTurn('http://b', async () => void seen.push('other scanner'));
  open();
  await Promise.all([first, second]);
  expect(seen).toEqual(['first begins', 'other scanner', 'first ends', 'second']);
});

test('an act that fails lets the next one go on, and only its caller hears of it', async () => {
  const failing = inTurn('http://a', () => Promise.reject(new Error('no')));
  const next = inTurn('http://a', async () => 'done');
  await expect(failing).rejects.toThrow('no');
  await expect(next).resolves.toBe('done');
});
