import { beforeEach, expect, test } from 'vitest';
import { AddressMove } from '../../src/connection/absence.js';

const newUrl = 'http://127.0.0.5:8080';
const leaveTimeout = 5000;
let seconds: number;
beforeEach(() => {
  seconds = 0;
});

/** Is something so after this many seconds? */
type At = (seconds: number) => boolean;

function moving(respondsHere: At, respondsThere?: At): AddressMove {
  return new AddressMove({
    respondsHere: () => Promise.resolve(respondsHere(seconds)),
    respondsAt: respondsThere === undefined ? undefined : () => Promise.resolve(respondsThere(seconds)),
    pause: (ms) => {
      seconds += ms / 1000;
      return Promise.resolve();
    },
    now: () => seconds * 1000,
  });
}

test('a scanner is met at its new address', async () => {
  const move = moving(
    () => false,
    (now) => now >= 7,
  );
  await move.follow(newUrl, leaveTimeout);
  expect(move.state.value).toEqual({ kind: 'arrived', to: newUrl });
  expect(seconds).toBe(7);
});

test('a scanner that answers at both addresses is followed', async () => {
  const move = moving(
    () => true,
    () => true,
  );
  await move.follow(newUrl, leaveTimeout);
  expect(move.state.value?.kind).toBe('arrived');
});

test('a scanner that goes on answering has stayed', async () => {
  const move = moving(
    () => true,
    () => false,
  );
  await move.follow(newUrl, leaveTimeout);
  expect(move.state.value).toEqual({ kind: 'stayed', to: newUrl });
  expect(seconds).toBe(5);
});

test('a scanner that was away for a reboot, and is here again, has stayed', async () => {
  const move = moving((now) => now < 3 || now >= 30);
  await move.follow(newUrl, 20_000);
  expect(move.state.value).toEqual({ kind: 'stayed', to: newUrl });
  expect(seconds).toBe(30);
});

test('a page that can only look here says that the scanner has left, and no more', async () => {
  const move = moving((now) => now < 2);
  const followed = move.follow(newUrl, leaveTimeout);
  const kinds = new Set<string | undefined>();
  const stop = move.state.subscribe((state) => void kinds.add(state?.kind));
  await followed;
  stop();
  expect([...kinds]).toEqual(['leaving', 'left']);
  expect(seconds).toBe(120);
});

test('a scanner that is found nowhere is lost after two minutes', async () => {
  const move = moving(
    () => false,
    () => false,
  );
  await move.follow(newUrl, leaveTimeout);
  expect(move.state.value).toEqual({ kind: 'lost', to: newUrl });
  expect(seconds).toBe(120);
});

test('an address of DHCP is not asked at', async () => {
  const move = moving(
    () => true,
    () => {
      throw new Error('asked at no address');
    },
  );
  await move.follow(undefined, leaveTimeout);
  expect(move.state.value).toEqual({ kind: 'stayed', to: undefined });
});

test('a move that the person has closed is followed no further', async () => {
  const move = moving(() => true);
  const followed = move.follow(newUrl, leaveTimeout);
  move.forget();
  await followed;
  expect(move.state.value).toBeUndefined();
});
