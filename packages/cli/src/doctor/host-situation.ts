import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/**
 * The environment of this computer that may block datagrams: WSL2 or a container, both behind NAT, or a network that
 * Windows treats as public.
 */
export type HostSituation = 'WSL2' | 'container' | 'public network';

/** The functions of the system that are needed. */
export interface HostProbes {
  /** `linux`, `win32` … */
  readonly platform: string;
  /** Reads a file; empty if there is none. */
  read(path: string): string;
  exists(path: string): boolean;
  /** Reads the categories of the networks of Windows, one per line; empty if they are not known. */
  networkCategories(): Promise<string>;
}

/** Time limit of PowerShell in ms: it starts slowly. */
const powerShellTimeout = 5000;

const systemProbes: HostProbes = {
  platform: process.platform,
  read: (path) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return '';
    }
  },
  exists: existsSync,
  networkCategories: async () => {
    const command = '(Get-NetConnectionProfile).NetworkCategory';
    const words = ['-NoProfile', '-NonInteractive', '-Command', command];
    try {
      const { stdout } = await promisify(execFile)('powershell.exe', words, { timeout: powerShellTimeout });
      return stdout;
    } catch {
      return '';
    }
  },
};

/** Returns the situation; undefined outside of WSL2, containers and public networks of Windows. */
export async function hostSituation(probes: HostProbes = systemProbes): Promise<HostSituation | undefined> {
  if (probes.platform === 'win32')
    return /^\s*Public\s*$/im.test(await probes.networkCategories()) ? 'public network' : undefined;
  if (probes.platform !== 'linux') return undefined;
  // A container on Windows has the kernel of WSL2, too.
  if (isContainer(probes)) return 'container';
  return /microsoft/i.test(probes.read('/proc/version')) ? 'WSL2' : undefined;
}

function isContainer({ exists, read }: HostProbes): boolean {
  return (
    exists('/.dockerenv') ||
    exists('/run/.containerenv') ||
    // A pod of Kubernetes may show no other sign.
    exists('/var/run/secrets/kubernetes.io') ||
    /docker|containerd|kubepods|libpod|lxc/.test(read('/proc/1/cgroup')) ||
    hasBridgeGateway(read('/proc/net/route'))
  );
}

/**
 * True if the default route is the usual bridge of Docker, 172.17.0.1. The kernel writes addresses as little-endian
 * numbers.
 */
function hasBridgeGateway(routes: string): boolean {
  return routes.split('\n').some((line) => {
    const [, destination, gateway] = line.trim().split(/\s+/);
    return destination === '00000000' && gateway === '010011AC';
  });
}
