import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Log } from '@azimuth/device';

/**
 * Reads lines and hands each of them to systemd, until the pipe is closed. Node has no datagram sockets of the system, so
 * `systemd-notify` sends. SIGTERM and SIGINT go to the service first: its last line must get through.
 */
const script = 'trap "" INT TERM; while IFS= read -r line; do systemd-notify -- "$line"; done';

/** Lines for systemd, by a process that relays them. If it ends, the next line starts another one. */
export class RelayedLines {
  readonly #log: Log;
  #relay: ChildProcess | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  send(line: string): void {
    this.#relay ??= this.#started();
    this.#relay.stdin?.write(`${line}\n`);
  }

  /** Ends the relay when it has handed over all lines. */
  end(): void {
    const relay = this.#relay;
    this.#relay = undefined;
    relay?.stdin?.end();
  }

  #started(): ChildProcess {
    const relay = spawn('sh', ['-c', script], { stdio: ['pipe', 'ignore', 'inherit'] });
    const lost = (reason: string) => {
      if (this.#relay !== relay) return;
      this.#relay = undefined;
      this.#log.error('systemd was not told about the service', { reason });
    };
    relay.on('error', (error) => lost(error.message));
    relay.on('exit', (code, signal) => lost(`sh ended with ${signal ?? code}`));
    relay.stdin?.on('error', (error) => lost(error.message));
    // It must not keep the process alive.
    relay.unref();
    if (relay.stdin instanceof Socket) relay.stdin.unref();
    return relay;
  }
}
