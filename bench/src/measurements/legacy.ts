import { ours, startScanner } from '../compared-servers.js';
import { legacy } from '../loads.js';
import type { Bench, Measurement, Ratio, Row, Target } from '../measurement.js';
import { ChildProgram, program } from '../processes/child-program.js';
import { cores } from '../processes/children.js';
import { freePort } from '../processes/free-port.js';
import { compareThroughput, ratiosOf, targetsOf } from './throughput.js';

const wanted = 0.5;
const connections = 16;

/** The login at level 4 with its factory password, as text and with binary values in hex. */
const login = { text: 'sMN SetAccessMode 4 81BE23AA', binary: ['sMN SetAccessMode ', '0481be23aa'] } as const;

/** Requests and their answers; values of binary telegrams in hex. */
const requests = [
  {
    name: 'sRN SCdevicestate',
    text: ['sRN SCdevicestate', 'sRA SCdevicestate 1'],
    binary: [
      ['sRN SCdevicestate', ''],
      ['sRA SCdevicestate ', '01'],
    ],
  },
  {
    name: 'sRN LFPangleRangeFilter',
    text: ['sRN LFPangleRangeFilter', 'sRA LFPangleRangeFilter 0 FFF24460 DBBA0 FFF24460 DBBA0 1'],
    binary: [
      ['sRN LFPangleRangeFilter', ''],
      ['sRA LFPangleRangeFilter ', '00fff24460000dbba0fff24460000dbba00001'],
    ],
  },
  {
    name: 'sWN FREchoFilter 2, logged in',
    text: ['sWN FREchoFilter 2', 'sWA FREchoFilter'],
    binary: [
      ['sWN FREchoFilter ', '02'],
      ['sWA FREchoFilter ', ''],
    ],
  },
] as const;

/** Requests over interfaces A and B, compared with a bare TCP server that exchanges as many bytes. */
export async function measureLegacy(bench: Bench): Promise<Measurement> {
  const [a, b] = [await freePort(), await freePort()];
  const scanner = await startScanner(bench, 'legacy', [
    ...['--legacy-a-port', String(a)],
    ...['--legacy-b-port', String(b)],
  ]);
  const rows: Row[] = [];
  const ratios: Ratio[] = [];
  const targets: Target[] = [];
  const notes = new Set<string>();
  const compare = async (port: number, what: Asked) => {
    const echo = await ChildProgram.start({
      core: cores.server,
      command: program('bare-echo', String(what.request.length), hexOf(what.answer)),
    });
    const { request, answer } = what;
    const bare = { name: `bare TCP, ${what.name}`, port: Number(echo.firstMessage), pid: echo.pid };
    const found = await compareThroughput(
      bench,
      [
        {
          server: { name: `${ours}, ${what.name}` },
          load: (connections, seconds) =>
            legacy(bench, { port, pid: scanner.pid }, what, { connections, seconds }),
        },
        {
          server: bare,
          load: (connections, seconds) => legacy(bench, bare, { request, answer }, { connections, seconds }),
        },
      ],
      [connections],
    );
    await echo.end();
    rows.push(...found.rows);
    ratios.push(...ratiosOf(found.comparisons));
    targets.push(...targetsOf(found.comparisons, wanted));
    for (const note of found.notes) notes.add(note);
  };
  for (const { name, text, binary } of requests) {
    await compare(a, {
      name: `A: ${name}`,
      login: textFrame(login.text),
      request: textFrame(text[0]),
      answer: textFrame(text[1]),
    });
    await compare(b, {
      name: `B: ${name}`,
      login: binaryFrame(login.binary),
      request: binaryFrame(binary[0]),
      answer: binaryFrame(binary[1]),
    });
  }
  await scanner.end();
  return {
    name: 'legacy',
    title: 'Requests of the legacy protocol, one outstanding on each connection',
    rows,
    ratios,
    targets,
    notes: [...notes],
  };
}

/** Frames, Latin-1. */
interface Asked {
  readonly name: string;
  readonly login: string;
  readonly request: string;
  readonly answer: string;
}

function textFrame(payload: string): string {
  return `\x02${payload}\x03`;
}

function binaryFrame([head, values]: readonly [head: string, values: string]): string {
  const payload = Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(values, 'hex')]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(payload.length);
  const sum = payload.reduce((xor, byte) => xor ^ byte, 0);
  return Buffer.concat([Buffer.alloc(4, 2), length, payload, Buffer.of(sum)]).toString('latin1');
}

function hexOf(frame: string): string {
  return Buffer.from(frame, 'latin1').toString('hex');
}
