import { concurrently } from '@azimuth/async';
import { latch } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';

test('results keep the order of the items, however long each takes', async () => {
  const release: (() => void)[] = [];
  const done = concurrently(2, ['slow', 'quick', 'last'], async (item) => {
    if (item === 'slow') await new Promise<void>((resolve) => release.push(resolve));
    if (item === 'last') release[0]?.();
    return item.toUpperCase();
  });
  expect(await done).toEqual(['SLOW', 'QUICK', 'LAST']);
});

test('no more run at the same time than allowed', async () => {
  let running = 0;
  let most = 0;
  await concurrently(3, Array.from({ length: 20 }), async () => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
  });
  expect(most).toBe(3);
});

test('after a failure nothing new begins', async () => {
  const begun: string[] = [];
  const { open, opened } = latch();
  const lanes: Promise<void>[] = [];
  const done = concurrently(2, ['held', 'failing', 'never begun'], (item) => {
    begun.push(item);
    const act = item === 'failing' ? Promise.reject(new Error('no')) : opened;
    lanes.push(act);
    return act;
  });
  await expect(done).rejects.toThrow('no');
  open();
  await Promise.allSettled(lanes);
  expect(begun).toEqual(['held', 'failing']);
});
