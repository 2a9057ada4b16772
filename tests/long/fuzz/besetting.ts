import { SeededRandom } from '../../support/seeded-random.js';
import type { Target } from './catalogue.js';
import type { Category } from './category.js';
import type { Lane } from './lane.js';
import { Tally } from './tally.js';

interface Facts {
  readonly lanes: readonly Lane[];
  readonly categories: readonly Category[];
  readonly seed: number;
}

/** Clients side by side that beset one port, with cases drawn by their weight. */
export class Besetting {
  readonly tally = new Tally();
  readonly #facts: Facts;
  readonly #lottery: readonly Category[];
  #cases = 0;

  constructor(facts: Facts) {
    this.#facts = facts;
    this.#lottery = facts.categories.flatMap((category) => Array<Category>(category.weight).fill(category));
  }

  /** How many cases there were so far. */
  get cases(): number {
    return this.#cases;
  }

  /** One round, until its time is over or there were so many cases in all. */
  async round(
    round: number,
    { milliseconds, cases = Number.POSITIVE_INFINITY }: { milliseconds: number; cases?: number },
    catalogue: readonly Target[] = [],
  ): Promise<void> {
    const end = performance.now() + milliseconds;
    const isOver = () => performance.now() >= end || this.#cases >= cases;
    const { lanes } = this.#facts;
    await Promise.all(lanes.map((lane, index) => this.#beset(lane, `${round}/${index}`, isOver, catalogue)));
    for (const lane of lanes) lane.hangUp();
  }

  async #beset(lane: Lane, name: string, isOver: () => boolean, catalogue: readonly Target[]): Promise<void> {
    for (let turn = 0; !isOver(); turn++) {
      const case_ = `${this.#facts.seed}/${name}/${turn}`;
      const random = new SeededRandom(case_);
      const category = random.pick(this.#lottery);
      this.#cases++;
      lane.latest = [];
      try {
        this.tally.count(category.name, await category.run(lane, random, catalogue));
      } catch (error) {
        const sent = lane.latest.map((part) => JSON.stringify(part.toString('latin1').slice(0, 4000)));
        throw new Error(`case ${this.#cases}, ${category.name}, seed ${case_}; sent:\n${sent.join('\n')}`, {
          cause: error,
        });
      }
    }
  }
}
