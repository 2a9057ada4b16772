import { fileURLToPath } from 'node:url';
import { casesFor, editionSubject } from '@azimuth/check';
import { mutantsFor } from '@azimuth/check/mutants';
import { newestRelease, releases, variants } from '@azimuth/model';
import { afterAll, expect, it } from 'vitest';
import { again, isProved } from './case-share.js';
import { inPart, type Part, plantingOrder } from './proof-parts.js';
import { mistakesOf, proofsOf } from './proof-plan.js';
import { Prover } from './prove.js';
import { Scores, scoreText } from './score.js';

const longest = 600_000;

/** MUTANTS takes only the cases whose id contains this text, with their mutants. All of them are in the first part then. */
const wanted = process.env.MUTANTS ?? '';

/** The newest full scanner first: cases of other editions only are proved in the first that has them. */
const editions = [
  { release: newestRelease, variant: 'full' as const },
  ...releases.toReversed().flatMap((release) => variants.map((variant) => ({ release, variant }))),
].map((edition) => {
  const subject = editionSubject(edition.release, edition.variant);
  return {
    edition,
    cases: casesFor(subject).filter(({ id }) => id.includes(wanted)),
    mutants: mutantsFor(subject).filter((mutant) => mutant.case.includes(wanted)),
  };
});

const areaOf = (id: string) => id.slice(0, id.indexOf('.'));
const scores = new Scores(
  fileURLToPath(new URL('../../../.cache/check-proof', import.meta.url)),
  process.ppid,
);

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return Math.round((user + system) / 1e6);
}

/** Registers the tests that prove one part of the cases. They print how many of their faults were found, and the last the sum. */
export function provesPart(part: Part): void {
  const all = proofsOf(editions);
  const proofs =
    wanted === '' ? inPart(part, all).filter(({ case: { id } }) => isProved(id)) : part === 0 ? all : [];
  const areas = [...new Set(proofs.map((proof) => areaOf(proof.case.id)))];
  const prover = new Prover();
  let planted = 0;
  let killed = 0;

  afterAll(async () => {
    await prover[Symbol.asyncDispose]();
    const score = { planted, killed };
    const sum = scores.add(part, score, wanted === '' ? 2 : 1);
    process.stdout.write(`part ${part + 1}: ${scoreText(score)}, ${cpuSeconds()} s of CPU\n`);
    if (sum !== undefined) process.stdout.write(`all: ${scoreText(sum)}\n`);
  });

  it('every case that must or should pass has mutants, and every mutant has a case', () => {
    expect(mistakesOf(editions)).toEqual([]);
  });

  if (areas.length === 0) return;

  it.each(areas)(
    'a scanner without a fault passes the cases of %s',
    async (area) => {
      const alarms: string[] = [];
      for (const proof of proofs.filter(({ case: { id } }) => areaOf(id) === area)) {
        const alarm = await prover.falseAlarm(proof).catch((error: Error) => error.message);
        if (alarm === undefined) continue;
        alarms.push(alarm);
        process.stdout.write(`false alarm: ${alarm}\n`);
      }
      expect(alarms, again).toEqual([]);
    },
    longest,
  );

  it.each(areas)(
    'each planted fault makes its case of %s fail',
    async (area) => {
      const survivors: string[] = [];
      for (const { mutant, proof } of plantingOrder(
        proofs.filter(({ case: { id } }) => areaOf(id) === area),
      )) {
        planted += 1;
        const survivor = await prover.survival(mutant, proof).catch((error: Error) => error.message);
        if (survivor === undefined) {
          killed += 1;
          continue;
        }
        survivors.push(survivor);
        process.stdout.write(`survives: ${survivor}\n`);
      }
      expect(survivors, again).toEqual([]);
    },
    longest,
  );
}
