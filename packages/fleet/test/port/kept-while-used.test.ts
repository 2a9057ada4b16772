import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Derived, KeptWhileUsed } from '../../src/port/kept-while-used.js';

/** Takes a turn of the event loop to be made. */
class Made implements Derived {
  async make(): Promise<void> {
    await turn();
  }

  replace(): void {
    throw new Error('no row is replaced here');
  }
}

test('what a site has kept is no longer held when nobody has the site any more', async () => {
  const abandoned = async () => {
    const kept = new KeptWhileUsed<Made>([], 2);
    const made = new Made();
    await kept.make('one', made);
    expect(kept.get('one')).toBe(made);
    return new WeakRef(made);
  };
  const weak = await abandoned();
  const { gc } = globalThis;
  if (gc === undefined) throw new Error('this test needs a process with --expose-gc');
  // What was just used is held until the next turn.
  await turn();
  await turn();
  await gc();
  expect(weak.deref()).toBeUndefined();
});

test('more things may be made at once than are kept, and each is made once', async () => {
  const kept = new KeptWhileUsed<Made>([], 2);
  const names = ['one', 'two', 'three'];
  await Promise.all(names.map((name) => kept.make(name, new Made())));
  expect(names.map((name) => kept.get(name) !== undefined)).toEqual([true, true, true]);
  await kept.make('four', new Made());
  expect([...names, 'four'].map((name) => kept.get(name) !== undefined)).toEqual([false, false, true, true]);
});
