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
    /** The old address goes when the new one is there. If that fails, the old settings come back. */
    apply: async ({ addressing, address, fallback }) => {
      // The unit of your DHCP client. It goes on in the background, so that this does not wait for a lease.
      const client = `dhcp-client@${this.networkDevice}`;
      const usesDhcp = addressing === 'DHCP';
      const hasAddress = !usesDhcp || fallback === 'static';
      const before = await this.#addresses();
      const gatewayBefore = await this.#gateway();
      const leases = before.filter(({ dynamic }) => dynamic);
      const kept = usesDhcp ? leases.map(cidrOf) : [];
      const wanted = hasAddress ? cidrIn(address) : undefined;
      const set = async () => {
        if (wanted !== undefined && !kept.includes(wanted))
          await run('ip', ['address', 'replace', wanted, ...this.#device]);
        // That of a lease is the task of the DHCP client.
        if (kept.length === 0) await this.#setGateway(hasAddress ? address.gateway.join('.') : noGateway);
      };
      try {
        await set();
        await run('systemctl', usesDhcp ? ['start', '--no-block', client] : ['stop', client]);
        for (const cidr of (await this.#addresses())
          .filter(({ dynamic }) => !(usesDhcp && dynamic))
          .map(cidrOf)) {
          if (cidr !== wanted) await run('ip', ['address', 'delete', cidr, ...this.#device]);
        }
        // The kernel may have removed them together with an address of the same subnet.
        await set();
      } catch (error) {
        await this.#restore(before, gatewayBefore);
        if (!usesDhcp && leases.length > 0) await run('systemctl', ['start', '--no-block', client]);
        throw error;
      }
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

  /** For PNP outputs, which are high or open. A pin of NPN or PUSH_PULL needs a second line, which drives it low. */
  async setOutputs(levels) {
    for (const [pin, gpio] of this.gpios.entries()) {
      await writeFile(`${this.sys}/class/gpio/gpio${gpio}/value`, levels[pin] === 'high' ? '1' : '0');
    }
  }

  #lease = new Background(async () => {
    const [leased] = (await this.#addresses()).filter(({ dynamic }) => dynamic);
    if (leased === undefined) return undefined;
    return {
      address: bytesOf(leased.local),
      mask: maskOf(leased.prefixlen),
      gateway: bytesOf(await this.#gateway()),
    };
  });

  #discipline = new Background(async () => {
    const answer = await run('timedatectl', ['show', '--property=NTPSynchronized', '--value']);
    return answer.trim() === 'yes' ? { by: 'NTP' } : undefined;
  });

  async #addresses() {
    const printed = await run('ip', ['-json', '-4', 'address', 'show', ...this.#device]);
    return JSON.parse(printed).flatMap(({ addr_info = [] }) => addr_info);
  }

  async #gateway() {
    const [{ gateway = noGateway } = {}] = JSON.parse(
      await run('ip', ['-json', 'route', 'show', 'default', ...this.#device]),
    );
    return gateway;
  }

  async #setGateway(gateway) {
    if (gateway !== noGateway)
      await run('ip', ['route', 'replace', 'default', 'via', gateway, ...this.#device]);
    else if ((await this.#gateway()) !== noGateway)
      await run('ip', ['route', 'delete', 'default', ...this.#device]);
  }

  /** Puts addresses and a gateway back as they were. */
  async #restore(addresses, gateway) {
    const before = addresses.map(cidrOf);
    for (const cidr of (await this.#addresses()).map(cidrOf)) {
      if (!before.includes(cidr)) await run('ip', ['address', 'delete', cidr, ...this.#device]);
    }
    const left = (await this.#addresses()).map(cidrOf);
    for (const cidr of before) {
      if (!left.includes(cidr)) await run('ip', ['address', 'add', cidr, ...this.#device]);
    }
    await this.#setGateway(gateway);
  }

  get #device() {
    return ['dev', this.networkDevice];
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

const noGateway = '0.0.0.0';

/** `10.0.0.7/24` of an address as `ip` prints it. */
function cidrOf({ local, prefixlen }) {
  return `${local}/${prefixlen}`;
}

/** `10.0.0.7/24` of an address of the settings. */
function cidrIn({ address, mask }) {
  const bits = mask.map((byte) => byte.toString(2)).join('');
  return `${address.join('.')}/${bits.split('1').length - 1}`;
}

function bytesOf(text) {
  return text.split('.').map(Number);
}

function maskOf(prefix) {
  return [0, 1, 2, 3].map((byte) => 256 - 2 ** (8 - Math.min(8, Math.max(0, prefix - 8 * byte))));
}
