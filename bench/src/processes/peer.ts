import { once } from 'node:events';
import { type Child, end, start } from './children.js';

/** A process of ours that says one thing when it is ready, and then answers every question with one message. */
export class Peer {
  readonly pid: number;
  /** What it said when it was ready. */
  readonly hello: unknown;
  readonly #child: Child;

  private constructor(child: Child, hello: unknown) {
    this.pid = child.pid;
    this.hello = hello;
    this.#child = child;
  }

  static async start(what: { readonly core: number; readonly command: readonly string[] }): Promise<Peer> {
    const child = start({
      ...what,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { NODE_ENV: 'production' },
    });
    return new Peer(child, await nextMessage(child));
  }

  async ask(question: string): Promise<unknown> {
    const answer = nextMessage(this.#child);
    this.#child.send(question);
    return answer;
  }

  async end(): Promise<void> {
    await end(this.#child);
  }
}

async function nextMessage(child: Child): Promise<unknown> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const exited = once(child, 'exit', { signal }).then(() => {
    throw new Error('a process of the bench has ended while it was at work');
  });
  try {
    const [message]: unknown[] = await Promise.race([once(child, 'message', { signal }), exited]);
    return message;
  } finally {
    exited.catch(() => undefined);
    waiting.abort();
  }
}
