import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type LogEntry, type Output, syslogOutput, systemClock } from '@azimuth/monitor';
import { chain, keyPem } from '@azimuth/test-support/certificates';
import { temporaryFolder } from '@azimuth/test-support/files';
import { freePort } from '@azimuth/test-support/free-port';
import { expect, onTestFinished, test, vi } from 'vitest';

/** What rsyslog has read out of a message. */
type Fields = Readonly<Record<string, string>>;

/** rsyslog of Debian, which writes what it has read as JSON lines. It ends with the test. */
class Rsyslog {
  readonly folder = temporaryFolder();
  #process: ChildProcess | undefined;

  private constructor(readonly port: number) {}

  /** @param input lines of its configuration for the port */
  static async start(input: (port: number, folder: string) => string): Promise<Rsyslog> {
    const port = await freePort();
    const server = new Rsyslog(port);
    onTestFinished(() => server.#end());
    const properties = [
      'pri',
      'timestamp',
      'hostname',
      'app-name',
      'procid',
      'msgid',
      'structured-data',
      'msg',
    ];
    const parts = properties.map(
      (name) =>
        `property(name="${name}" format="jsonf" outname="${name}"${name === 'timestamp' ? ' dateFormat="rfc3339"' : ''})`,
    );
    writeFileSync(
      join(server.folder, 'rsyslog.conf'),
      `global(workDirectory="${server.folder}" maxMessageSize="16k")
${input(port, server.folder)}
template(name="fields" type="list" option.jsonf="on") {
${parts.join('\n')}
}
action(type="omfile" file="${join(server.folder, 'messages')}" template="fields")
`,
    );
    await server.#up();
    return server;
  }

  get messages(): readonly Fields[] {
    const file = join(this.folder, 'messages');
    if (!existsSync(file)) return [];
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  }

  async #up(): Promise<void> {
    const paths = ['-f', join(this.folder, 'rsyslog.conf'), '-i', join(this.folder, 'pid')];
    const child = spawn('rsyslogd', ['-n', ...paths], { stdio: ['ignore', 'inherit', 'inherit'] });
    this.#process = child;
    while (child.exitCode === null && !existsSync(join(this.folder, 'pid'))) await setTimeout(20);
    if (child.exitCode !== null) throw new Error(`rsyslogd has ended with ${child.exitCode}`);
  }

  async #end(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

/** Resolves when a TCP port accepts connections. */
async function accepting(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch {
      await setTimeout(20);
    } finally {
      socket.destroy();
    }
  }
}

const hostile = 'a "quoted" ]bracket\\ and 61 °C\n<11>1 forged';

const entry: LogEntry = {
  ...{
    kind: 'parameter',
    at: Date.UTC(2026, 5, 1, 12, 30, 15, 250),
    scanner: 'hall/gate1',
    serial: '23010001',
  },
  ...{ parameter: 'LocationName', before: 'x', after: hostile, author: { by: 'anna@desk7', command: 'set' } },
};

function output(url: string, ca?: string): Output {
  const options = {
    name: 'syslog',
    clock: systemClock,
    filter: {},
    report: (text: string) => reports.push(text),
  };
  const reports: string[] = [];
  const made = syslogOutput({ ...options, url, ca, facility: 'local3' });
  onTestFinished(() => made.close(500));
  return made;
}

function expectEntry(message: Fields | undefined): void {
  expect(message).toMatchObject({
    ...{ pri: String(19 * 8 + 5), timestamp: '2026-06-01T12:30:15.250Z', 'app-name': 'azimuth-monitor' },
    ...{ procid: String(process.pid), msgid: 'parameter' },
  });
  const data = message?.['structured-data'] ?? '';
  expect(data).toMatch(/^\[azimuth@32473 scanner="hall\/gate1" serial="23010001" .*\]$/);
  expect(data).toContain('parameter="LocationName" before="\\"x\\""');
  expect(data).toContain('by="anna@desk7" command="set"]');
  expect(message?.msg).toContain('hall/gate1: LocationName changed from "x" to');
  expect(message?.msg).toContain('61 °C');
}

const soon = { timeout: 15_000 };

test('rsyslog reads what comes over UDP', async () => {
  const server = await Rsyslog.start(
    (port) => `module(load="imudp")\ninput(type="imudp" address="127.0.0.1" port="${port}")`,
  );
  const to = output(`udp://127.0.0.1:${server.port}`);
  // A datagram may be lost, or come before the port is open: it is sent again until one has come.
  await vi.waitFor(() => {
    to.accept(entry);
    expect(server.messages.length).toBeGreaterThan(0);
  }, soon);
  expectEntry(server.messages[0]);
});

test('rsyslog reads what comes over TCP, each message by itself', async () => {
  const server = await Rsyslog.start(
    (port) => `module(load="imtcp")\ninput(type="imtcp" address="127.0.0.1" port="${port}")`,
  );
  await accepting(server.port);
  const to = output(`tcp://127.0.0.1:${server.port}`);
  for (let index = 0; index < 20; index++) to.accept(entry);
  await vi.waitFor(() => expect(server.messages).toHaveLength(20), soon);
  for (const message of server.messages) expectEntry(message);
});

test('rsyslog reads what comes over TLS', async () => {
  const [leaf, authority] = chain(2);
  if (leaf === undefined || authority === undefined) throw new Error('a chain of two');
  const server = await Rsyslog.start((port, folder) => {
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    return `global(defaultNetstreamDriver="ossl"
 defaultNetstreamDriverCAFile="${file('ca.pem', authority.certificate)}"
 defaultNetstreamDriverCertFile="${file('cert.pem', leaf.certificate)}"
 defaultNetstreamDriverKeyFile="${file('key.pem', keyPem(leaf.keys))}")
module(load="imtcp" streamDriver.name="ossl" streamDriver.mode="1" streamDriver.authMode="anon")
input(type="imtcp" address="127.0.0.1" port="${port}")`;
  });
  await accepting(server.port);
  const to = output(`tls://127.0.0.1:${server.port}`, authority.certificate);
  to.accept(entry);
  await vi.waitFor(() => expect(server.messages).toHaveLength(1), soon);
  expectEntry(server.messages[0]);
});
