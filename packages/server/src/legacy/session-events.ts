interface Followed {
  readonly stop: () => void;
  readonly event: () => Uint8Array | undefined;
}

/**
 * The events that one session follows. Of each, nothing is kept but that it has changed: what is sent when there is room
 * is the value of that moment.
 */
export class SessionEvents {
  readonly #followed = new Map<string, Followed>();
  readonly #changed = new Set<string>();
  readonly #send: (frame: Uint8Array) => void;
  readonly #hasRoom: () => boolean;

  constructor(send: (frame: Uint8Array) => void, hasRoom: () => boolean) {
    this.#send = send;
    this.#hasRoom = hasRoom;
  }

  get count(): number {
    return this.#followed.size;
  }

  follow(name: string, follow: (changed: () => void) => () => void, event: Followed['event']): void {
    this.unfollow(name);
    const stop = follow(() => {
      this.#changed.add(name);
      this.flush();
    });
    this.#followed.set(name, { stop, event });
  }

  unfollow(name: string): void {
    this.#followed.get(name)?.stop();
    this.#followed.delete(name);
    this.#changed.delete(name);
  }

  /** Sends what has changed, as far as there is room. */
  flush(): void {
    for (const name of this.#changed) {
      if (!this.#hasRoom()) return;
      this.#changed.delete(name);
      const frame = this.#followed.get(name)?.event();
      if (frame !== undefined) this.#send(frame);
    }
  }

  end(): void {
    for (const name of [...this.#followed.keys()]) this.unfollow(name);
  }
}
