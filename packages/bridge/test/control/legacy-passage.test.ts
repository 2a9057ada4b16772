import { Socket } from 'node:net';
import { charactersOf, frameText } from '@azimuth/telegrams/legacy';
import { expect, test, vi } from 'vitest';
import { LegacyPassage } from '../../src/control/legacy-passage.js';

test('reads nothing more of a program that does not read the refusals of planned faults', () => {
  const [program, scanner] = [new Socket(), new Socket()];
  const written = vi.spyOn(program, 'write').mockReturnValue(false);
  const passage = new LegacyPassage({
    ...{ direction: 'to scanner', from: program, to: scanner, framing: 'text', connection: 1 },
    ...{ tell: () => undefined, faults: { refusalOf: () => 3, damaged: (frame) => frame } },
  });
  passage.pass(frameText(Buffer.from('sRN DeviceStatus')));
  expect(written.mock.calls.map(([bytes]) => charactersOf(Buffer.from(bytes)))).toEqual([
    '\u0002sFA 3\u0003',
  ]);
  expect(program.isPaused()).toBe(true);
  program.emit('drain');
  expect(program.isPaused()).toBe(false);
});
