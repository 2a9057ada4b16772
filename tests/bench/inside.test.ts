import { describe, expect, it } from 'vitest';
import { measureTasks, microsecondsOf } from '../../bench/src/inside/measure-tasks.js';
import { messageOf } from '../../bench/src/processes/message-of.js';
import { Peer } from '../../bench/src/processes/peer.js';

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

  it('are refused where they come to no number', () => {
    expect(() => microsecondsOf(() => Number.NaN, 0.01)).toThrow('no number');
  });
});

describe('a process of the bench', () => {
  const command = (program: string) => ({ core: 0, command: [process.execPath, '-e', program] });

  it('is heard, and ended then', async () => {
    const speaking = `process.send({ figures: [1, 2] }); process.on('disconnect', () => process.exit());`;
    expect(await messageOf(command(speaking))).toEqual({ figures: [1, 2] });
  });

  it('is an error where it ends without a word', async () => {
    await expect(messageOf(command('process.exit(0)'))).rejects.toThrow('has ended');
  });

  it('answers questions, until it is asked one that it dies of', async () => {
    const peer = await Peer.start(
      command(`
        process.on('message', (word) => (word === 'die' ? process.exit(1) : process.send(word + '!')));
        process.send('here');
      `),
    );
    expect(peer.hello).toBe('here');
    expect(await peer.ask('one')).toBe('one!');
    expect(await peer.ask('two')).toBe('two!');
    await expect(peer.ask('die')).rejects.toThrow('has ended');
    await peer.end();
  });
});
