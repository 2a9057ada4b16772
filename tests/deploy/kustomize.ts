import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { array, isObject, type JsonObject, object, string } from '@azimuth/test-support/json';
import { parse } from 'yaml';
import { deploy, list, type Resource, resourceOf, resourcesIn } from './documents.js';

const root = join(deploy, 'kubernetes');

const kustomizationIn = (...path: readonly string[]) =>
  object(parse(readFileSync(join(root, ...path, 'kustomization.yaml'), 'utf8')));

/** The components that `deploy/kubernetes/kustomization.yaml` offers, in their order: each is a line to take the # from. */
export const components = [
  ...readFileSync(join(root, 'kustomization.yaml'), 'utf8').matchAll(/^# {2}- ([a-z-]+)$/gm),
].map(([, name = '']) => name);

/**
 * What `kubectl apply -k deploy/kubernetes` applies with some components: as kustomize builds it, as far as these files use it.
 * It throws where a file has what is not played here.
 */
export function variant(chosen: readonly string[] = []): readonly Resource[] {
  const { namespace, images, resources, configMapGenerator, ...base } = kustomizationIn();
  expectKnown(base, ['generatorOptions', 'components']);
  let built = filesOf(resources);
  for (const component of components.filter((name) => chosen.includes(name))) {
    const { resources: added, patches, ...own } = kustomizationIn(component);
    expectKnown(own, []);
    built = [...built, ...filesOf(added ?? [], component)];
    for (const patch of list(patches)) built = patched(built, patch);
  }
  const generated = list(configMapGenerator).map((map) => generatedMap(map));
  return [...built, ...generated].map(({ file, json }) =>
    inNamespace(resourceOf(file, object(withImages(json, list(images)))), string(namespace)),
  );
}

/** What a component leaves out of that. In a cluster where it was applied before, it stays: `kubectl apply -k` deletes nothing. */
export function leftOutBy(component: string): readonly Resource[] {
  const left = variant([component]);
  return variant().filter(({ kind, name }) => !left.some((each) => each.kind === kind && each.name === name));
}

function expectKnown(json: JsonObject, known: readonly string[]): void {
  const members = Object.keys(json).filter((member) => !['apiVersion', 'kind', ...known].includes(member));
  if (members.length > 0) throw new Error(`the tests do not know ${members.join(', ')} of kustomize`);
}

function filesOf(names: unknown, ...folder: readonly string[]): readonly Resource[] {
  return array(names).flatMap((name) => resourcesIn('kubernetes', ...folder, string(name)));
}

function generatedMap({ name, files }: JsonObject): Resource {
  const data = array(files).map((file) => [file, readFileSync(join(root, string(file)), 'utf8')]);
  return resourceOf('kustomization.yaml', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: Object.fromEntries(data),
  });
}

/** @throws Error if a patch that names a document finds none: it would do nothing */
function patched(resources: readonly Resource[], { target, patch }: JsonObject): readonly Resource[] {
  const { kind, name, group } = object(target);
  const isMeant = (each: Resource) =>
    each.kind === kind &&
    (name === undefined || each.name === name) &&
    (group === undefined || each.apiVersion.startsWith(`${group}/`));
  if (name !== undefined && !resources.some(isMeant)) throw new Error(`there is no ${kind} ${name} to patch`);
  const change: unknown = parse(string(patch));
  if (isObject(change)) {
    if (change.$patch !== 'delete') throw new Error('the tests know no other strategic patch than delete');
    return resources.filter((each) => !isMeant(each));
  }
  return resources.map((each) => {
    if (!isMeant(each)) return each;
    const json = structuredClone(each.json);
    for (const step of list(change)) apply(json, step);
    return resourceOf(each.file, json);
  });
}

/** One step of a JSON patch (RFC 6902): `add` or `replace`. */
function apply(json: JsonObject, { op, path, value }: JsonObject): void {
  const steps = string(path)
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = steps.pop() ?? '';
  const place = steps.reduce<unknown>(memberOf, json);
  if (op === 'replace') memberOf(place, last);
  else if (op !== 'add') throw new Error(`the tests do not know the step ${String(op)}`);
  if (!Array.isArray(place)) object(place)[last] = value;
  else if (op === 'replace') place[Number(last)] = value;
  else place.splice(last === '-' ? place.length : Number(last), 0, value);
}

function memberOf(place: unknown, step: string): unknown {
  const member: unknown = Array.isArray(place) ? place[Number(step)] : object(place)[step];
  if (member === undefined) throw new Error(`a patch goes to ${step}, which is not there`);
  return member;
}

function withImages(json: unknown, images: readonly JsonObject[]): unknown {
  if (Array.isArray(json)) return json.map((item) => withImages(item, images));
  if (!isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => {
      const image = name === 'image' ? images.find((each) => each.name === value) : undefined;
      return [name, image ? `${image.newName}:${image.newTag}` : withImages(value, images)];
    }),
  );
}

/** As kustomize and `kubectl -n` put it there. */
export function inNamespace(resource: Resource, namespace: string): Resource {
  const { file, kind, json } = resource;
  if (kind === 'Namespace') return resource;
  return resourceOf(file, { ...json, metadata: { ...object(json.metadata), namespace } });
}
