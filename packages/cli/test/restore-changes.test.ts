import { type BackupContent, currentValues, parametersIn, plannedChanges } from '@azimuth/client';
import { inputsAndOutputs } from '@azimuth/model';
import { expect, test } from 'vitest';
import { changedParameters, changeTable } from '../src/restore/changes.js';

const { initial: ports } = inputsAndOutputs.members.PortConfiguration.type;
const fields = { evaluations: [{ Id: 1 }], groups: [] };

/** Returns the table of changes for a backup with these values at a scanner with those. */
async function table(values: Readonly<Record<string, unknown>>, held: Readonly<Record<string, unknown>>) {
  const asked: string[] = [];
  const readAny = async (name: string) => {
    asked.push(name);
    return held[name];
  };
  const content: BackupContent = {
    version: undefined,
    serialNumber: undefined,
    values: new Map(Object.entries(values)),
  };
  const now = await currentValues({ readAny }, parametersIn(content));
  const text = changeTable(changedParameters(plannedChanges(content.values, now)));
  return { lines: text.trimEnd().split('\n').slice(1), text, asked };
}

test('changes of a struct or list are printed part by part, without equal parts', async () => {
  const named = ports.map((port, index) => (index === 2 ? { ...port, Name: 'lamp' } : port));
  const { lines } = await table({ PortConfiguration: named }, { PortConfiguration: ports });
  expect(lines).toEqual(['PortConfiguration[2].Name  InOut3 → lamp']);
});

test('a list of another length is printed as its lengths, and our own parameters by their names', async () => {
  const { lines, asked } = await table(
    { fields },
    { 'x/fields': { ...fields, evaluations: [{ Id: 1 }, { Id: 2 }] } },
  );
  expect(asked).toEqual(['x/fields']);
  expect(lines).toEqual(['x/fields.evaluations  2 items → 1 item']);
});

test('a long value is cut, many parts are counted, and control characters are escaped', async () => {
  const all = ports.map((port) => ({ ...port, Name: 'a\u001bb', PortType: 2, EncoderPortType: 1 }));
  const { lines } = await table({ PortConfiguration: all }, { PortConfiguration: ports });
  expect(lines).toHaveLength(21);
  expect(lines[20]).toBe('… and 4 more of PortConfiguration');
  expect(lines.join('')).toContain('a\\u001bb');
  const long = await table({ LocationName: 'x'.repeat(200) }, { LocationName: 'y' });
  expect(long.lines).toEqual([`LocationName  y   → ${'x'.repeat(59)}…`]);
});

test('if nothing changes, this is printed', async () => {
  expect((await table({ LocationName: 'x' }, { LocationName: 'x' })).text).toBe('No parameter changes.\n');
});
