import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { object, parse } from '@azimuth/test-support/json';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';
import { NamespaceProcess } from './ptp/namespaces.js';

const run = promisify(execFile);
const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const bin = at('packages/cli/bin/azimuth.js');
const realIp = execFileSync('sh', ['-c', 'command -v ip'], { encoding: 'utf8' }).trim();
const limit = 120_000;

/** A script in place of a program of the system. It notes how it was called, and then does the rest. */
function recorder(folder: string, program: string, rest = ''): void {
  const script = `#!/bin/sh\necho "${program} $*" >> "${folder}/calls"\n${rest}\n`;
  writeFileSync(join(folder, program), script, { mode: 0o755 });
}

/**
 * A board of examples/linux-board in a network namespace of its own, which has one interface. `ip` is the real one;
 * what would change this machine is recorded.
 */
class NamespacedBoard {
  readonly folder = mkdtempSync(join(tmpdir(), 'azimuth-board-'));
  readonly #name = `azimuth-board-${process.pid}`;
  readonly #programs = join(this.folder, 'programs');
  readonly #scanner: NamespaceProcess;
  /** Ends commands that still wait for the scanner after the test. */
  readonly #ended = new AbortController();

  /** @param env further settings of the program @param options further options of the board */
  constructor(env: Readonly<Record<string, string>> = {}, options: Readonly<Record<string, unknown>> = {}) {
    onTestFinished(() => {
      this.#ended.abort();
      execFileSync('sh', ['-c', `ip netns del ${this.#name} 2>/dev/null || true`]);
      rmSync(this.folder, { recursive: true, force: true });
    });
    execFileSync('ip', ['netns', 'add', this.#name]);
    this.ip('link', 'set', 'lo', 'up');
    this.ip('link', 'add', 'eth0', 'type', 'veth', 'peer', 'name', 'cable');
    this.ip('link', 'set', 'cable', 'up');
    this.ip('address', 'add', '10.98.0.2/24', 'dev', 'eth0');
    this.ip('link', 'set', 'eth0', 'up');
    mkdirSync(this.#programs);
    const refuses = `case "$*" in *"address replace"*) [ -e "${this.folder}/broken" ] && { echo "RTNETLINK answers: Operation not permitted" >&2; exit 2; };; esac`;
    recorder(this.#programs, 'ip', `${refuses}\nexec ${realIp} "$@"`);
    recorder(
      this.#programs,
      'systemctl',
      `[ -e "${this.folder}/stuck" ] && { echo "Job canceled." >&2; exit 1; }; true`,
    );
    recorder(this.#programs, 'date');
    recorder(this.#programs, 'timedatectl', `cat "${this.folder}/synchronised" 2>/dev/null || echo no`);
    const fails = `[ -e "${this.folder}/broken" ] && { echo "LastError: no slot" >&2; exit 1; }`;
    const installs = `echo "  0% Installing"; cp "$3" "${this.folder}/installed"; echo " 40% Copying"; echo "100% Installing done."`;
    recorder(this.#programs, 'rauc', `${fails}\n${installs}`);
    this.#scanner = new NamespaceProcess(
      [...this.#inside, process.execPath, at('examples/linux-board/scanner.mjs')],
      {
        PATH: `${this.#programs}${delimiter}${process.env.PATH}`,
        TZ: 'UTC',
        BOARD_DATA: join(this.folder, 'data'),
        BOARD_OPTIONS: JSON.stringify({ bundle: join(this.folder, 'bundle'), ...options }),
        ...env,
      },
    );
  }

  get #inside(): readonly string[] {
    return ['ip', 'netns', 'exec', this.#name];
  }

  /** What the scanner has printed. */
  get log(): string {
    return this.#scanner.output;
  }

  /** How the programs of the system were called, without the reads of `ip` and `timedatectl`. */
  get calls(): readonly string[] {
    const lines = readFileSync(join(this.#programs, 'calls'), 'utf8').trim().split('\n');
    return lines.filter((line) => !/^(ip -json|timedatectl)/.test(line));
  }

  /** Addresses of the interface. */
  get addresses(): readonly string[] {
    const printed = this.ip('-4', '-oneline', 'address', 'show', 'dev', 'eth0');
    return [...printed.matchAll(/inet (\S+)/g)].map(([, address = '']) => address).toSorted();
  }

  ip(...words: readonly string[]): string {
    return execFileSync('ip', ['-n', this.#name, ...words], { encoding: 'utf8' });
  }

  write(file: string, content: string): void {
    writeFileSync(join(this.folder, file), content);
  }

  /** The value of a variable by curl in the namespace; undefined if nothing answers at this address. */
  async get(address: string, path: string): Promise<unknown> {
    const url = `http://${address}/${path}`;
    try {
      const { stdout } = await run('ip', [...this.#inside.slice(1), 'curl', '-sS', '-m', '2', url]);
      return Object.values(object(object(parse(stdout)).data))[0];
    } catch {
      return undefined;
    }
  }

  /** Waits until the scanner answers at this address. */
  async reachedAt(address: string): Promise<void> {
    await until(async () => (await this.get(address, 'api/DeviceStatus')) !== undefined, 30_000);
  }

  /** A command in the namespace, as Service. */
  async azimuth(address: string, ...words: readonly string[]): Promise<string> {
    const device = ['--device', `http://${address}`];
    const command = [...this.#inside.slice(1), process.execPath, bin, ...words, ...device];
    const env = { ...process.env, AZIMUTH_PASSWORD: 'servicelevel' };
    const { stdout } = await run('ip', command, { env, signal: this.#ended.signal });
    return stdout;
  }

  /** Sets the address and puts it into force, as people do. */
  async moveTo(from: string, to: string, gateway = '0.0.0.0'): Promise<void> {
    await this.azimuth(from, 'set', 'EtherIPAddress', to);
    await this.azimuth(from, 'set', 'EtherIPGateAddress', gateway);
    await this.azimuth(from, 'call', 'EthernetUpdate', '--yes');
  }
}

test(
  'a Linux board moves to the address that clients set, and stays where it is if the system refuses',
  async () => {
    const board = new NamespacedBoard();
    // A new scanner has the address of the factory.
    await board.reachedAt('192.168.0.1');
    expect(board.addresses).toEqual(['192.168.0.1/24']);
    await board.moveTo('192.168.0.1', '10.98.0.7', '10.98.0.1');
    await board.reachedAt('10.98.0.7');
    expect(board.addresses).toEqual(['10.98.0.7/24']);
    expect(board.ip('route', 'show', 'default')).toContain('via 10.98.0.1 dev eth0');
    expect(await board.get('192.168.0.1', 'api/DeviceStatus')).toBeUndefined();
    // In the same subnet: the kernel removes the route together with the old address.
    await board.moveTo('10.98.0.7', '10.98.0.8', '10.98.0.1');
    await board.reachedAt('10.98.0.8');
    expect(board.addresses).toEqual(['10.98.0.8/24']);
    expect(board.ip('route', 'show', 'default')).toContain('via 10.98.0.1 dev eth0');
    expect(await board.get('10.98.0.8', 'x/network')).toMatchObject({ Address: [10, 98, 0, 8], Fault: '' });

    board.write('broken', '');
    await board.moveTo('10.98.0.8', '10.98.0.9');
    await until(async () => (await board.get('10.98.0.8', 'api/DeviceStatus')) === 7);
    expect(await board.get('10.98.0.8', 'x/network')).toMatchObject({
      Address: [10, 98, 0, 8],
      Fault: expect.stringContaining('RTNETLINK answers: Operation not permitted'),
    });
    expect(board.addresses).toEqual(['10.98.0.8/24']);
    expect(board.log.match(/network\.apply/g)).toHaveLength(1);
    rmSync(join(board.folder, 'broken'));
    // The last of its commands fails: the others are taken back.
    board.write('stuck', '');
    await board.moveTo('10.98.0.8', '10.98.0.9', '10.98.0.254');
    await until(async () =>
      String(object(await board.get('10.98.0.8', 'x/network')).Fault).includes('Job canceled.'),
    );
    expect(board.addresses).toEqual(['10.98.0.8/24']);
    expect(board.ip('route', 'show', 'default')).toContain('via 10.98.0.1 dev eth0');
    rmSync(join(board.folder, 'stuck'));
    await board.moveTo('10.98.0.8', '10.98.0.9');
    await board.reachedAt('10.98.0.9');
    expect(board.ip('route', 'show', 'default')).toBe('');
    expect(await board.get('10.98.0.9', 'api/DeviceStatus')).not.toBe(7);
  },
  limit,
);

test(
  'a Linux board follows its DHCP client, tells its clock, and restarts by systemctl',
  async () => {
    const board = new NamespacedBoard();
    await board.reachedAt('192.168.0.1');
    await board.azimuth('192.168.0.1', 'set', 'EtherAddressingMode', 'TX_IP_DHCP');
    await board.azimuth('192.168.0.1', 'call', 'EthernetUpdate', '--yes');
    await until(() => board.calls.includes('systemctl start --no-block dhcp-client@eth0'));
    // Its static address is in use until there is a lease.
    await until(() => board.addresses.join() === '192.168.0.1/24');
    // What a DHCP client does.
    board.ip('address', 'add', '10.98.0.42/24', 'dev', 'eth0', 'valid_lft', '600', 'preferred_lft', '600');
    await board.reachedAt('10.98.0.42');
    expect(await board.get('10.98.0.42', 'api/EtherIPAddressDHCP')).toEqual([10, 98, 0, 42]);
    expect(await board.get('10.98.0.42', 'x/network')).toMatchObject({ Source: 2, Mask: [255, 255, 255, 0] });

    const moment =
      'DateTime={"uiYear":2031,"usiMonth":2,"usiDay":3,"usiHour":4,"usiMinute":5,"usiSec":6,"udiUSec":0}';
    await board.azimuth('10.98.0.42', 'call', 'LSPsetdatetime', moment, '--yes');
    expect(board.calls.filter((line) => line.startsWith('date '))).toEqual([
      expect.stringMatching(/^date --utc --set=@1927857906(\.\d+)?$/),
    ]);
    board.write('synchronised', 'yes\n');
    await until(async () => object(await board.get('10.98.0.42', 'x/time')).System === 'NTP');
    expect(await board.get('10.98.0.42', 'x/time')).toMatchObject({ Synchronised: true });

    await board.azimuth('10.98.0.42', 'call', 'RebootDevice', '--yes');
    await until(() => board.calls.includes('systemctl reboot'));
    expect(await board.get('10.98.0.42', 'api/DeviceStatus')).toBeUndefined();
  },
  limit,
);

test(
  'a Linux board installs firmware by RAUC, tells why it did not, and restarts with it',
  async () => {
    const keys = mkdtempSync(join(tmpdir(), 'azimuth-keys-'));
    onTestFinished(() => rmSync(keys, { recursive: true, force: true }));
    const own = (file: string) => join(keys, file);
    const firmware = (...words: readonly string[]) => run(process.execPath, [bin, 'firmware', ...words]);
    await firmware('keygen', '--out', own('keys'));
    writeFileSync(own('bundle.raucb'), 'a bundle for two slots');
    const payload = ['--payload', own('bundle.raucb')];
    await firmware('build', '--release', '2.4.4', ...payload, '--out', own('F.spk'));
    const key = ['--key', own('keys/firmware-private.pem')];
    await firmware('sign', own('F.spk'), ...key, '--out', own('F.spk.signed'));

    const board = new NamespacedBoard({ BOARD_KEY: own('keys/firmware-public.pem') });
    await board.reachedAt('192.168.0.1');
    const update = () => board.azimuth('192.168.0.1', 'update', own('F.spk.signed'), '--yes');
    board.write('broken', '');
    await expect(update()).rejects.toThrow('rauc: LastError: no slot');
    expect(await board.get('192.168.0.1', 'api/UpdateState')).toBe(3);
    expect(await board.get('192.168.0.1', 'x/firmware')).toMatchObject({ Fault: 'rauc: LastError: no slot' });
    expect(board.calls).not.toContain('systemctl reboot');

    rmSync(join(board.folder, 'broken'));
    // It waits for a scanner that never comes back.
    update().catch(() => undefined);
    await until(async () => object(await board.get('192.168.0.1', 'x/firmware')).Progress === 100);
    await until(() => board.calls.includes('systemctl reboot'));
    expect(readFileSync(join(board.folder, 'installed'), 'utf8')).toBe('a bundle for two slots');
    expect(existsSync(join(board.folder, 'bundle'))).toBe(false);
  },
  limit,
);

test(
  'a Linux board shows its lamps and drives its outputs by /sys',
  async () => {
    const sys = mkdtempSync(join(tmpdir(), 'azimuth-sys-'));
    onTestFinished(() => rmSync(sys, { recursive: true, force: true }));
    const led = (color: string) => `class/leds/state:${color}`;
    const colors = ['green', 'yellow', 'red'];
    for (const folder of [...colors.map(led), 'class/gpio/gpio17', 'class/gpio/gpio18']) {
      mkdirSync(join(sys, folder), { recursive: true });
    }
    const leds = Object.fromEntries(colors.map((color) => [`state ${color}`, `state:${color}`]));
    new NamespacedBoard({}, { sys, leds, gpios: [17, 18] });
    const read = (file: string) => (existsSync(join(sys, file)) ? readFileSync(join(sys, file), 'utf8') : '');
    const lit = () => colors.filter((color) => read(`${led(color)}/brightness`) === '1');
    await until(() => lit().length === 1 && read('class/gpio/gpio18/value') !== '', 30_000);
    expect(read(`${led(lit()[0] ?? '')}/trigger`)).toBe('none');
    expect(['0', '1']).toContain(read('class/gpio/gpio17/value'));
  },
  limit,
);
