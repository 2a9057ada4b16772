// The programs that tests/peers needs beside Node. As root, what is missing is installed; otherwise a line says how.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from './prepare.mjs';
import { run } from './run.mjs';
import { leaveCount } from './test-count.mjs';

/** Each program or library, the Debian package that has it, and the tests that cannot do without. */
const programs = [
  { name: 'prlimit', debian: 'util-linux', tests: ['full-disk', 'open-files'] },
  { name: 'setpriv', debian: 'util-linux', tests: ['read-only-folder', 'device-service', 'ptp/*'] },
  { name: 'curl', debian: 'curl', tests: ['curl', 'linux-board', 'readme', 'tutorials'] },
  { name: 'openssl', debian: 'openssl', tests: ['readme'] },
  { name: 'nginx', folders: '/usr', below: 'nginx', debian: 'nginx-light', tests: ['nginx'] },
  { name: 'chromium', debian: 'chromium', tests: ['chromium', 'gui/*'] },
  { name: 'ptp4l', debian: 'linuxptp', tests: ['ptp/*'] },
  { name: 'ip', debian: 'iproute2', tests: ['linux-board', 'ptp/*'] },
  { name: 'cc', debian: 'gcc libc6-dev', tests: ['core-socket', 'tutorials', 'ros2/*'] },
  { name: 'c++', debian: 'g++', tests: ['recipes', 'ros2/*'] },
  { name: 'cmake', debian: 'cmake make', tests: ['recipes'] },
  { name: 'python3', debian: 'python3', tests: ['core-socket', 'recipes', 'device-service'] },
  { name: 'systemd-notify', debian: 'systemd', tests: ['device-service'] },
  { name: 'logrotate', debian: 'logrotate', tests: ['device-service'] },
  { name: 'pytest', debian: 'python3-pytest', tests: ['recipes'] },
  { name: 'idlc', debian: 'cyclonedds-tools', tests: ['ros2/*'] },
  { name: 'CycloneDDS', header: 'dds/dds.h', debian: 'cyclonedds-dev', tests: ['ros2/*'] },
  {
    name: 'Fast DDS',
    header: 'fastdds/dds/domain/DomainParticipant.hpp',
    debian: 'libfastrtps-dev',
    tests: ['ros2/*'],
  },
  { name: 'promtool', debian: 'prometheus', tests: ['prometheus', 'postgres/metrics', 'tutorials'] },
  {
    name: 'mosquitto',
    folders: '/usr',
    below: 'mosquitto',
    debian: 'mosquitto',
    tests: ['mosquitto'],
  },
  {
    name: 'rsyslogd',
    folders: '/usr',
    below: 'rsyslogd',
    debian: 'rsyslog rsyslog-openssl',
    tests: ['rsyslog'],
  },
  { name: 'tshark', debian: 'tshark', tests: ['ros2/dissector', 'wireshark'] },
  {
    name: 'messages of ROS 1',
    folders: '/usr/lib/python3',
    below: 'sensor_msgs',
    debian: 'python3-sensor-msgs python3-tf2-msgs',
    tests: ['bridge'],
  },
  // The tests make servers of their own. Debian keeps the programs for that out of the search path, by versions.
  {
    name: 'initdb',
    folders: '/usr/lib/postgresql',
    below: 'bin/initdb',
    debian: 'postgresql',
    tests: ['postgres/*'],
  },
];

/** Chromium without its window: the tests of the GUI do without it, in three times the computing time. */
const shell = { name: 'chromium-headless-shell', debian: 'chromium-headless-shell' };

/** Tests that make namespaces, which only root can. */
const forRoot = ['ptp/*', 'device-service', 'linux-board'];

/** Releases of Node that a scanner is started with, beside the one that runs this. */
const releases = [22, 24];

const isProgram = (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined;
const isHeader = (header) =>
  spawnSync('c++', ['-E', '-x', 'c++', '-include', header, '/dev/null'], { stdio: 'ignore' }).status === 0;
const isBelow = (folders, file) =>
  existsSync(folders) && readdirSync(folders).some((folder) => existsSync(join(folders, folder, file)));
const isThere = ({ name, header, folders, below }) =>
  header === undefined
    ? isProgram(name) || (folders !== undefined && isBelow(folders, below))
    : isHeader(header);

/** Whether this user may record what is sent on loopback. */
const canCapture = () =>
  spawnSync('dumpcap', ['-q', '-i', 'lo', '-a', 'duration:1', '-w', '/dev/null'], { stdio: 'ignore' })
    .status === 0;

const say = (line) => process.stderr.write(`${line}\n`);

function missingPrograms() {
  const missing = programs.filter((program) => !isThere(program));
  if (missing.length === 0) return [];
  const packages = [...new Set(missing.map(({ debian }) => debian))].join(' ');
  const install = `apt-get install -y -qq --no-install-recommends ${packages}`;
  if (process.getuid?.() === 0) {
    say(`Installing ${packages} …`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    run('sh', ['-c', `apt-get update -qq && ${install}`], { stdout: 'stderr', env });
  } else {
    say(`To run all tests: sudo ${install}`);
  }
  return missing.filter((program) => !isThere(program));
}

/** Not every system has it. */
function installShell() {
  if (isThere(shell) || process.getuid?.() !== 0) return;
  say(`Installing ${shell.debian} …`);
  const install = `apt-get install -y -qq --no-install-recommends ${shell.debian}`;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('sh', ['-c', `${install} || { timeout 120 apt-get update -qq && ${install}; }`], {
    stdout: 'stderr',
    env,
  });
}

/** The program of a release of Node out of the npm registry; undefined where it has none for this machine. */
function node(release) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = join(root, '.cache', `node-${release}`);
  const program = join(
    folder,
    'node_modules',
    name,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  if (!existsSync(program)) {
    say(`Fetching Node ${release} …`);
    run('npm', ['install', '--no-save', '--prefix', folder, `${name}@${release}`], { stdout: 'stderr' });
  }
  return existsSync(program) ? program : undefined;
}

/**
 * Installs what is missing, as far as it can. What is still missing then makes a run with CI=true fail, by `missing`.
 * @returns arguments that leave out the tests that cannot run, variables for the others, and a line for each thing missing
 */
export function preparePeers() {
  const withoutPrograms = missingPrograms();
  installShell();
  if (!withoutPrograms.some(({ name }) => name === 'tshark') && !canCapture()) {
    withoutPrograms.push({ name: 'right to capture packets (dumpcap)', tests: ['ros2/dissector'] });
  }
  const nodes = releases.map((release) => ({ release, program: node(release) }));
  const missing = [
    ...withoutPrograms.map(({ name, tests }) => `no ${name}: tests/peers/${tests.join(', ')} not run`),
    ...nodes
      .filter(({ program }) => program === undefined)
      .map(({ release }) => `the npm registry gives no Node ${release} here: nothing run with it`),
  ];
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) missing.push(`not root: tests/peers/${forRoot.join(', ')} not run`);
  const found = nodes.flatMap(({ program }) => program ?? []);
  const left = [...withoutPrograms.flatMap(({ tests }) => tests), ...(isRoot ? [] : forRoot)];
  if (found.length === 0) left.push('other-nodes', 'memory');
  return {
    exclusions: left.map((name) => `--exclude=tests/peers/${name}.test.ts`),
    variables: { AZIMUTH_OTHER_NODES: found.join(delimiter) },
    missing,
  };
}

/** Prints what is missing. @returns true if the run fails for that */
export function failsWithout(missing) {
  for (const line of missing) say(line);
  if (process.env.CI !== 'true' || missing.length === 0) return false;
  leaveCount(
    0,
    missing.map((line) => `FAILED ${line}`),
  );
  return true;
}
