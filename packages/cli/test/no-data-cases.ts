import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { AnswerError, Scanner, UnreachableError } from '@azimuth/client';
import { isRelease, isVariant } from '@azimuth/model';
import { freePort } from '@azimuth/test-support/free-port';
import { array, isObject, object, parse, string } from '@azimuth/test-support/json';
import { startScanner } from '@azimuth/testing';
import { expect, onTestFinished, vi } from 'vitest';
import { checkResults } from '../src/doctor/all-checks.js';
import { LocalPorts } from '../src/doctor/local-ports.js';
import { observed, ownNetworks, unsavedNames } from '../src/doctor/observe.js';
import { findingsJson, reportJson } from '../src/doctor/report.js';
import { whyUnreachable } from '../src/doctor/unreachable.js';
import { azimuth } from './run.js';

/** A staged case of examples/no-data-cases, with its answer. */
export interface NoDataCase {
  readonly id: string;
  readonly question: string;
  readonly stage: {
    readonly serve?: readonly string[];
    readonly commands?: readonly (readonly string[])[];
    readonly portTaken?: boolean;
    readonly wrongPasswords?: number;
    readonly urlOf?: 'control' | 'nothing';
  };
  readonly answer: Answer;
}

interface Answer {
  readonly command: 'doctor' | 'timing';
  readonly check: string;
  readonly severity?: string;
  readonly text: string;
  readonly remedy: string;
}

interface Finding {
  readonly check: string;
  readonly severity?: string;
  readonly text: string;
}

const file = new URL('../../../examples/no-data-cases/cases.json', import.meta.url);
const { cases }: { cases: readonly NoDataCase[] } = JSON.parse(readFileSync(file, 'utf8'));

export const noDataCases = cases;

/** Time to watch the data and the metrics, which a scanner makes once a second (ms). */
const watchMs = 1200;

/** A case that is staged, and can be examined. */
export interface StagedCase {
  readonly id: string;
  readonly answer: Answer;
  readonly url: string;
  readonly port: number;
}

/** Stages a case with a scanner in this process, by the commands of the case. */
export async function stage({ id, stage: staged, answer }: NoDataCase): Promise<StagedCase> {
  const port = await freePort();
  const scanner = await startScanner({ clock: 'real', controlPort: true, ...optionsOf(staged.serve ?? []) });
  onTestFinished(() => scanner.close());
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
  const control = `http://127.0.0.1:${scanner.ports.control}`;
  await scanner.client.write('ScanDataEthSettings', { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: port });
  await scanner.client.write('ScanDataEnable', true);
  for (const words of staged.commands ?? []) {
    const where = words[0] === 'sim' ? ['--control', control] : ['--device', scanner.url];
    const { exitCode, stderr } = await azimuth(...words, ...where);
    expect([exitCode, stderr], `${id}: ${words.join(' ')}`).toEqual([0, expect.anything()]);
  }
  for (let count = 0; count < (staged.wrongPasswords ?? 0); count++)
    await new Scanner({ url: scanner.url, password: 'wrong' })
      .write('LocationName', 'x')
      .catch(() => undefined);
  if (staged.portTaken === true) await take(port);
  const urls = { control, nothing: `http://127.0.0.1:${await freePort()}` };
  return { id, answer, port, url: staged.urlOf === undefined ? scanner.url : urls[staged.urlOf] };
}

function optionsOf(serve: readonly string[]) {
  const wordAfter = (name: string) => serve[serve.indexOf(name) + 1] ?? '';
  const [release, variant] = [wordAfter('--release'), wordAfter('--variant')];
  return {
    ...(serve.includes('--release') && isRelease(release) ? { release } : {}),
    ...(serve.includes('--variant') && isVariant(variant) ? { variant } : {}),
  };
}

/** Opens a UDP port, as another program on this computer does. */
async function take(port: number): Promise<void> {
  const socket = createSocket('udp4').bind(port);
  onTestFinished(() => void socket.close());
  await once(socket, 'listening');
}

/** Returns the findings of `azimuth doctor`, or of `azimuth timing`. */
export async function findingsOf({ url, port, answer }: StagedCase): Promise<readonly Finding[]> {
  return answer.command === 'doctor' ? doctorFindings(url) : timingFindings(port);
}

async function doctorFindings(url: string): Promise<readonly Finding[]> {
  const scanner = new Scanner({ url });
  try {
    const observation = await observed({
      scanner,
      behind: '',
      ports: new LocalPorts(watchMs),
      neighbours: Promise.resolve(undefined),
      unsaved: () => unsavedNames(scanner),
      watchMs,
    });
    return reportJson(url, checkResults(observation)).findings;
  } catch (error) {
    if (!(error instanceof UnreachableError || error instanceof AnswerError)) throw error;
    return findingsJson(whyUnreachable(error, url, ownNetworks(), undefined));
  }
}

async function timingFindings(port: number): Promise<readonly Finding[]> {
  const { stdout } = await azimuth('timing', '--listen', `${port}`, '--for', '2s', '--json');
  return array(object(parse(stdout)).findings)
    .filter(isObject)
    .map(({ cause, text }) => ({ check: string(cause), text: string(text) }));
}

/** Returns true if findings contain an answer. */
export function isFound(findings: readonly Finding[], { check, severity, text }: Answer): boolean {
  return findings.some(
    (finding) =>
      finding.check === check &&
      (severity === undefined || finding.severity === severity) &&
      finding.text.includes(text),
  );
}
