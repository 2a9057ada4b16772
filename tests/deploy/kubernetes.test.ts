import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultConnections, limitsOfLeases } from '@azimuth/fleet/database';
import { largestFirmware } from '@azimuth/model';
import { azimuth } from '@azimuth/test-support/command-process';
import { array, type JsonObject, number, object, parse, string } from '@azimuth/test-support/json';
import { describe, expect, it } from 'vitest';
import { Cluster, variableOf } from './cluster/cluster.js';
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

import { components, variant } from './kustomize.js';
import { commandsOfDocs } from './secrets-of-docs.js';

const all = resources();
const kustomization = yamlOf('kubernetes', 'kustomization.yaml');

const ofKind = (kind: string) => all.filter((each) => each.kind === kind);
const named = (kind: string, name: string): Resource => {
  const found = ofKind(kind).find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
};

/** Those that are not applied with the others. */
const apart = ['backup/restore.yaml', 'secrets.example.yaml'];
const cluster = new Cluster(all);
const pods = cluster.pods.filter(({ owner }) => owner.kind !== 'Cluster');

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

  it('are all applied, or by a component, apart from the example of the secrets and a restore', () => {
    const ofComponents = components.flatMap((component) =>
      array(yamlOf('kubernetes', component, 'kustomization.yaml').resources ?? []).map(
        (file) => `${component}/${string(file)}`,
      ),
    );
    expect([...array(kustomization.resources).map(string), ...ofComponents, ...apart].sort()).toEqual([
      ...resourceFiles(),
    ]);
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
    expect(commandsOfDocs()).toEqual(ofKind('Secret').map(({ name, json }) => [name, json.stringData]));
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
  });
});

describe('each pod', () => {
  it.each(pods.map((pod) => [pod.owner.name, pod] as const))(
    '%s runs without root, rights and a disk that it may write to, within its memory',
    (_, { spec, containers: [container, ...others] }) => {
      if (container === undefined) throw new Error('it has no container');
      expect(others).toEqual([]);
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
    },
  );

  it('runs the image that is built here, of the version of the package, or PostgreSQL as the server', () => {
    const images = new Set(pods.flatMap(({ containers }) => containers.map(({ image }) => string(image))));
    const [[, version = ''] = []] = everywhere(
      all.map(({ json }) => json),
      'imageName',
    ).map((image) => string(image).split(':'));
    expect(version).toMatch(/^\d+\.\d+$/);
    expect([...images].sort()).toEqual(['azimuth', `postgres:${version}-bookworm`]);
    expect(list(kustomization.images).map(({ name }) => name)).toEqual(['azimuth']);
    const { version: own } = object(parse(readFileSync(join(deploy, '..', 'package.json'), 'utf8')));
    for (const { newTag } of list(kustomization.images)) expect(newTag).toBe(own);
  });

  it('has time to end', () => {
    expect(cluster.servers).toHaveLength(2);
    for (const { spec } of cluster.servers)
      expect(number(spec.terminationGracePeriodSeconds)).toBeGreaterThan(30);
  });
});

it('an Ingress lets a whole firmware file and silent connections through, by a name that the gateway knows', () => {
  const { json } = named('Ingress', 'azimuth-gateway');
  const of = (name: string) =>
    string(object(at(json, 'metadata', 'annotations'))[`nginx.ingress.kubernetes.io/${name}`]);
  // Without a limit, or with one above a whole firmware file.
  const [, size = ''] = /^(\d+)m?$/.exec(of('proxy-body-size')) ?? [];
  expect(size === '0' || Number(size) * 2 ** 20 > largestFirmware).toBe(true);
  // Longer than a gateway waits for a worker to have the scanner, and to answer.
  for (const name of ['proxy-read-timeout', 'proxy-send-timeout'])
    expect(Number(of(name))).toBeGreaterThan(15 + 60);
  expect([of('proxy-request-buffering'), of('proxy-buffering')]).toEqual(['off', 'off']);
  const served = new Cluster(variant(['ingress'])).server('azimuth-gateway').containers;
  const [host] = list(at(json, 'spec', 'rules')).map((rule) => rule.host);
  expect(served.map((container) => variableOf(container, 'AZIMUTH_ALLOWED_HOST'))).toEqual([host]);
  expect(readFileSync(join(deploy, '..', 'docs', 'deploy.md'), 'utf8')).toContain(
    `create secret tls ${list(at(json, 'spec', 'tls'))[0]?.secretName} `,
  );
});

it('KEDA reckons with a tenth less than the capacity of a worker, and keeps the bounds of the autoscaler', () => {
  const scaled = named('ScaledObject', 'azimuth-workers').json;
  const { minReplicas, maxReplicas, behavior } = object(
    named('HorizontalPodAutoscaler', 'azimuth-workers').json.spec,
  );
  expect(at(scaled, 'spec', 'minReplicaCount')).toBe(minReplicas);
  expect(at(scaled, 'spec', 'maxReplicaCount')).toBe(maxReplicas);
  expect(at(scaled, 'spec', 'advanced', 'horizontalPodAutoscalerConfig', 'behavior')).toEqual(behavior);
  const [query] = everywhere(scaled, 'query').map(string);
  expect(Number(/\/ (\d+) \+ 1$/.exec(query ?? '')?.[1])).toBe(capacity() * 0.9);
});

/** Scanners that one worker runs. */
function capacity(): number {
  const [container] = cluster.server('azimuth-workers').containers;
  const command = array(container?.command);
  return Number(command[command.indexOf('--capacity') + 1]);
}

it('without one worker, the others have room for the ten thousand scanners of the fleet file', async () => {
  const listed = await azimuth(['fleet', 'run', join(deploy, 'kubernetes', 'fleet.yaml'), '--dry-run']);
  const scanners = listed.stdout.trim().split('\n');
  expect(scanners).toHaveLength(10_000);
  const least = number(at(named('HorizontalPodAutoscaler', 'azimuth-workers').json, 'spec', 'minReplicas'));
  expect(capacity() * (least - 1)).toBeGreaterThanOrEqual(scanners.length);
});

it('the database has connections for all workers and gateways, also while they are replaced', () => {
  const page = readFileSync(join(deploy, '..', 'docs', 'deploy.md'), 'utf8');
  const [, each = '', eachGateway = ''] =
    /at most (\d+) for each worker, and (\d+) for each gateway/.exec(page) ?? [];
  // Those that save, those for leases, and the one that listens.
  const { connections: forLeases = defaultConnections } = limitsOfLeases(10_000);
  expect(Number(each)).toBe(defaultConnections + forLeases + 1);
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
  // A database without the operator has the same limits.
  const limits = Object.fromEntries(
    [...page.matchAll(/^CREATE ROLE (\w+) LOGIN .* CONNECTION LIMIT (\d+) IN ROLE azimuth_\1;$/gm)].map(
      ([, role = '', limit]) => [role, Number(limit)],
    ),
  );
  let admitted = 0;
  for (const { name, connectionLimit } of list(at(database, 'spec', 'managed', 'roles'))) {
    expect(number(connectionLimit)).toBeGreaterThanOrEqual(needed.get(string(name)) ?? 1);
    expect(limits[string(name)]).toBe(connectionLimit);
    admitted += number(connectionLimit);
  }
  const all = string(at(database, 'spec', 'postgresql', 'parameters', 'max_connections'));
  // The jobs, the operator, and those that PostgreSQL keeps for administrators.
  expect(Number(all)).toBeGreaterThanOrEqual(admitted + 10);
});

it('workers have a lease that is longer than a failover of the database, and that docs/deploy.md names', () => {
  const [container = {}] = cluster.server('azimuth-workers').containers;
  const lease = variableOf(container, 'AZIMUTH_LEASE');
  // Renewed after a quarter, given up a tenth before its end: the rest bears an outage.
  expect(Number(lease) * (1 - 1 / 4 - 1 / 10)).toBeGreaterThanOrEqual(30);
  const page = readFileSync(join(deploy, '..', 'docs', 'deploy.md'), 'utf8');
  expect(page).toContain(`| ${lease} s: longer than a failover`);
});
