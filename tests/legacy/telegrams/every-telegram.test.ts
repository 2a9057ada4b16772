import { endpointsOf, GroupActivation, type Release } from '@azimuth/model';
import { editions } from '@azimuth/test-support/edition-scanner';
import { expectDone } from '@azimuth/test-support/envelope';
import type { Dialect } from '@azimuth/test-support/legacy/frames';
import { dialects, serviceSession } from '@azimuth/test-support/legacy/scanner';
import type { LegacyClient, Telegram } from '@azimuth/test-support/legacy-client';
import { rectangle } from '@azimuth/test-support/scene-scanner';
import { describe, expect, test } from 'vitest';
import { LegacyTestScanner } from '../legacy-test-scanner.js';
import { binaryOf, layoutOf, type Notation, otherNotations, textOf } from './layout.js';
import { type ListedTelegram, listedTelegrams } from './telegram-table.js';

const answers: Readonly<Record<string, string>> = { sRN: 'sRA', sWN: 'sWA', sMN: 'sAN', sEN: 'sEA' };
/** What says that a name is not known. */
const unknown: Readonly<Record<string, string>> = { sRN: '3', sWN: '3', sMN: '2', sEN: 'F' };

/** The head of a request, and its values as text. */
function partsOf({ request }: ListedTelegram) {
  const [, word = '', name = '', values = ''] = /^(\w+) (\w+)(?: (.*))?$/s.exec(request) ?? [];
  return { word, name, values };
}

/** Sends a telegram. Returns the answer as text: `sRA LEDEnable 1`, `sFA 3`. */
async function ask(client: LegacyClient, listed: ListedTelegram): Promise<string> {
  const { word, name, values } = partsOf(listed);
  const takes = layoutOf(listed.takes ?? '');
  const bytes = binaryOf(takes, values);
  if (listed.takesBytes !== undefined) expect(bytes.toString('hex').toUpperCase()).toBe(listed.takesBytes);
  if (client.dialect === 'A') return asText(await client.request(listed.request), listed);
  const head = Buffer.from(values === '' ? `${word} ${name}` : `${word} ${name} `);
  return asText(await client.request(Buffer.concat([head, bytes])), listed);
}

function asText(telegram: Telegram, { gives = '', givesBytes, isOpen, isBare }: ListedTelegram): string {
  const { dialect, command, name, values, payload } = telegram;
  if (dialect === 'A' || isOpen === true) return payload.toString('latin1');
  if (command === 'sFA') return `sFA ${values.readUInt16BE().toString(16).toUpperCase()}`;
  if (command === 'sWA') expect(payload.toString('latin1')).toBe(`sWA ${name}${isBare === true ? '' : ' '}`);
  if (givesBytes !== undefined) expect(values.toString('hex').toUpperCase()).toBe(givesBytes);
  return `${command} ${name} ${textOf(layoutOf(gives), values)}`.trimEnd();
}

function expectAnswer(said: string, listed: ListedTelegram): void {
  const { word, name } = partsOf(listed);
  const head = `${answers[word]} ${name}`;
  expect(said.startsWith(head), `${listed.request}: ${said}`).toBe(true);
  if (listed.isOpen === true) return;
  const values = said.slice(head.length + 1);
  const layout = layoutOf(listed.gives ?? '');
  // Nothing is missing, nothing is left over, and each number is as short as it can be.
  expect(textOf(layout, binaryOf(layout, values)), head).toBe(values);
  if (typeof listed.answer === 'string') expect(values, head).toBe(listed.answer);
  if (listed.answer instanceof RegExp) expect(values, head).toMatch(listed.answer);
}

/** A scanner with an evaluation, and a group that is switched by telegram. */
async function started(release: Release): Promise<LegacyTestScanner> {
  const scanner = await LegacyTestScanner.start({ release });
  const header = await scanner.rest.header('x/fields');
  const evaluations = [{ Id: 1, Points: rectangle({ x: 100, y: -50 }, { x: 300, y: 50 }) }];
  const groups = [{ Id: 1, Evaluations: [1], Activation: { Type: GroupActivation.TELEGRAM } }];
  const body = JSON.stringify({ header, data: { fields: { evaluations, groups } } });
  expectDone(await scanner.rest.send({ method: 'POST', path: '/x/fields', body }));
  await scanner.pass(1000);
  return scanner;
}

/** The same request with its integers written in another way. */
function inNotation(listed: ListedTelegram, notation: Notation): ListedTelegram {
  const { word, name, values } = partsOf(listed);
  const layout = layoutOf(listed.takes ?? '');
  return {
    ...listed,
    request: `${word} ${name} ${textOf(layout, binaryOf(layout, values), notation)}`.trimEnd(),
  };
}

async function check(
  release: Release,
  dialect: Dialect,
  telegrams: readonly ListedTelegram[] = listedTelegrams,
): Promise<void> {
  const scanner = await started(release);
  const served = endpointsOf({ release, variant: 'full' });
  for (const listed of telegrams) {
    const client = await serviceSession(scanner.ports, dialect);
    if (served.has('EnableLegacyUserLevel')) {
      const level = { request: 'sMN EnableLegacyUserLevel 3 1', takes: 'u8 bool', gives: 'bool' };
      expect(await ask(client, level)).toBe('sAN EnableLegacyUserLevel 1');
    }
    const asked = ask(client, listed);
    await scanner.pass(listed.lasts ?? 0);
    const said = await asked;
    const isThere = listed.endpoint === undefined || served.has(listed.endpoint);
    if (isThere) expectAnswer(said, listed);
    else expect(said, listed.request).toBe(`sFA ${listed.elsewhere ?? unknown[partsOf(listed).word]}`);
    client.close();
  }
}

test('the table has all 140 telegrams, each once', () => {
  const heads = listedTelegrams.map((listed) => {
    const { word, name } = partsOf(listed);
    return `${word} ${name}`;
  });
  expect(new Set(heads).size).toBe(140);
  expect(heads).toHaveLength(140);
});

const releases = [...new Set(editions.map(([, { release }]) => release))];

describe.each(releases)('release %s', (release) => {
  test.each(dialects)('answers every telegram of the listing that it has over %s', async (dialect) => {
    await check(release, dialect);
  });
});

test.each(Object.entries(otherNotations))('numbers may be written as %s', async (_, notation) => {
  const telegrams = listedTelegrams.map((listed) => inNotation(listed, notation));
  expect(
    telegrams.filter(({ request }, at) => request !== listedTelegrams[at]?.request).length,
  ).toBeGreaterThan(50);
  await check('2.4.4', 'A', telegrams);
});
