import { type JsonObject, object } from '@azimuth/test-support/json';
import { describe, expect, it } from 'vitest';
import { type Resource, resourceOf } from '../documents.js';
import { variant } from '../kustomize.js';
import { faultsOf } from './faults.js';

const own = 'own-database';

/** The documents with a value in another place; without it, the member or item is taken out. */
function changed(
  resources: readonly Resource[],
  [kind = '', name = '']: readonly string[],
  path: readonly string[],
  value?: unknown,
): readonly Resource[] {
  let found = 0;
  const result = resources.map((each) => {
    if (each.kind !== kind || each.name !== name) return each;
    found++;
    const json = structuredClone(each.json);
    const last = path.at(-1) ?? '';
    const place = path.slice(0, -1).reduce<unknown>(memberOf, json);
    if (Array.isArray(place)) place.splice(Number(last), 1, ...(value === undefined ? [] : [value]));
    else set(object(place), last, value);
    return resourceOf(each.file, json);
  });
  if (found !== 1) throw new Error(`there are ${found} ${kind} ${name}`);
  return result;
}

function set(place: JsonObject, member: string, value: unknown): void {
  if (value === undefined) delete place[member];
  else place[member] = value;
}

function memberOf(place: unknown, step: string): unknown {
  return Array.isArray(place) ? place[Number(step)] : object(place)[step];
}

const without = (resources: readonly Resource[], kind: string, name: string) =>
  resources.filter((each) => each.kind !== kind || each.name !== name);

const pod = 'spec/template/spec';
const container = `${pod}/containers/0`;
const workers = 'Deployment/azimuth-workers';
const gateway = 'Deployment/azimuth-gateway';

describe('each check can fail', () => {
  it.each([
    [
      [],
      workers,
      `${pod}/volumes/0/secret/secretName`,
      'azimuth-authority',
      'waits for the Secret azimuth-authority',
    ],
    [
      [own],
      workers,
      `${pod}/volumes/0/secret/optional`,
      undefined,
      'azimuth-workers waits for the Secret azimuth-database-ca',
    ],
    [
      [],
      'Job/azimuth-migrate',
      `${container}/env/0/valueFrom/secretKeyRef/key`,
      'user',
      'waits for user of the Secret',
    ],
    [[], gateway, `${container}/envFrom/0/configMapRef/name`, 'azimuth', 'waits for the ConfigMap azimuth'],
    [[], gateway, `${container}/volumeMounts/0`, undefined, 'azimuth-gateway mounts no database-authority'],
    [[], workers, `${pod}/volumes/1`, undefined, 'azimuth-workers has no volume temporary'],
    [
      [],
      workers,
      `${pod}/volumes/0/secret/items/0/path`,
      'tls.crt',
      'does not see /etc/azimuth/database/ca.crt',
    ],
    [
      ['backup'],
      'CronJob/azimuth-backup',
      'spec/jobTemplate/spec/template/spec/volumes/1/persistentVolumeClaim/claimName',
      'backups',
      'waits for the PersistentVolumeClaim backups',
    ],
    [
      [],
      'NetworkPolicy/azimuth-gateway',
      'spec/egress/0/ports/0/port',
      9001,
      'a gateway that asks a worker is refused',
    ],
    [
      [],
      'NetworkPolicy/azimuth-worker',
      'spec/ingress/0/from/0',
      undefined,
      'a gateway that asks a worker is refused',
    ],
    [
      [],
      'NetworkPolicy/azimuth-worker',
      'spec/ingress/0/from/1',
      undefined,
      'Prometheus at azimuth-workers is refused',
    ],
    [
      [],
      'NetworkPolicy/azimuth-worker',
      'spec/ingress/0/from',
      undefined,
      'a stranger at a worker is let through',
    ],
    [
      [],
      'NetworkPolicy/azimuth-nothing-else',
      'spec/egress/0/ports/0',
      undefined,
      'that asks a pod for a name over UDP is refused',
    ],
    [
      [],
      'NetworkPolicy/azimuth-nothing-else',
      'spec/egress/1',
      undefined,
      'azimuth-migrate at the database is refused',
    ],
    [
      [own],
      'NetworkPolicy/azimuth-nothing-else',
      'spec/egress/1/to/0/ipBlock/cidr',
      '10.31.0.0/16',
      'azimuth-workers at the database is refused',
    ],
    [
      [],
      'NetworkPolicy/azimuth-nothing-else',
      'spec/egress/0/to',
      undefined,
      'a name asked outside is let through',
    ],
    [
      [],
      'NetworkPolicy/azimuth-nothing-else',
      'spec/egress/2',
      {},
      'a gateway at an address outside is let through',
    ],
    [
      ['scan-data'],
      'NetworkPolicy/azimuth-worker',
      'spec/egress/0/ports/0/protocol',
      'TCP',
      'scan data to a receiver is refused',
    ],
    [
      [],
      'NetworkPolicy/azimuth-worker',
      'spec/egress/0',
      { to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] },
      'scan data that nobody has allowed is let through',
    ],
    [
      ['ingress'],
      'NetworkPolicy/azimuth-gateway',
      'spec/ingress/0/from',
      undefined,
      'a stranger beside the Ingress is let through',
    ],
    [
      ['ingress'],
      'NetworkPolicy/azimuth-gateway',
      'spec/ingress/0/from/0',
      undefined,
      'the controller of the Ingress at a gateway is refused',
    ],
    [
      [],
      'NetworkPolicy/azimuth-database',
      'spec/ingress/0/from/0',
      undefined,
      'azimuth-gateway at the database is refused',
    ],
    [
      [],
      'NetworkPolicy/azimuth-database',
      'spec/podSelector/matchLabels',
      { app: 'database' },
      'NetworkPolicy azimuth-database is for no pod',
    ],
    [[], gateway, 'spec/replicas', undefined, '0 places say how many pods azimuth-gateway has'],
    [[], workers, 'spec/replicas', 3, '2 places say how many pods azimuth-workers has'],
    [
      ['scaling'],
      'ScaledObject/azimuth-workers',
      'spec/scaleTargetRef/name',
      'workers',
      'the ScaledObject azimuth-workers scales nothing',
    ],
    [[], gateway, 'spec/replicas', 1, 'no machine with a pod of azimuth-gateway can be emptied'],
    [
      [],
      'PodDisruptionBudget/azimuth-workers',
      'spec/maxUnavailable',
      3,
      'all pods of azimuth-workers may be missing',
    ],
    [
      [],
      gateway,
      'spec/strategy/rollingUpdate/maxUnavailable',
      2,
      'a rollout of azimuth-gateway takes more than its budget',
    ],
    [[], workers, 'spec/strategy/rollingUpdate/maxSurge', 0, 'a rollout of azimuth-workers cannot begin'],
    [
      [],
      'PodDisruptionBudget/azimuth-workers',
      'spec/selector/matchLabels',
      { app: 'worker' },
      'azimuth-workers has 0 PodDisruptionBudgets',
    ],
    [
      [],
      workers,
      'spec/selector/matchLabels',
      { app: 'worker' },
      'a selector of azimuth-workers does not mean its own pods',
    ],
    [
      [],
      'Service/azimuth-gateway',
      'spec/selector',
      { app: 'gateway' },
      'the Service azimuth-gateway selects no pod',
    ],
    [[], 'Service/azimuth-gateway', 'spec/ports/0/targetPort', 'https', 'at a port that it does not have'],
    [
      [],
      'Service/azimuth-gateway',
      'spec/ports/0/name',
      undefined,
      'a port of the Service azimuth-gateway has no name',
    ],
    [
      ['ingress'],
      'Ingress/azimuth-gateway',
      'spec/rules/0/http/paths/0/backend/service/port',
      { name: 'web' },
      'leads to a Service or port that is not there',
    ],
    [
      ['ingress'],
      'Ingress/azimuth-gateway',
      'spec/tls/0/hosts/0',
      'example.com',
      'has azimuth.example.com without TLS',
    ],
    [
      ['monitoring'],
      'PodMonitor/azimuth',
      'spec/selector/matchExpressions/0/values/0',
      undefined,
      'does not read azimuth-workers',
    ],
    [
      ['monitoring'],
      'PodMonitor/azimuth',
      'spec/podMetricsEndpoints/0/port',
      'metrics',
      'at a port that it does not have',
    ],
    [
      [],
      gateway,
      `${container}/livenessProbe/httpGet/port`,
      'metrics',
      'livenessProbe of azimuth-gateway asks at another port',
    ],
    [
      [],
      workers,
      `${container}/ports/0/containerPort`,
      9001,
      'startupProbe of azimuth-workers asks at another port',
    ],
    [
      [],
      workers,
      'spec/template/metadata/annotations/prometheus.io~1port',
      '9001',
      'prometheus.io/port of azimuth-workers asks at another port',
    ],
  ] as const)('with %s: %s, %s → %j', (chosen, document, path, value, fault) => {
    const steps = path.split('/').map((step) => step.replace('~1', '/'));
    const documents = changed(variant(chosen), document.split('/'), steps, value);
    expect(faultsOf(documents, chosen).join('\n')).toContain(fault);
  });

  it('also if a whole document is missing', () => {
    expect(faultsOf(without(variant(), 'ConfigMap', 'azimuth-fleet-file'), [])).toEqual([
      'azimuth-apply waits for the ConfigMap azimuth-fleet-file',
    ]);
    expect(faultsOf(without(variant(), 'Cluster', 'azimuth-database'), []).join('\n')).toContain(
      'azimuth-workers waits for the Secret azimuth-database-ca',
    );
  });
});
