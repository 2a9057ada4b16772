import { endWithReaders, outliveReaders } from '../broken-pipe.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Does what goes on until somebody ends it: Ctrl-C, another signal, or nobody reading our output any more abort the
 * signal instead of ending the process, so that settings are put back and files closed. A second Ctrl-C ends it hard.
 */
export async function untilInterrupted<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const abort = new AbortController();
  const interrupt = () => {
    stop();
    abort.abort();
  };
  const stop = () => {
    for (const name of signals) process.off(name, interrupt);
  };
  for (const name of signals) process.on(name, interrupt);
  outliveReaders();
  process.stdout.on('error', interrupt);
  try {
    return await act(abort.signal);
  } catch (error) {
    // What waits on the signal ends with its reason.
    if (abort.signal.aborted && error === abort.signal.reason) return undefined;
    throw error;
  } finally {
    stop();
    process.stdout.off('error', interrupt);
    endWithReaders();
  }
}
