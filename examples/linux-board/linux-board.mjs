import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** Runs a command of the system, and returns what it prints. Rejects with its last line of errors if it fails. */
export function run(program, words, { signal, printed = () => {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = execFile(program, words, { signal }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${program}: ${stderr.trim().split('\n').at(-1) || error.message}`));
    });
    child.stdout.on('data', printed);
  });
}

/**
 * A board with Linux: its network by `ip`, its clock by `timedatectl` and `date`, its firmware by RAUC, its lamps and
 * outputs by /sys. Copy it, and change what differs on your board.
 */
export class LinuxBoard {
  /**
   * @param networkDevice its network interface
   * @param leds folder of /sys/class/leds for each lamp and color, for example `{ 'state green': 'status:green' }`
   * @param gpios number of the output in /sys/class/gpio for each pin of the plug
   * @param bundle file that takes the firmware until it is installed
   */
  constructor({
    networkDevice = 'eth0',
    leds = {},
    gpios = [],
    bundle = '/var/tmp/update.raucb',
    sys = '/sys',
  } = {}) {
    this.networkDevice = networkDevice;
    this.leds = leds;
    this.gpios = gpios;
    this.bundle = bundle;
    this.sys = sys;
  }

  network = {
    /** The old address goes when the new one is there. If that fails, the old settings stay. */
    apply: async ({ addressing, address }) => {
      const dhcp = `dhcp-client@${this.networkDevice}`;
      if (addressing === 'DHCP') {
        // The unit of your DHCP client. It goes on in the background, so that this does not wait for a lease.
        await run('systemctl', ['start', '--no-block', dhcp]);
        return;
      }
      const device = ['dev', this.networkDevice];
      const wanted = cidrOf(address);
      const before = (await this.#addresses()).map(({ local, prefixlen }) => `${local}/${prefixlen}`);
      await run('ip', ['address', 'replace', wanted, ...device]);
      try {
        const gateway = address.gateway.join('.');
        if (gateway !== '0.0.0.0')
          await run('ip', ['route', 'replace', 'default', 'via', gateway, ...device]);
        await run('systemctl', ['stop', dhcp]);
      } catch (error) {
        if (!before.includes(wanted)) await run('ip', ['address', 'delete', wanted, ...device]);
        throw error;
      }
      for (const other of before.filter((cidr) => cidr !== wanted)) {
        await run('ip', ['address', 'delete', other, ...device]);
      }
      // The kernel may remove it together with an address of the same subnet.
      await run('ip', ['address', 'replace', wanted, ...device]);
    },
    /** The last known lease. A read of the system is too slow for a sensor, so that it goes on in the background. */
    lease: () => this.#lease.value,
  };

  clock = {
    set: (utc) => run('date', ['--utc', `--set=@${utc / 1000}`]),
    disciplined: () => this.#discipline.value,
  };

  firmware = {
    install: async (file, progress, signal) => {
      try {
        // If the file was changed since the check, this fails, and nothing is installed.
        await pipeline(file, createWriteStream(this.bundle), { signal });
        // RAUC prints lines such as ` 40% Checking bundle done.`
        await run('rauc', ['install', '--progress', this.bundle], {
          signal,
          printed: (text) => {
            for (const [, percent] of text.matchAll(/(\d+)%/g)) progress(Number(percent));
          },
        });
      } finally {
        await rm(this.bundle, { force: true });
      }
    },
  };

  /** SoftReset restarts the scanner alone. Anything else restarts the board, which ends this program. */
  async reboot(kind) {
    if (kind === 'SoftReset') return;
    await run('systemctl', ['reboot']);
    await new Promise(() => {});
  }

  async setLamps(lamps) {
    for (const { id, color, shows } of lamps) {
      for (const each of ['green', 'yellow', 'red']) {
        const led = this.leds[`${id} ${each}`];
        if (led === undefined) continue;
        const state = each === color ? shows : 'off';
        const folder = `${this.sys}/class/leds/${led}`;
        await writeFile(`${folder}/trigger`, state === 'blinking' ? 'timer' : 'none');
        if (state !== 'blinking') await writeFile(`${folder}/brightness`, state === 'on' ? '1' : '0');
      }
    }
  }

  async setOutputs(levels) {
    for (const [pin, gpio] of this.gpios.entries()) {
      await writeFile(`${this.sys}/class/gpio/gpio${gpio}/value`, levels[pin] === 'high' ? '1' : '0');
    }
  }

  #lease = new Background(async () => {
    const [leased] = (await this.#addresses()).filter(({ dynamic }) => dynamic);
    if (leased === undefined) return undefined;
    const routes = await run('ip', ['-json', 'route', 'show', 'default', 'dev', this.networkDevice]);
    const [{ gateway = '0.0.0.0' } = {}] = JSON.parse(routes);
    return {
      address: bytesOf(leased.local),
      mask: maskOf(leased.prefixlen),
      gateway: bytesOf(gateway),
    };
  });

  #discipline = new Background(async () => {
    const answer = await run('timedatectl', ['show', '--property=NTPSynchronized', '--value']);
    return answer.trim() === 'yes' ? { by: 'NTP' } : undefined;
  });

  async #addresses() {
    const printed = await run('ip', ['-json', '-4', 'address', 'show', 'dev', this.networkDevice]);
    return JSON.parse(printed).flatMap(({ addr_info = [] }) => addr_info);
  }
}

/** A value that takes a while to read. Each look begins the next read, and gets the result of the last one. */
class Background {
  #read;
  #isReading = false;
  #last = { value: undefined };

  constructor(read) {
    this.#read = read;
  }

  /** @throws the error of the last read */
  get value() {
    void this.#refresh();
    if ('error' in this.#last) throw this.#last.error;
    return this.#last.value;
  }

  async #refresh() {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      this.#last = { value: await this.#read() };
    } catch (error) {
      this.#last = { error };
    } finally {
      this.#isReading = false;
    }
  }
}

/** `10.0.0.7/24` */
function cidrOf({ address, mask }) {
  const bits = mask.map((byte) => byte.toString(2)).join('');
  return `${address.join('.')}/${bits.split('1').length - 1}`;
}

function bytesOf(text) {
  return text.split('.').map(Number);
}

function maskOf(prefix) {
  return [0, 1, 2, 3].map((byte) => 256 - 2 ** (8 - Math.min(8, Math.max(0, prefix - 8 * byte))));
}
