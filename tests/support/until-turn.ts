/** Asks again whenever the event loop has gone round, until the answer is yes. The test's own limit ends it. */
export async function until(question: () => boolean): Promise<void> {
  while (!question()) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}
