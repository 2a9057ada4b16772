import type { ScanTelegram } from '@azimuth/telegrams';
import { beamsOf, mostEchoes } from './frame.js';

/** Numbers that one frame may hold: twenty times those of a scanner at its finest resolution. */
const most = 500_000;

/** What a module and each of its rows take beside the beams, in numbers, about. */
const perModule = 128;
const perRow = 8;

/**
 * How much room a frame takes. All its beams have as many places for echoes as the one with the most, whichever
 * telegram that came with: what a telegram adds is not for it alone to tell.
 */
export class FrameSize {
  static readonly none = new FrameSize(0, 0, 0);

  readonly #beams: number;
  readonly #echoes: number;
  readonly #beside: number;

  private constructor(beams: number, echoes: number, beside: number) {
    this.#beams = beams;
    this.#echoes = echoes;
    this.#beside = beside;
  }

  /** The size together with that of a telegram. */
  with({ modules }: ScanTelegram): FrameSize {
    return new FrameSize(
      this.#beams + modules.reduce((sum, module) => sum + beamsOf(module), 0),
      Math.max(this.#echoes, mostEchoes(modules)),
      this.#beside + modules.reduce((sum, { rows }) => sum + perModule + perRow * rows, 0),
    );
  }

  /** Is that more than any scanner sends in one turn? */
  get isTooLarge(): boolean {
    // Also right where numbers are too large to be told exactly.
    return !(this.#beams * (this.#echoes + 1) + this.#beside <= most);
  }
}
