import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '@azimuth/model';

/** How many faults were planted, and how many of them were found. */
export interface Score {
  readonly planted: number;
  readonly killed: number;
}

/** Returns a score in words. A survivor never rounds up to 100 %. */
export function scoreText({ planted, killed }: Score): string {
  const share = planted === 0 ? 0 : Math.floor((100 * killed) / planted);
  return `killed ${killed} of ${planted}, ${share} %`;
}

/**
 * Scores of the parts of one run, which other processes prove.
 * @param folder for files of all runs
 * @param run number of the run: others are deleted
 */
export class Scores {
  readonly #folder: string;
  readonly #run: string;

  constructor(folder: string, run: number) {
    this.#folder = folder;
    this.#run = `${run}-`;
    mkdirSync(folder, { recursive: true });
  }

  /**
   * Adds the score of a part.
   * @returns the sum of all parts; undefined if others are still running
   */
  add(part: number, score: Score, parts: number): Score | undefined {
    for (const name of readdirSync(this.#folder))
      if (!name.startsWith(this.#run)) rmSync(join(this.#folder, name), { force: true });
    writeFileSync(join(this.#folder, `${this.#run}${part}`), JSON.stringify(score));
    const all = readdirSync(this.#folder).filter((name) => name.startsWith(this.#run));
    if (all.length < parts) return undefined;
    return all.map((name) => this.#read(name)).reduce(plus);
  }

  #read(name: string): Score {
    const json: unknown = JSON.parse(readFileSync(join(this.#folder, name), 'utf8'));
    const { planted, killed } = isObject(json) ? json : {};
    return { planted: Number(planted), killed: Number(killed) };
  }
}

function plus(one: Score, other: Score): Score {
  return { planted: one.planted + other.planted, killed: one.killed + other.killed };
}
