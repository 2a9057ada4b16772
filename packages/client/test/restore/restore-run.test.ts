import { expect, test } from 'vitest';
import { PasswordMissingError, ScannerError, UnreachableError, writeParameters } from '../../src/index.js';

const refusal = (name: string, status: number) => new ScannerError(name, status, '', 'because');

/** Writes a, b, c and d. The scanner gives these responses to the attempts. Returns its requests and the results. */
async function run(act: (name: string, attempt: number) => void, signal?: AbortSignal) {
  const requests: string[] = [];
  const told: string[] = [];
  const results = await writeParameters(
    {
      writeAny: async (name) => {
        requests.push(name);
        act(name, requests.filter((one) => one === name).length);
      },
    },
    ['a', 'b', 'c', 'd'].map((name) => ({ name, to: name })),
    {
      onProgress: (done, total, next) => told.push(`${done}/${total} ${next}`),
      signal,
    },
  );
  return {
    asked: requests,
    told,
    outcomes: results.map(({ name, outcome }) => `${name} ${outcome}`),
    results,
  };
}

test('writes one after the other, and tells how far it is', async () => {
  const { asked, told, outcomes } = await run(() => undefined);
  expect(asked).toEqual(['a', 'b', 'c', 'd']);
  expect(told).toEqual(['0/4 a', '1/4 b', '2/4 c', '3/4 d']);
  expect(outcomes).toEqual(['a written', 'b written', 'c written', 'd written']);
});

test('writes a refused value again behind the others', async () => {
  const { asked, results } = await run((name, attempt) => {
    if (name === 'a' && attempt === 1) throw refusal('a', 6);
    if (name === 'c') throw refusal('c', 9);
  });
  expect(asked).toEqual(['a', 'b', 'c', 'd', 'a', 'c']);
  expect(results.map(({ outcome }) => outcome)).toEqual(['written', 'written', 'refused', 'written']);
  expect(results[2]?.reason).toContain('because');
});

test('stops if no answer comes, and tells what may be written', async () => {
  const { asked, outcomes, results } = await run((name) => {
    if (name === 'b') throw new UnreachableError('http://127.0.0.1', 'gone', undefined);
  });
  expect(asked).toEqual(['a', 'b']);
  expect(outcomes).toEqual(['a written', 'b unanswered', 'c left', 'd left']);
  expect(results[3]?.reason).toContain('gone');
});

test('stops if the login is refused, and if there is none', async () => {
  const denied = await run((name) => {
    if (name === 'b') throw refusal('b', 4);
  });
  expect(denied.outcomes).toEqual(['a written', 'b refused', 'c left', 'd left']);
  const nobody = await run((name) => {
    throw new PasswordMissingError(name, 'Service');
  });
  expect(nobody.outcomes).toEqual(['a left', 'b left', 'c left', 'd left']);
  expect(nobody.asked).toEqual(['a']);
});

test('can be stopped behind the parameter that is being written', async () => {
  const stop = new AbortController();
  const { outcomes } = await run((name) => {
    if (name === 'b') stop.abort();
  }, stop.signal);
  expect(outcomes).toEqual(['a written', 'b written', 'c left', 'd left']);
});
