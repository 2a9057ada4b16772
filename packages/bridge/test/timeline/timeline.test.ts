import { Timeline, type TimelineEntry } from '@azimuth/bridge/timeline';
import { expect, it } from 'vitest';

const entry: TimelineEntry = { kind: 'fault', at: 1, fault: 'stream-loss', on: 'scan telegram' };

it('gives each entry to each follower once, until it ends', () => {
  const timeline = new Timeline();
  const seen: string[] = [];
  const end = timeline.follow(() => seen.push('one'));
  timeline.follow(() => seen.push('other'));
  timeline.add(entry);
  end();
  timeline.add(entry);
  expect(seen).toEqual(['one', 'other', 'other']);
});

it('gives an entry to all followers, also if the first one fails', () => {
  const timeline = new Timeline();
  const seen: TimelineEntry[] = [];
  timeline.follow(() => {
    throw new Error('the disk is full');
  });
  timeline.follow((passed) => seen.push(passed));
  expect(() => timeline.add(entry)).toThrow('the disk is full');
  expect(seen).toEqual([entry]);
});

it('knows if somebody follows', () => {
  const timeline = new Timeline();
  expect(timeline.isFollowed).toBe(false);
  const end = timeline.follow(() => undefined);
  expect(timeline.isFollowed).toBe(true);
  end();
  expect(timeline.isFollowed).toBe(false);
});
