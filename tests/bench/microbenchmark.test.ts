import { describe, expect, it } from 'vitest';
import { measureTasks, microsecondsOf } from '../../bench/src/microbenchmark.js';
import { ChildProgram, firstMessageOf } from '../../bench/src/processes/child-program.js';

describe('tasks in one process', () => {
  it('take turns, and tell one figure a round each', async () => {
    const calls = { quick: 0, slow: 0 };
    const tasks = (['quick', 'slow'] as const).map((subject) => ({
      subject,
      condition: 'here',
      call: () => {
        calls[subject] += 1;
        return calls[subject];
      },
    }));
    const measured = await measureTasks(tasks, 3, 0.1);
    expect(measured.map(({ subject, condition }) => [subject, condition])).toEqual([
      ['quick', 'here'],
      ['slow', 'here'],
    ]);
    for (const { microseconds } of measured) {
      expect(microseconds).toHaveLength(3);
      expect(Math.min(...microseconds)).toBeGreaterThan(0);
    }
    // Three rounds and one before them, at least 16 calls each.
    expect(Math.min(calls.quick, calls.slow)).toBeGreaterThanOrEqual(64);
  });

  it('are refused if they return NaN', () => {
    expect(() => microsecondsOf(() => Number.NaN, 0.01)).toThrow('NaN');
  });
});

describe('a process of the bench', () => {
  const command = (program: string) => ({ core: 0, command: [process.execPath, '-e', program] });

  it('is heard, and ended then', async () => {
    const speaking = `process.send({ figures: [1, 2] }); process.on('disconnect', () => process.exit());`;
    expect(await firstMessageOf(command(speaking))).toEqual({ figures: [1, 2] });
  });

  it('is an error where it ends without a word', async () => {
    await expect(firstMessageOf(command('process.exit(0)'))).rejects.toThrow('has ended');
  });

  it('answers questions, until it is asked one that it dies of', async () => {
    const child = await ChildProgram.start(
      command(`
        process.on('message', (word) => (word === 'die' ? process.exit(1) : process.send(word + '!')));
        process.send('here');
      `),
    );
    expect(child.firstMessage).toBe('here');
    expect(await child.ask('one')).toBe('one!');
    expect(await child.ask('two')).toBe('two!');
    await expect(child.ask('die')).rejects.toThrow('has ended');
    await child.end();
  });
});
