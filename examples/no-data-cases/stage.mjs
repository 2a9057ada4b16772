// Stages a case of cases.json for as long as it runs: node examples/no-data-cases/stage.mjs CASE [--check]
// It prints the URL of the scanner, the URL of its control port, and the question. With --check, it ends with the answer of
// azimuth doctor or azimuth timing, and exit code 0 if that is the expected cause. AZIMUTH names another program than that of the clone.
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const { cases } = JSON.parse(readFileSync(new URL('cases.json', import.meta.url), 'utf8'));
const [name, option] = process.argv.slice(2);
const chosen = cases.find(({ id }) => id === name);
if (chosen === undefined || (option !== undefined && option !== '--check')) {
  process.stderr.write(
    `expected a case and perhaps --check; the cases are ${cases.map(({ id }) => id).join(', ')}\n`,
  );
  process.exit(2);
}

const ofClone = [
  process.execPath,
  fileURLToPath(new URL('../../packages/cli/bin/azimuth.js', import.meta.url)),
];
const [program, ...before] = process.env.AZIMUTH?.split(' ') ?? ofClone;
const password = 'servicelevel';

/** The log of the scanner would tell the answer, so nobody sees it. */
function start(words) {
  return spawn(program, [...before, ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, AZIMUTH_PASSWORD: password },
  });
}

/** Runs a command, and returns what it printed. */
async function run(words) {
  const child = start(words);
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return printed;
}

/** A UDP port of this computer that no program has. */
async function freePort() {
  const socket = createSocket('udp4').bind(0);
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return port;
}

const { serve = [], commands = [], portTaken, wrongPasswords = 0, urlOf } = chosen.stage;
const port = await freePort();
const folder = mkdtempSync(join(tmpdir(), 'azimuth-case-'));
const anyPorts = ['port', 'https-port', 'legacy-a-port', 'legacy-b-port', 'search-port', 'control-port'];
const scanner = start([
  ...['serve', '--json', '--no-dns-sd', '--data', folder],
  ...anyPorts.flatMap((each) => [`--${each}`, '0']),
  ...serve,
]);
process.on('exit', () => {
  scanner.kill();
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(0));

const [line] = await once(createInterface({ input: scanner.stdout }), 'line');
const { http, control: controlPort } = JSON.parse(line);
const device = `http://127.0.0.1:${http}`;
const control = `http://127.0.0.1:${controlPort}`;
const prepared = [
  ['set', 'ScanDataEthSettings', 'Protocol=1', 'IPAddress=127.0.0.1', `Port=${port}`],
  ['set', 'ScanDataEnable', 'on'],
];
for (const words of [...prepared, ...commands])
  await run([...words, ...(words[0] === 'sim' ? ['--control', control] : ['--device', device, '--quiet'])]);

async function post(name, body) {
  const response = await fetch(`${device}/api/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
}

/** Logs in with a wrong password, until the scanner locks logins. */
async function lock() {
  for (let count = 0; count < wrongPasswords; count++) {
    const { challenge } = await post('getChallenge', { data: { user: 'Service' } });
    if (challenge === undefined) return;
    const { realm, nonce, opaque } = challenge;
    const header = { user: 'Service', realm, nonce, opaque, response: '0'.repeat(64) };
    await post('WriteEeprom', { header });
  }
}

await lock();
// A lock ends after 30 s, and the case lasts longer.
if (wrongPasswords > 0) setInterval(() => lock().catch(() => undefined), 500);
if (portTaken) createSocket('udp4').bind(port);

const url = { control, nothing: 'http://127.0.0.1:1' }[urlOf] ?? device;
process.stdout.write(`${JSON.stringify({ device: url, control, port, question: chosen.question })}\n`);
if (option === '--check') {
  const { command, check, severity, text: words } = chosen.answer;
  const asked =
    command === 'doctor'
      ? ['doctor', '--json', '--no-discover', '--device', url]
      : ['timing', '--json', '--listen', `${port}`, '--for', '2s'];
  const { findings } = JSON.parse(await run(asked));
  const found = findings.find(
    (finding) =>
      (finding.check ?? finding.cause) === check &&
      (severity === undefined || finding.severity === severity) &&
      finding.text.includes(words),
  );
  process.stdout.write(`${JSON.stringify({ found: found?.text ?? null })}\n`);
  process.exit(found === undefined ? 1 : 0);
}
