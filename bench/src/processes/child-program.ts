import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Child, end, start } from './children.js';

/** A program of the benchmark. It sends one message when it is ready, and one for each message that it gets. */
export class ChildProgram {
  readonly pid: number;
  /** The message that it sent when it was ready. */
  readonly firstMessage: unknown;
  readonly #child: Child;

  private constructor(child: Child, firstMessage: unknown) {
    this.pid = child.pid;
    this.firstMessage = firstMessage;
    this.#child = child;
  }

  static async start(what: {
    readonly core: number;
    readonly command: readonly string[];
  }): Promise<ChildProgram> {
    const child = start({
      ...what,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { NODE_ENV: 'production' },
    });
    return new ChildProgram(child, await nextMessage(child));
  }

  async ask(question: string): Promise<unknown> {
    const response = nextMessage(this.#child);
    this.#child.send(question);
    return response;
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

/**
 * Runs a program until it has sent its first message, and then ends it.
 * @throws Error if it ends without a message.
 */
export async function firstMessageOf(what: {
  readonly core: number;
  readonly command: readonly string[];
}): Promise<unknown> {
  const child = await ChildProgram.start(what);
  await child.end();
  return child.firstMessage;
}

/** The command line of one of our programs. */
export function program(
  name:
    | 'load'
    | 'bare-get'
    | 'bare-post'
    | 'bare-proxy'
    | 'save-inside'
    | 'raycast'
    | 'growth'
    | 'fleet-mix'
    | 'fleet-requests'
    | 'telegram'
    | 'scanners'
    | 'bare-sender'
    | 'bridge'
    | 'parts-core'
    | 'receiver'
    | 'bare-forwarder'
    | 'relay-receiver'
    | 'relay-sender'
    | 'segment-sender'
    | 'segment-receiver'
    | 'subscribers',
  ...args: readonly string[]
): string[] {
  return [process.execPath, fileURLToPath(new URL(`../programs/${name}.js`, import.meta.url)), ...args];
}

/** The root of the repository. The compiled file is three folders below it. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));
