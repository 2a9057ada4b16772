import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';

const ip = (...words: readonly string[]) => execFileSync('ip', words, { stdio: 'pipe' });

/** Removes this right for good, from a command and all that it starts. */
const withoutSettingClocks = ['setpriv', '--bounding-set=-sys_time', '--inh-caps=-sys_time'];

/** The bit of CAP_SYS_TIME. */
const settingClocks = 1n << 25n;

/** A process in one of the namespaces. */
export class NamespaceProcess {
  readonly #child;
  #output = '';

  constructor(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const [program = '', ...rest] = words;
    this.#child = spawn(program, rest, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    }
    onTestFinished(() => this.kill());
  }

  /** What it has printed, and its errors. */
  get output(): string {
    return this.#output;
  }

  /** Whether it may set the clock of this computer. */
  get maySetClocks(): boolean {
    const [, rights = 'f'] =
      /^CapEff:\s+(\w+)$/m.exec(readFileSync(`/proc/${this.#child.pid}/status`, 'utf8')) ?? [];
    return (BigInt(`0x${rights}`) & settingClocks) !== 0n;
  }

  kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      this.#child.once('close', () => resolve());
      this.#child.kill('SIGKILL');
    });
  }
}

/**
 * Network namespaces: one of the scanner (10.99.0.2), and one of each of two masters (10.99.0.11 and 10.99.0.12), linked by
 * veth pairs and a bridge. They are gone when the test ends.
 */
export class Namespaces {
  readonly scannerAddress = '10.99.0.2';
  readonly #name = `azimuth-ptp-${process.pid}`;

  constructor() {
    onTestFinished(() => {
      for (const name of this.#names) execFileSync('sh', ['-c', `ip netns del ${name} 2>/dev/null || true`]);
    });
    for (const name of this.#names) {
      ip('netns', 'add', name);
      ip('-n', name, 'link', 'set', 'lo', 'up');
    }
    const [scanner = '', ...masters] = this.#names;
    ip('-n', scanner, 'link', 'add', 'bridge', 'type', 'bridge', 'mcast_snooping', '0');
    ip('-n', scanner, 'addr', 'add', `${this.scannerAddress}/24`, 'dev', 'bridge');
    ip('-n', scanner, 'link', 'set', 'bridge', 'up');
    masters.forEach((master, index) => {
      const port = `port${index}`;
      ip('-n', scanner, 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'ptp', 'netns', master);
      ip('-n', scanner, 'link', 'set', port, 'master', 'bridge', 'up');
      ip('-n', master, 'addr', 'add', `10.99.0.${11 + index}/24`, 'dev', 'ptp');
      ip('-n', master, 'link', 'set', 'ptp', 'up');
    });
  }

  /** What starts a command in the namespace of the scanner. */
  get scanner(): readonly string[] {
    return ['ip', 'netns', 'exec', this.#names[0] ?? ''];
  }

  /**
   * Starts `ptp4l -S` as a master that never follows another one. It cannot set the clock of this computer: it is told not
   * to, and has no right to.
   */
  ptp4l(master: 1 | 2, priority1: number): NamespaceProcess {
    const name = this.#names[master] ?? '';
    const options = ['--free_running=1', '--masterOnly=1', `--priority1=${priority1}`];
    const socket = `--uds_address=/tmp/${name}.ptp4l`;
    return new NamespaceProcess([
      ...withoutSettingClocks,
      ...['ip', 'netns', 'exec', name],
      ...['ptp4l', '-S', '-4', '-m', '-i', 'ptp', socket, ...options],
    ]);
  }

  get #names(): readonly string[] {
    return ['scanner', 'master1', 'master2'].map((part) => `${this.#name}-${part}`);
  }
}
