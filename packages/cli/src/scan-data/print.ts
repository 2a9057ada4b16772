const over = ['drain', 'error', 'close'] as const;

/** Writes to standard output, and waits where its reader is slow, but not for one that is gone or after the signal. */
export function print(text: string | Uint8Array, signal: AbortSignal): Promise<void> {
  const { stdout } = process;
  if (stdout.write(text) || !stdout.writable || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const go = () => {
      for (const name of over) stdout.off(name, go);
      signal.removeEventListener('abort', go);
      resolve();
    };
    for (const name of over) stdout.on(name, go);
    signal.addEventListener('abort', go);
  });
}
