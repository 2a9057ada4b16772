import { extensionPrefix, isObject } from '@azimuth/model';
import { shown } from '../match/matcher.js';
import { headerFor } from '../steps/login.js';
import { partAt } from '../steps/saved-values.js';
import { Unmet } from '../steps/step-context.js';
import { jsonIn } from '../wire/json-answer.js';
import type { RunContext } from './run-context.js';

/**
 * Reads a variable. A struct may come as a member with its name, with its members directly in `data`, or as both.
 * @param name in requests: extensions have a prefix
 * @throws Unmet if the scanner does not give it, NoAnswer
 */
export async function readVariable(name: string, { http, subject }: RunContext): Promise<unknown> {
  const json = jsonIn(await http.get(pathOf(name)));
  const data = partAt(json, 'data');
  const key = keyOf(name);
  const isStruct = subject.known.variable(name)?.type.shape.kind === 'struct';
  const value = isObject(data) && Object.hasOwn(data, key) ? data[key] : isStruct ? data : undefined;
  if (partAt(json, 'header.status') !== 0 || value === undefined)
    throw new Unmet({ at: name, expected: 'a value', came: shown(json) });
  return value;
}

/** Writes a variable with a login at Service. @throws Unmet if the scanner refuses it, NotTestable, NoAnswer */
export async function writeVariable(name: string, value: unknown, context: RunContext): Promise<void> {
  await postAsService(name, { [keyOf(name)]: value }, context);
}

/** Saves the working parameters. @throws Unmet if the scanner refuses, NotTestable, NoAnswer */
export async function saveParameters(context: RunContext): Promise<void> {
  await postAsService('WriteEeprom', undefined, context);
}

async function postAsService(endpoint: string, data: unknown, context: RunContext): Promise<void> {
  const header = await headerFor({ level: 'Service' }, endpoint, {
    ...context,
    saved: new Map(),
    closeAtEnd: () => undefined,
    changing: () => undefined,
  });
  const answer = await context.http.send({
    method: 'POST',
    path: pathOf(endpoint),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ header, data }),
  });
  const json = jsonIn(answer);
  if (partAt(json, 'header.status') === 0) return;
  throw new Unmet({ at: endpoint, expected: 'status 0', came: shown(json ?? answer.body.toString()) });
}

function pathOf(name: string): string {
  return name.startsWith(extensionPrefix) ? `/${name}` : `/api/${name}`;
}

function keyOf(name: string): string {
  return name.startsWith(extensionPrefix) ? name.slice(extensionPrefix.length) : name;
}
