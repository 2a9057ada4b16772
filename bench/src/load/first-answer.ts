import { setTimeout } from 'node:timers/promises';
import { sharedClock } from '../shared-clock.js';
import { Exchange } from './exchange.js';
import type { FirstAnswerJob, FirstAnswerResult } from './jobs.js';
import { getRequest } from './requests.js';

const pause = 1;
const patience = 30_000;

/** Asks again and again, a millisecond apart, until the first 200. */
export async function firstAnswer({ port, path }: FirstAnswerJob): Promise<FirstAnswerResult> {
  const deadline = sharedClock() + patience;
  for (;;) {
    try {
      await ask(port, path);
      return { at: sharedClock() };
    } catch (error) {
      if (sharedClock() > deadline) throw error;
      await setTimeout(pause);
    }
  }
}

async function ask(port: number, path: string): Promise<void> {
  let exchange: Exchange | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      Exchange.open(port, reject)
        .then((opened) => {
          exchange = opened;
          return opened.asked(getRequest(path));
        })
        .then(() => resolve(), reject);
    });
  } finally {
    exchange?.close();
  }
}
