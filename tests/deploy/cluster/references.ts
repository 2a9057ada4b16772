import { isObject, type JsonObject, object, string } from '@azimuth/test-support/json';
import { at, list } from '../documents.js';
import { type Cluster, type Pod, variableOf } from './cluster.js';

/** The keys of Secrets, by their names. */
export type Secrets = ReadonlyMap<string, readonly string[]>;

interface Reference {
  readonly kind: 'Secret' | 'ConfigMap' | 'PersistentVolumeClaim';
  readonly name: string;
  readonly keys: readonly string[];
  readonly isOptional: boolean;
}

/**
 * What pods wait for that is not there, so that they never start.
 * @param made Secrets that people make. Those that the operator makes are added where it is
 */
export function missingReferences(cluster: Cluster, made: Secrets): readonly string[] {
  const there = {
    Secret: new Map([...made, ...operatorSecrets(cluster)]),
    ConfigMap: new Map(
      cluster.ofKind('ConfigMap').map(({ name, json }) => [name, Object.keys(object(json.data))]),
    ),
    PersistentVolumeClaim: new Map(
      cluster.ofKind('PersistentVolumeClaim').map(({ name }): [string, readonly string[]] => [name, []]),
    ),
  };
  return cluster.pods.flatMap((pod) => [
    ...referencesOf(pod).flatMap(({ kind, name, keys, isOptional }) => {
      if (isOptional) return [];
      const found = there[kind].get(name);
      if (found === undefined) return [`${pod.owner.name} waits for the ${kind} ${name}`];
      return keys
        .filter((key) => !found.includes(key))
        .map((key) => `${pod.owner.name} waits for ${key} of the ${kind} ${name}`);
    }),
    ...mountFaults(pod),
    ...authorityFaults(cluster, pod),
  ]);
}

/** What CloudNativePG makes for a cluster of the database. */
function operatorSecrets(cluster: Cluster): Secrets {
  return new Map(cluster.ofKind('Cluster').map(({ name }) => [`${name}-ca`, ['ca.crt', 'ca.key']]));
}

function referencesOf({ spec, containers }: Pod): readonly Reference[] {
  const volumes = list(spec.volumes).flatMap(({ secret, configMap, persistentVolumeClaim }) => [
    ...reference('Secret', secret, 'secretName'),
    ...reference('ConfigMap', configMap, 'name'),
    ...reference('PersistentVolumeClaim', persistentVolumeClaim, 'claimName'),
  ]);
  const environment = containers.flatMap((container) => [
    ...list(container.envFrom).flatMap(({ secretRef, configMapRef }) => [
      ...reference('Secret', secretRef, 'name'),
      ...reference('ConfigMap', configMapRef, 'name'),
    ]),
    ...list(container.env).flatMap(({ valueFrom }) => [
      ...reference('Secret', at(valueFrom, 'secretKeyRef'), 'name'),
      ...reference('ConfigMap', at(valueFrom, 'configMapKeyRef'), 'name'),
    ]),
  ]);
  return [...volumes, ...environment];
}

function reference(kind: Reference['kind'], json: unknown, nameMember: string): readonly Reference[] {
  if (!isObject(json)) return [];
  const keys = [...list(json.items), json].flatMap(({ key }) => (key === undefined ? [] : [string(key)]));
  return [{ kind, name: string(json[nameMember]), keys, isOptional: json.optional === true }];
}

function mountFaults({ owner, spec, containers }: Pod): readonly string[] {
  const volumes = list(spec.volumes).map(({ name }) => name);
  const mounted = containers.flatMap((container) => list(container.volumeMounts)).map(({ name }) => name);
  return [
    ...mounted.filter((name) => !volumes.includes(name)).map((name) => `${owner.name} has no volume ${name}`),
    ...volumes.filter((name) => !mounted.includes(name)).map((name) => `${owner.name} mounts no ${name}`),
  ];
}

/** Does each pod see the certificate authority that the URL of its database names? */
function authorityFaults(cluster: Cluster, { owner, spec, containers }: Pod): readonly string[] {
  return containers.flatMap((container) => {
    const file = storeOf(cluster, container)?.searchParams.get('sslrootcert');
    if (!file) return [];
    const [folder = '', name = ''] = [file.slice(0, file.lastIndexOf('/')), file.slice(folderEnd(file))];
    const mount = list(container.volumeMounts).find(({ mountPath }) => mountPath === folder);
    const volume = list(spec.volumes).find((each) => each.name === mount?.name);
    const isThere = list(at(volume, 'secret', 'items')).some(({ path }) => path === name);
    return isThere ? [] : [`${owner.name} does not see ${file}`];
  });
}

const folderEnd = (file: string) => file.lastIndexOf('/') + 1;

/** The database of a container, by its environment. */
export function storeOf(cluster: Cluster, container: JsonObject): URL | undefined {
  const own = variableOf(container, 'AZIMUTH_STORE');
  if (own !== undefined) return new URL(own);
  for (const { configMapRef } of list(container.envFrom)) {
    if (configMapRef === undefined) continue;
    const map = cluster.ofKind('ConfigMap').find(({ name }) => name === object(configMapRef).name);
    const url = at(map?.json, 'data', 'AZIMUTH_STORE');
    if (url !== undefined) return new URL(string(url));
  }
  return undefined;
}
