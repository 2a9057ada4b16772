import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { array, isObject, type JsonObject, object, string } from '@azimuth/test-support/json';
import { parse, parseAllDocuments } from 'yaml';

export const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url));

/** One YAML document of a folder. */
export interface Resource {
  readonly file: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly json: JsonObject;
}

export function yamlOf(...path: readonly string[]): JsonObject {
  return object(parse(readFileSync(join(deploy, ...path), 'utf8'), { merge: true }));
}

/** The files of `deploy/kubernetes` and its components that are documents of Kubernetes: not the fleet file, not those of kustomize. */
export function resourceFiles(): readonly string[] {
  const others = ['fleet.yaml', 'kustomization.yaml'];
  return readdirSync(join(deploy, 'kubernetes'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml') && !others.includes(basename(file)))
    .toSorted();
}

export function resources(): readonly Resource[] {
  return resourceFiles().flatMap((file) => resourcesIn('kubernetes', file));
}

/** The documents of a file. */
export function resourcesIn(...path: readonly string[]): readonly Resource[] {
  const file = path.slice(1).join('/');
  return parseAllDocuments(readFileSync(join(deploy, ...path), 'utf8')).map((document) => {
    expectNoFault(file, document.errors);
    return resourceOf(file, object(document.toJSON()));
  });
}

export function resourceOf(file: string, json: JsonObject): Resource {
  const { apiVersion, kind } = json;
  return {
    file,
    apiVersion: string(apiVersion),
    kind: string(kind),
    name: string(object(json.metadata).name),
    json,
  };
}

function expectNoFault(file: string, errors: readonly Error[]): void {
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
}

/** What stands at a path in a document; undefined if there is nothing. */
export function at(json: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((part, member) => (isObject(part) ? part[member] : undefined), json);
}

export function list(json: unknown): readonly JsonObject[] {
  return json === undefined ? [] : array(json).map(object);
}

/** All values of a member, anywhere in a document. */
export function everywhere(json: unknown, member: string): readonly unknown[] {
  if (Array.isArray(json)) return json.flatMap((item) => everywhere(item, member));
  if (!isObject(json)) return [];
  return Object.entries(json).flatMap(([name, value]) => [
    ...(name === member ? [value] : []),
    ...everywhere(value, member),
  ]);
}
