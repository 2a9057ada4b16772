// npm run campaign NAME [-- options]: long runs of tests that npm runs for seconds. A run that fails prints its seed;
// the same seed sends the same inputs.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare, root } from './prepare.mjs';
import { run } from './run.mjs';

const million = 1_000_000;

/** The tests of each campaign, its default extent, and its options. */
const campaigns = {
  'fuzz-http': {
    what: 'hostile bytes, HTTP, JSON and values at the HTTP port',
    files: ['tests/long/fuzz/http.test.ts'],
    far: { inputs: million },
    takes: ['inputs', 'seconds', 'seed'],
  },
  'fuzz-control': {
    what: 'hostile bytes, HTTP, JSON and scenes at the control port',
    files: ['tests/long/fuzz/control.test.ts'],
    far: { inputs: million },
    takes: ['inputs', 'seconds', 'seed'],
  },
  'fuzz-velocity': {
    what: 'hostile datagrams at the velocity port, while a driver drives',
    files: ['tests/long/fuzz/velocity.test.ts'],
    far: { inputs: million },
    takes: ['inputs', 'seconds', 'seed'],
  },
  'fuzz-uploads': {
    what: 'hostile parameter backups, forms and firmware files',
    files: ['tests/long/fuzz/uploads.test.ts'],
    far: { inputs: million },
    takes: ['inputs', 'seconds', 'seed'],
  },
  'fuzz-legacy': {
    what: 'damaged telegrams, and noise between telegrams, at the legacy ports',
    files: ['tests/long/fuzz/legacy.test.ts'],
    far: { inputs: million },
    takes: ['inputs', 'seed'],
  },
  'fuzz-events': {
    what: 'hostile messages and WebSocket frames at /apievents and /x/events',
    files: ['tests/long/fuzz/events.test.ts'],
    far: { inputs: million },
    takes: ['inputs', 'seconds', 'seed'],
  },
  'fuzz-search': {
    what: 'hostile datagrams at the device search, and bytes from clients of a data stream',
    files: ['tests/long/fuzz/search.test.ts'],
    far: { inputs: million },
    takes: ['inputs', 'seconds', 'seed'],
  },
  'fuzz-ros2': {
    what: 'hostile datagrams at the port of native ROS 2',
    files: ['tests/long/fuzz/ros2.test.ts'],
    far: { inputs: million },
    takes: ['inputs', 'seconds', 'seed'],
  },
  'fuzz-ptp': {
    what: 'hostile PTP messages at a slave, beside a good master',
    files: ['tests/long/fuzz/ptp.test.ts'],
    far: { inputs: million },
    takes: ['inputs', 'seconds', 'seed'],
  },
  'fuzz-core-socket': {
    what: 'hostile cores at the core socket, and good ones in between',
    files: ['tests/long/fuzz/core-socket.test.ts'],
    far: { inputs: million },
    takes: ['inputs', 'seconds', 'seed'],
  },
  'core-socket': {
    what: '50 scans a second of a core in another process: no segment is lost',
    files: ['tests/long/core-socket'],
    far: { minutes: 60 },
    takes: ['minutes'],
    variables: { minutes: 'AZIMUTH_CORE_SOCKET_MINUTES' },
  },
  relay: {
    what: '250 telegrams a second through azimuth relay to three programs, beside one that does not read: none is lost',
    files: ['tests/long/relay'],
    far: { minutes: 60 },
    takes: ['minutes'],
    variables: { minutes: 'AZIMUTH_RELAY_MINUTES' },
  },
  'power-cuts': {
    what: 'kill -9 in the middle of saves',
    files: ['tests/long/power-cuts/power-cuts'],
    far: { cuts: 1000 },
    takes: ['cuts', 'seed'],
  },
  damage: {
    what: 'flipped bits and damaged sectors in every file of a scanner, and in the journal of a fleet: each is found at the next start',
    files: ['tests/long/damage'],
    far: { cases: 20_000 },
    takes: ['cases', 'seed'],
    variables: { cases: 'AZIMUTH_DAMAGE_CASES', seed: 'AZIMUTH_DAMAGE_SEED' },
  },
  flood: {
    what: 'hundreds of clients that request everything and read nothing: delay of the scan data',
    files: ['tests/long/floods/campaign.test.ts'],
    far: { ms: 2000 },
    takes: ['ms', 'only', 'launcher'],
  },
  'flood-fleet': {
    what: 'the same at every public path of a fleet of 10,000 and of its gateway, and the memory of the gateway',
    files: ['tests/long/floods/fleet.test.ts'],
    far: { ms: 2000 },
    takes: ['ms', 'only', 'launcher'],
  },
  soak: {
    what: 'streams, events, saves and reboots: memory, files and response times stay the same',
    files: ['tests/long/soak'],
    far: { minutes: 60 },
    takes: ['minutes'],
  },
  ros2: {
    what: 'scans of three profiles to CycloneDDS and Fast DDS; each profile so many seconds',
    files: ['tests/peers/ros2/scans.test.ts'],
    far: { seconds: 60 },
    takes: ['seconds'],
    variables: { seconds: 'AZIMUTH_ROS2_SECONDS' },
  },
  'live-view': {
    what: 'the live view of the GUI in Chromium: the memory of the page stays the same',
    files: ['tests/peers/gui/memory.test.ts'],
    far: { minutes: 10 },
    takes: ['minutes'],
    variables: { minutes: 'AZIMUTH_LIVE_MINUTES' },
  },
  fleet: {
    what: '300 scanners in one process: random saves, power cycles, faults, attacks, and kill -9: nothing is lost, no other is touched',
    files: ['tests/long/fleet'],
    far: { seconds: 3600 },
    takes: ['seconds', 'seed'],
    variables: { seconds: 'AZIMUTH_FLEET_SECONDS' },
  },
  'fleet-postgres': {
    what: 'scanners of three workers and two gateways: kill -9, pauses behind the lease, stops of PostgreSQL: no save is lost, none is stale',
    files: ['tests/peers/postgres/campaign.test.ts'],
    far: { kills: 1000, stops: 50 },
    takes: ['kills', 'stops', 'seed'],
  },
  truth: {
    what: 'wrong drivers of all kinds in all scenes and frames: azimuth truth names each fault, and nothing else',
    files: ['packages/cli/test/long/truth-scenes.test.ts'],
    far: { cases: 'all' },
    takes: [],
    variables: { cases: 'AZIMUTH_TRUTH_CASES' },
  },
  check: {
    what: 'faults planted in scanners, which the cases of azimuth check find; scanners of all editions, which pass them',
    files: ['tests/long/check'],
    far: { editions: 'all' },
    takes: [],
    variables: { editions: 'AZIMUTH_CHECK_EDITIONS' },
  },
  monitor: {
    what: 'thirty days of a site on virtual time: each planted trouble has its alarms, each once, and there are no others; the monitor is killed',
    files: ['tests/long/monitor/'],
    far: { days: 30, scanners: 20 },
    takes: ['days', 'scanners', 'seed'],
  },
  security: {
    what: 'guessing passwords, bypassing the lock, and attacks by web pages; each test is one',
    files: ['tests/security', 'tests/long/limits/web-pages', 'tests/legacy/foreign-protocols'],
    far: {},
    takes: [],
  },
};

/** Options whose value is text. */
const texts = ['only', 'launcher'];

/** The environment variable of each option, for campaigns that have no other for it. */
const variables = {
  seconds: 'AZIMUTH_FUZZ_SECONDS',
  inputs: 'AZIMUTH_FUZZ_INPUTS',
  seed: 'AZIMUTH_FUZZ_SEED',
  cuts: 'AZIMUTH_POWER_CUTS',
  cases: 'AZIMUTH_DAMAGE_CASES',
  /** Of workers of a fleet, and of its database. */
  kills: 'AZIMUTH_FLEET_KILLS',
  stops: 'AZIMUTH_FLEET_STOPS',
  minutes: 'AZIMUTH_SOAK_MINUTES',
  /** Of each flood. */
  ms: 'AZIMUTH_FLOOD_MS',
  only: 'AZIMUTH_FLOOD_ONLY',
  launcher: 'AZIMUTH_FLOOD_LAUNCHER',
  /** Of the site that is watched. */
  days: 'AZIMUTH_MONITOR_DAYS',
  scanners: 'AZIMUTH_MONITOR_SCANNERS',
};

const usage = [
  'npm run campaign NAME [-- OPTIONS]',
  '',
  ...Object.entries(campaigns).map(([name, { what, far, takes }]) => {
    const usual = Object.entries(far).map(([option, value]) => `${value} ${option}`);
    const options = takes.map((option) => `--${option}`).join(' ');
    return `  ${name.padEnd(15)} ${what}${usual.length > 0 ? ` (${usual.join(', ')})` : ''}${options === '' ? '' : `; ${options}`}`;
  }),
  '',
].join('\n');

function fail(message) {
  process.stderr.write(`${message}\n${usage}`);
  process.exit(2);
}

/** The requested campaign with its extent. */
function campaignOf(args) {
  const stated = Object.fromEntries(Object.keys(variables).map((option) => [option, { type: 'string' }]));
  let parsed;
  try {
    parsed = parseArgs({ args, options: { ...stated, help: { type: 'boolean' } }, allowPositionals: true });
  } catch (error) {
    fail(error.message);
  }
  const { help, ...values } = parsed.values;
  const [name, ...others] = parsed.positionals;
  if (help || name === undefined) {
    process.stdout.write(usage);
    process.exit(help ? 0 : 2);
  }
  const campaign = Object.hasOwn(campaigns, name) ? campaigns[name] : undefined;
  if (campaign === undefined) fail(`there is no campaign ${name}`);
  if (others.length > 0) fail('one campaign at a time');
  for (const [option, value] of Object.entries(values)) {
    if (!campaign.takes.includes(option)) fail(`${name} takes no --${option}`);
    if (!texts.includes(option) && !/^\d{1,9}$/.test(value)) fail(`--${option} takes a number`);
  }
  const isFar = Object.keys(values).some((option) => option !== 'seed' && !texts.includes(option));
  return { ...campaign, extent: isFar ? values : { ...campaign.far, ...values } };
}

const { files, extent, variables: own } = campaignOf(process.argv.slice(2));
prepare('bundled', 'page', 'built');
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
process.exitCode = run(process.execPath, [vitest, 'run', ...files], {
  env: {
    ...process.env,
    ...Object.fromEntries(
      Object.entries(extent).map(([option, value]) => [own?.[option] ?? variables[option], String(value)]),
    ),
  },
});
