import { setTimeout } from 'node:timers/promises';
import { sharedClock } from '../proc.js';
import { Connection } from './connection.js';
import type { FirstResponseJob, FirstResponseResult } from './jobs.js';
import { getRequest } from './rest-messages.js';

const pause = 1;
const timeout = 150_000;

/** Repeats a GET every millisecond until the first 200. */
export async function firstResponse({ port, path }: FirstResponseJob): Promise<FirstResponseResult> {
  const deadline = sharedClock() + timeout;
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
  let connection: Connection | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      Connection.open(port, reject)
        .then((opened) => {
          connection = opened;
          return opened.request(getRequest(path));
        })
        .then(() => resolve(), reject);
    });
  } finally {
    connection?.close();
  }
}
