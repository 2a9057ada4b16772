/**
 * A wire of a scanner (a listener, a socket, an announcement) with its whole life. The wires of a scanner are a list
 * (`wires.ts`), and nothing else knows when they open:
 *
 * 1. `open`, once at the start: forward through the list, each after the one before is open. An error ends the start, and
 *    closes all.
 * 2. `down` when the scanner goes down for a reboot: backward. It closes its ports and connections at once. A wire that
 *    stays open over reboots has none.
 * 3. `up` when the scanner is up again: forward, without waiting for ports that are still in use.
 * 4. `close` at the end, also without an `open`, or twice: backward, all at once.
 *
 * An error in `down`, `up` or `close` is contained: it does not keep another wire open, or closed.
 */
export interface Wire {
  open(): void | Promise<void>;
  down?(): void;
  up?(): void | Promise<void>;
  close(): void | Promise<void>;
}

/** Additions to a scanner while its ports are open. @param attach returns a function that ends it */
export function attachment(attach: () => (() => void) | undefined): Wire {
  let end: (() => void) | undefined;
  return {
    open: () => {
      end = attach();
    },
    close: () => {
      const attached = end;
      end = undefined;
      attached?.();
    },
  };
}
