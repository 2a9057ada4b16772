import { expect, test } from 'vitest';
import { ScannerPool } from '../../src/connection/scanner-pool.js';

class Link {
  isOpen = false;
  opened = 0;
  constructor(readonly path: string) {}
  open() {
    this.isOpen = true;
    this.opened++;
  }
  close() {
    this.isOpen = false;
  }
}
const pool = () => new ScannerPool((path) => new Link(path));

test('a scanner is followed while something needs it, and no longer', () => {
  const links = pool();
  const link = links.at('/s/1');
  expect(link.isOpen).toBe(false);
  const [first, second] = [links.follow('/s/1'), links.follow('/s/1')];
  expect([link.isOpen, link.opened]).toEqual([true, 1]);
  first();
  first();
  expect(link.isOpen).toBe(true);
  second();
  expect(link.isOpen).toBe(false);
  links.follow('/s/1');
  expect(link.opened).toBe(2);
});

test('a scanner stays the same while others are opened, and is forgotten when very many were', () => {
  const links = pool();
  const kept = links.at('/s/0');
  const end = links.follow('/s/0');
  const idle = links.at('/s/1');
  for (let number = 2; number < 2000; number++) links.follow(`/s/${number}`)();
  expect(links.at('/s/0')).toBe(kept);
  expect(links.known('/s/1')).toBeUndefined();
  expect(links.at('/s/1')).not.toBe(idle);
  end();
});

test('too many are not followed at once: the others wait until one is not needed', () => {
  const links = pool();
  const ends = Array.from({ length: 100 }, (_, number) => links.follow(`/s/${number}`));
  const open = () =>
    Array.from({ length: 100 }, (_, number) => links.at(`/s/${number}`)).filter((one) => one.isOpen);
  expect(open()).toHaveLength(48);
  ends[0]?.();
  expect(open()).toHaveLength(48);
  expect(links.at('/s/0').isOpen).toBe(false);
  expect(links.at('/s/48').isOpen).toBe(true);
});
