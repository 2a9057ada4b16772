/** Waits for a time, or until somebody says that there is something to do. */
export class Wake {
  #isDue = false;
  #wake: (() => void) | undefined;

  /** Ends the wait that is under way, or the next one. */
  now(): void {
    this.#isDue = true;
    this.#wake?.();
  }

  /** @param milliseconds after which it ends by itself */
  async after(milliseconds: number): Promise<void> {
    if (!this.#isDue) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = undefined;
    this.#isDue = false;
  }
}
