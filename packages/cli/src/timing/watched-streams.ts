import type { TimingAnalysis } from '@azimuth/client/timing';
import type { Source } from '../scan-data/sources.js';

/** Interval of the timer that shows how late this program runs (ms). */
const beatInterval = 10;

interface Watch {
  readonly sources: readonly Source[];
  readonly analysis: TimingAnalysis;
  /** ms. */
  readonly duration: number;
  /** Called now and then, with the share of the time that has passed. */
  readonly progress: (share: number) => void;
  /** ms since 1970, on the clock of the arrivals. */
  readonly now: () => number;
}

/** Passes on what arrives to an analysis, for some time or until the receivers are closed. @returns the time of its end */
export async function watchStreams({ sources, analysis, duration, progress, now }: Watch): Promise<number> {
  const begin = now();
  const close = () => {
    for (const { receiver } of sources) receiver.close();
  };
  let due = begin + beatInterval;
  const beat = setInterval(() => {
    const at = now();
    analysis.tick(at, at - due);
    due = at + beatInterval;
    progress(Math.min(1, (at - begin) / duration));
  }, beatInterval);
  const limit = setTimeout(close, duration);
  try {
    await Promise.all(sources.map((source) => follow(source, analysis)));
  } finally {
    clearTimeout(limit);
    clearInterval(beat);
    close();
  }
  for (const { receiver } of sources) {
    analysis.damaged(receiver.losses.damaged);
    analysis.lostHere(receiver.losses.overrun);
  }
  return now();
}

async function follow({ receiver }: Source, analysis: TimingAnalysis): Promise<void> {
  for await (const { telegram, time, from, to } of receiver) analysis.push(telegram, time / 1000, from, to);
}
