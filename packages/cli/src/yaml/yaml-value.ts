import { completed } from '@azimuth/client';
import { parseInput, Refusal, type Shape, sameJson, type Variable } from '@azimuth/model';
import { nearestName } from '@azimuth/wording';
import { isMap, isScalar, isSeq, type Scalar } from 'yaml';
import { keyText, type YamlFile } from './yaml-file.js';

/**
 * Parses the value of a node: an enumeration by its name, an address with dots, a struct as a map. Members of structs
 * may be missing. Mistakes are reported to the file.
 * @returns JSON; undefined if it is wrong
 */
export function parameterValue(file: YamlFile, variable: Variable<unknown>, node: unknown): unknown {
  const { type, name } = variable;
  const json = shapeJson(file, type.shape, node);
  if (json === wrong) return undefined;
  const completeValue = completed(type.shape, json, type.initial);
  try {
    // Some rules of the type, such as limits that depend on each other, need the missing members.
    if (sameJson(completeValue, json)) variable.valueFrom(json);
    else type.fromJson(completeValue, name);
    return json;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const path = error.at.slice(name.length);
    file.report(file.nodeAt(node, path), `${variable.name}${path}: ${error.reason}`);
    return undefined;
  }
}

/** Stands for a value with a reported mistake. */
export const wrong = Symbol('wrong');

/** Returns the JSON of a node for a shape, as far as the shape decides it; `wrong` after a report. */
export function shapeJson(file: YamlFile, shape: Shape, written: unknown): unknown {
  const node = file.resolved(written);
  if (shape.kind === 'struct')
    return isMap(node) ? structJson(file, shape.members, node.items) : misfit('members');
  if (isSeq(node) && shape.kind === 'address') return node.toJSON();
  if (shape.kind === 'array') return isSeq(node) ? listJson(file, shape.of, node.items) : misfit('a list');
  if (!isScalar(node) || node.value === null) return misfit(expectation(shape));
  return scalarJson(file, shape, node, written);

  function misfit(expected: string): typeof wrong {
    file.report(written ?? node, `expected ${expected}, got ${nodeKind(node)}`);
    return wrong;
  }
}

function structJson(
  file: YamlFile,
  members: Readonly<Record<string, { readonly shape: Shape }>>,
  pairs: readonly { readonly key: unknown; readonly value: unknown }[],
): unknown {
  const entries = pairs.map(({ key, value }): [string, unknown] => {
    const name = keyText(key);
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    if (member !== undefined) return [name, shapeJson(file, member.shape, value)];
    const suggestion = nearestName(name, Object.keys(members));
    const question = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
    file.report(key, `there is no member "${name}"${question}`);
    return [name, wrong];
  });
  return entries.some(([, value]) => value === wrong) ? wrong : Object.fromEntries(entries);
}

function listJson(file: YamlFile, shape: Shape, items: readonly unknown[]): unknown {
  const values = items.map((item) => shapeJson(file, shape, item));
  return values.includes(wrong) ? wrong : values;
}

function scalarJson(file: YamlFile, shape: Shape, { value, source }: Scalar, at: unknown): unknown {
  if (shape.kind === 'string' || shape.kind === 'levelName') {
    // A name such as 007 is a number in YAML.
    return typeof value === 'string' ? value : (source ?? String(value));
  }
  // JSON has no words for .nan and .inf.
  if (typeof value === 'number' && !Number.isFinite(value)) {
    file.report(at, `expected ${expectation(shape)}, got "${source ?? String(value)}"`);
    return wrong;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  try {
    return parseInput(shape, String(value));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    file.report(at, error.reason);
    return wrong;
  }
}

function expectation({ kind }: Shape): string {
  if (kind === 'address') return 'an address such as 192.168.0.1';
  if (kind === 'enumeration') return 'the name of a value';
  if (kind === 'boolean') return 'true or false';
  return kind === 'string' || kind === 'levelName' ? 'a text' : 'a number';
}

function nodeKind(node: unknown): string {
  if (isMap(node)) return 'members';
  if (isSeq(node)) return 'a list';
  return isScalar(node) && node.value !== null ? `"${String(node.value)}"` : 'nothing';
}
