import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { limitsOfLeases, usualConnections } from '@azimuth/fleet/database';
import { describe, expect, it } from 'vitest';
import { azimuth } from '../support/command-process.js';
import { array, isObject, type JsonObject, number, object, parse, string } from '../support/json.js';
import {
  at,
  deploy,
  everywhere,
  list,
  type Resource,
  resourceFiles,
  resources,
  yamlOf,
} from './documents.js';
import { moduleOf, typeFaults } from './kubernetes-types.js';

const all = resources();
const kustomization = yamlOf('kubernetes', 'kustomization.yaml');
const example = 'secrets.example.yaml';

const ofKind = (kind: string) => all.filter((each) => each.kind === kind);
const named = (kind: string, name: string): Resource => {
  const found = ofKind(kind).find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
};

interface Pod {
  readonly owner: Resource;
  readonly labels: JsonObject;
  readonly spec: JsonObject;
  readonly container: JsonObject;
}

const pods: readonly Pod[] = [...ofKind('Deployment'), ...ofKind('Job')].map((owner) => {
  const template = object(at(owner.json, 'spec', 'template'));
  const spec = object(template.spec);
  const [container, ...others] = list(spec.containers);
  if (container === undefined || others.length > 0) throw new Error(`${owner.name} has not one container`);
  return { owner, labels: object(at(template, 'metadata', 'labels')), spec, container };
});
const servers = pods.filter(({ owner }) => owner.kind === 'Deployment');

/** Is this pod one of those that a selector with `matchLabels` means? */
const matches = (selector: unknown, labels: JsonObject) =>
  Object.entries(object(at(selector, 'matchLabels') ?? selector)).every(
    ([key, value]) => labels[key] === value,
  );

/** @throws Error with what the schema of this kind of document does not admit */
async function validate(kindOf: Resource, json: JsonObject): Promise<void> {
  const loaded: unknown = await import(moduleOf(kindOf));
  const model = object(loaded)[kindOf.kind];
  if (typeof model !== 'function') throw new Error(`${moduleOf(kindOf)} has no ${kindOf.kind}`);
  const made: unknown = Reflect.construct(model, [json]);
  const { validate: check } = object(made);
  if (typeof check !== 'function') throw new Error(`${kindOf.kind} has no schema`);
  Reflect.apply(check, made, []);
}

describe('the documents of deploy/kubernetes', () => {
  it('have only members that Kubernetes and the operator of the database know', () => {
    const [correct] = ofKind('PodDisruptionBudget');
    if (correct === undefined) throw new Error('there is no PodDisruptionBudget');
    const spec = { ...object(correct.json.spec), maxUnavailabel: 1 };
    const slip = { ...correct, json: { ...correct.json, spec } };
    expect(typeFaults([...all, slip])).toEqual([expect.stringContaining('maxUnavailabel')]);
  }, 60_000);

  it.each(all.map((each) => [`${each.file}: ${each.kind} ${each.name}`, each] as const))(
    'keep the schema: %s',
    async (_, each) => {
      await validate(each, each.json);
      await expect(validate(each, { ...each.json, metadata: { name: 7 } })).rejects.toThrow('metadata/name');
    },
  );

  it('are all applied, apart from the example of the secrets', () => {
    expect([...array(kustomization.resources).map(string), example].sort()).toEqual(
      [...resourceFiles()].sort(),
    );
    const { name } = named('Namespace', string(kustomization.namespace));
    for (const secret of ofKind('Secret')) expect(at(secret.json, 'metadata', 'namespace')).toBe(name);
  });

  it('have no secret in them', () => {
    for (const { json, name } of ofKind('Secret')) {
      const { username, ...secret } = object(json.stringData);
      expect(Object.values(secret), name).toEqual(['']);
      expect(json.data).toBeUndefined();
    }
    const texts = resourceFiles().map((file) => readFileSync(join(deploy, 'kubernetes', file), 'utf8'));
    expect(texts.join('\n')).not.toMatch(/postgres:\/\/[^\s/]*:[^\s/@]*@/);
  });

  it('have each Secret made by the commands of docs/deploy.md, with the user that it needs', () => {
    const page = readFileSync(join(deploy, '..', 'docs', 'deploy.md'), 'utf8');
    const [, logins = ''] = /^for login in (.*); do$/m.exec(page) ?? [];
    const made = logins.split(' ').map((login) => login.split(':'));
    const plain = [...page.matchAll(/create secret generic ([a-z-]+) --from-file=(\w+)=/g)];
    expect([
      ...plain.map(([, name, key = '']) => [name, { [key]: '' }]),
      ...made.map(([name, username]) => [`azimuth-database-${name}`, { username, password: '' }]),
    ]).toEqual(ofKind('Secret').map(({ name, json }) => [name, json.stringData]));
  });

  it('name only Secrets, ConfigMaps and keys that are there', () => {
    const keys = new Map<string, readonly string[]>(
      ofKind('Secret').map(({ name, json }) => [name, Object.keys(object(json.stringData))]),
    );
    // The operator makes this one.
    keys.set('azimuth-database-ca', ['ca.crt']);
    const maps = [
      ...ofKind('ConfigMap').map(({ name }) => name),
      ...list(kustomization.configMapGenerator).map(({ name }) => string(name)),
    ];
    let found = 0;
    for (const { json } of all) {
      for (const reference of everywhere(json, 'secretKeyRef').map(object)) {
        expect(keys.get(string(reference.name)), string(reference.name)).toContain(reference.key);
        found++;
      }
      for (const volume of everywhere(json, 'secret').filter(isObject)) {
        const name = string(volume.secretName ?? volume.name);
        for (const { key } of list(volume.items)) expect(keys.get(name)).toContain(key);
        expect([...keys.keys()]).toContain(name);
      }
      for (const { name } of everywhere(json, 'passwordSecret').map(object)) {
        expect([...keys.keys()]).toContain(name);
      }
      for (const { name } of everywhere(json, 'secretRef').map(object)) {
        expect([...keys.keys()]).toContain(name);
      }
      for (const { name } of [...everywhere(json, 'configMapRef'), ...everywhere(json, 'configMap')].map(
        object,
      )) {
        expect(maps).toContain(name);
      }
    }
    expect(found).toBeGreaterThan(8);
  });

  it('use the users that the database gets, each with its own group of rights', () => {
    const database = named('Cluster', 'azimuth-database').json;
    const roles = list(at(database, 'spec', 'managed', 'roles'));
    const made = array(at(database, 'spec', 'bootstrap', 'initdb', 'postInitSQL')).join('\n');
    expect(roles.map(({ name, inRoles }) => [name, inRoles])).toEqual(
      ['worker', 'gateway', 'reader'].map((role) => [role, [`azimuth_${role}`]]),
    );
    for (const { name, passwordSecret, inRoles } of roles) {
      const secret = named('Secret', string(object(passwordSecret).name));
      expect(object(secret.json.stringData).username).toBe(name);
      for (const role of array(inRoles)) expect(made).toContain(`CREATE ROLE ${role} NOLOGIN`);
    }
    const store = new URL(string(object(named('ConfigMap', 'azimuth-settings').json.data).AZIMUTH_STORE));
    expect(store.hostname).toBe('azimuth-database-rw');
    expect(store.pathname).toBe(`/${at(database, 'spec', 'bootstrap', 'initdb', 'database')}`);
    const mounted = pods.map(({ container }) =>
      list(container.volumeMounts).map(({ mountPath }) => mountPath),
    );
    const file = store.searchParams.get('sslrootcert') ?? '';
    for (const paths of mounted) expect(paths).toContain(file.slice(0, file.lastIndexOf('/')));
  });
});

describe('each pod', () => {
  it.each(pods.map((pod) => [pod.owner.name, pod] as const))(
    '%s runs without root, rights and a disk that it may write to, within its memory',
    (_, { spec, container }) => {
      expect(spec.automountServiceAccountToken).toBe(false);
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(at(container.resources, 'requests')).toEqual({
        cpu: expect.any(String),
        memory: expect.any(String),
      });
      expect(at(container.resources, 'limits')).toEqual({ memory: expect.any(String) });
      const volumes = list(spec.volumes).map(({ name }) => name);
      expect(list(container.volumeMounts).map(({ name }) => name)).toEqual(volumes);
    },
  );

  it('runs the image that is built here, of the version of the package', () => {
    const images = new Set(pods.map(({ container }) => container.image));
    expect([...images]).toEqual(list(kustomization.images).map(({ name }) => name));
    const { version } = object(parse(readFileSync(join(deploy, '..', 'package.json'), 'utf8')));
    for (const { newTag } of list(kustomization.images)) expect(newTag).toBe(version);
    for (const image of everywhere(
      all.map(({ json }) => json),
      'imageName',
    ))
      expect(image).toMatch(/:\d+\.\d+$/);
  });

  it('is asked at ports that it has, and has time to end', () => {
    expect(servers).toHaveLength(2);
    for (const { owner, container, spec, labels } of servers) {
      const [port] = list(container.ports);
      const command = array(container.command);
      expect(command[command.indexOf('--port') + 1]).toBe(String(port?.containerPort));
      const paths = { startupProbe: '/healthz', livenessProbe: '/healthz', readinessProbe: '/readyz' };
      for (const [probe, path] of Object.entries(paths)) {
        expect(at(container, probe, 'httpGet'), owner.name).toEqual({ path, port: port?.name });
      }
      const annotations = object(at(owner.json, 'spec', 'template', 'metadata', 'annotations'));
      expect(annotations['prometheus.io/port']).toBe(String(port?.containerPort));
      expect(number(spec.terminationGracePeriodSeconds)).toBeGreaterThan(30);
      expect(matches(at(owner.json, 'spec', 'selector'), labels)).toBe(true);
      for (const selector of everywhere(spec, 'labelSelector')) expect(matches(selector, labels)).toBe(true);
      const policy = named('NetworkPolicy', string(labels['app.kubernetes.io/name']));
      expect(matches(at(policy.json, 'spec', 'podSelector'), labels)).toBe(true);
      const open = list(at(policy.json, 'spec', 'ingress')).flatMap(({ ports }) => list(ports));
      expect(open.map((each) => each.port)).toEqual([port?.containerPort]);
    }
  });

  it('is met by each Service, PodDisruptionBudget, NetworkPolicy and HorizontalPodAutoscaler that is there', () => {
    for (const { json, name } of [...ofKind('Service'), ...ofKind('PodDisruptionBudget')]) {
      const selected = servers.filter(({ labels }) => matches(at(json, 'spec', 'selector'), labels));
      expect(selected, name).toHaveLength(1);
      for (const { targetPort } of list(at(json, 'spec', 'ports'))) {
        expect(list(selected[0]?.container.ports).map((port) => port.name)).toContain(targetPort);
      }
    }
    for (const selector of everywhere(
      ofKind('NetworkPolicy').map(({ json }) => json),
      'podSelector',
    )) {
      const isDatabase = at(selector, 'matchLabels', 'cnpg.io/cluster') === 'azimuth-database';
      expect(
        isDatabase || pods.some(({ labels }) => matches(selector, labels)),
        JSON.stringify(selector),
      ).toBe(true);
    }
    for (const { json } of ofKind('HorizontalPodAutoscaler')) {
      const { kind, name } = object(at(json, 'spec', 'scaleTargetRef'));
      expect(at(named(string(kind), string(name)).json, 'spec', 'replicas')).toBeUndefined();
    }
  });
});

it('without one worker, the others have room for the ten thousand scanners of the fleet file', async () => {
  const listed = await azimuth(['fleet', 'run', join(deploy, 'kubernetes', 'fleet.yaml'), '--dry-run']);
  const scanners = listed.stdout.trim().split('\n');
  expect(scanners).toHaveLength(10_000);
  const command = array(servers.find(({ owner }) => owner.name === 'azimuth-workers')?.container.command);
  const capacity = Number(command[command.indexOf('--capacity') + 1]);
  const least = number(at(named('HorizontalPodAutoscaler', 'azimuth-workers').json, 'spec', 'minReplicas'));
  expect(capacity * (least - 1)).toBeGreaterThanOrEqual(scanners.length);
});

it('the database has connections for all workers and gateways, also while they are replaced', () => {
  const page = readFileSync(join(deploy, '..', 'docs', 'deploy.md'), 'utf8');
  const [, each = '', eachGateway = ''] =
    /at most (\d+) for each worker, and (\d+) for each gateway/.exec(page) ?? [];
  // Those that save, those for leases, and the one that listens.
  const { connections: forLeases = usualConnections } = limitsOfLeases(10_000);
  expect(Number(each)).toBe(usualConnections + forLeases + 1);
  const most = number(at(named('HorizontalPodAutoscaler', 'azimuth-workers').json, 'spec', 'maxReplicas'));
  const gateways = number(at(named('Deployment', 'azimuth-gateway').json, 'spec', 'replicas'));
  const surge = (name: string) =>
    number(at(named('Deployment', name).json, 'spec', 'strategy', 'rollingUpdate', 'maxSurge'));
  // One that is new, and one that has not ended yet.
  const needed = new Map([
    ['worker', (most + 2 * surge('azimuth-workers')) * Number(each)],
    ['gateway', (gateways + 2 * surge('azimuth-gateway')) * Number(eachGateway)],
  ]);
  const database = named('Cluster', 'azimuth-database').json;
  let admitted = 0;
  for (const { name, connectionLimit } of list(at(database, 'spec', 'managed', 'roles'))) {
    expect(number(connectionLimit)).toBeGreaterThanOrEqual(needed.get(string(name)) ?? 1);
    admitted += number(connectionLimit);
  }
  const all = string(at(database, 'spec', 'postgresql', 'parameters', 'max_connections'));
  // The jobs, the operator, and those that PostgreSQL keeps for administrators.
  expect(Number(all)).toBeGreaterThanOrEqual(admitted + 10);
});

it('workers have a lease that is longer than a failover of the database, and that docs/deploy.md names', () => {
  const worker = servers.find(({ owner }) => owner.name === 'azimuth-workers');
  const lease = list(worker?.container.env).find(({ name }) => name === 'AZIMUTH_LEASE')?.value;
  // Renewed after a quarter, given up a tenth before its end: the rest bears an outage.
  expect(Number(lease) * (1 - 1 / 4 - 1 / 10)).toBeGreaterThanOrEqual(30);
  const page = readFileSync(join(deploy, '..', 'docs', 'deploy.md'), 'utf8');
  expect(page).toContain(`| ${lease} s: longer than a failover`);
});
