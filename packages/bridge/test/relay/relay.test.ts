import { expect, test } from 'vitest';
import { Relay } from '../../src/relay/relay.js';

test('followers end, and the error is told, also if a part cannot be closed', async () => {
  const ended: string[] = [];
  const follower = { follow: () => undefined, end: () => Promise.resolve(void ended.push('recording')) };
  const relay = await Relay.open({
    ...{ destinations: [], followers: [follower], failed: (error) => expect.unreachable(String(error)) },
    openSession: () => Promise.resolve({ close: () => Promise.reject(new Error('the disk is full')) }),
  });
  await expect(relay.close()).rejects.toThrow('the disk is full');
  expect(ended).toEqual(['recording']);
});
