/** A scanner that is followed from `open` to `close`. */
interface Followed {
  open(): void;
  close(): void;
}

/** Scanners that are followed at the same time, at most: a browser opens 255 WebSockets, and each may need several. */
const mostOpen = 48;

/** Scanners that are kept with their values and logins while nothing needs them. */
const mostIdle = 32;

interface Place<T> {
  readonly link: T;
  /** Number of things that need it. */
  uses: number;
  isOpen: boolean;
}

/** The scanners of a site that the page has to do with. Each is made when it is needed, and followed only meanwhile. */
export class ScannerPool<T extends Followed> {
  readonly #make: (path: string) => T;
  /** By their paths. Those used last stand last. */
  readonly #places = new Map<string, Place<T>>();

  constructor(make: (path: string) => T) {
    this.#make = make;
  }

  /** The scanner of a path. It is not followed by this alone. */
  at(path: string): T {
    return this.#placeAt(path).link;
  }

  /** The scanner of a path, if it was made. */
  known(path: string): T | undefined {
    return this.#places.get(path)?.link;
  }

  /**
   * Follows a scanner until the returned function is called. While too many are followed, it waits until another one
   * is not needed any more.
   */
  follow(path: string): () => void {
    const place = this.#placeAt(path);
    place.uses++;
    this.#openWaiting();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      place.uses--;
      if (place.uses > 0) return;
      if (place.isOpen) place.link.close();
      place.isOpen = false;
      this.#openWaiting();
      this.#forgetOldest();
    };
  }

  #placeAt(path: string): Place<T> {
    const place = this.#places.get(path) ?? { link: this.#make(path), uses: 0, isOpen: false };
    this.#places.delete(path);
    this.#places.set(path, place);
    this.#forgetOldest();
    return place;
  }

  #openWaiting(): void {
    let open = [...this.#places.values()].filter(({ isOpen }) => isOpen).length;
    for (const place of this.#places.values()) {
      if (open >= mostOpen) return;
      if (place.uses === 0 || place.isOpen) continue;
      place.isOpen = true;
      place.link.open();
      open++;
    }
  }

  #forgetOldest(): void {
    const idle = [...this.#places].filter(([, { uses }]) => uses === 0);
    for (const [path] of idle.slice(0, Math.max(0, idle.length - mostIdle))) this.#places.delete(path);
  }
}
