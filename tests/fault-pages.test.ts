import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkedPlan, faultKinds, isFaultKind, membersOf } from '@azimuth/model/faults';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));
const guide = readFileSync(join(root, 'docs', 'faults.md'), 'utf8');

test('the file in docs/faults.md is a plan', () => {
  const [, file = ''] = /```yaml\n([\s\S]*?)```/.exec(guide) ?? [];
  expect(checkedPlan(parse(file)).faults.map(({ kind }) => kind)).toEqual([
    'stream-loss',
    'http-latency',
    'http-status',
    'link-down',
    'device-power-cut',
  ]);
});

test('the commands of docs/faults.md name kinds and members that exist', () => {
  const commands = [...guide.matchAll(/^azimuth sim fault add (\S+)(.*)$/gm)];
  expect(commands.length).toBeGreaterThan(12);
  for (const [line, kind = '', options = ''] of commands) {
    if (!isFaultKind(kind)) throw new Error(`${line}: no such kind`);
    const members = Object.keys(membersOf(kind)).map((name) => name.toLowerCase());
    for (const [, option = ''] of options.matchAll(/ --([a-z-]+)/g)) {
      expect(members, line).toContain(option.replaceAll('-', ''));
    }
  }
  expect(Object.keys(faultKinds)).toContain('stream-loss');
});
