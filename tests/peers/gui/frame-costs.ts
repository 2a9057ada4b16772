import type { CDPSession, Page } from 'playwright-core';

/** What frames of a page cost: ms of computing time of the page's own thread, so other programs do not count. */
export interface FrameCosts {
  /** JavaScript: decoding, the history, components and drawing. */
  readonly script: number;
  /** All work of the page, with layout and the pixels of canvases. */
  readonly all: number;
}

/** Measures what each frame costs, from one look to the next. */
export class FrameCostMeter {
  readonly #session: CDPSession;
  readonly #costs: FrameCosts[] = [];
  #before: { readonly script: number; readonly all: number; readonly frames: number } | undefined;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  static async of(page: Page): Promise<FrameCostMeter> {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    return new FrameCostMeter(session);
  }

  /** Notes what the frames since the last look cost. @param frames drawn until now */
  async look(frames: number): Promise<void> {
    const { metrics } = await this.#session.send('Performance.getMetrics');
    const seconds = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    const now = { script: seconds('ScriptDuration'), all: seconds('TaskDuration'), frames };
    const before = this.#before;
    if (before !== undefined && frames === before.frames) return;
    this.#before = now;
    if (before === undefined) return;
    const msAFrame = (after: number, earlier: number) =>
      ((after - earlier) * 1000) / (frames - before.frames);
    this.#costs.push({ script: msAFrame(now.script, before.script), all: msAFrame(now.all, before.all) });
  }

  /** Over all looks. */
  get median(): FrameCosts {
    const median = (values: readonly number[]) =>
      values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
    return {
      script: median(this.#costs.map(({ script }) => script)),
      all: median(this.#costs.map(({ all }) => all)),
    };
  }
}
