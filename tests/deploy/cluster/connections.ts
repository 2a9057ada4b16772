import { number, object, string } from '@azimuth/test-support/json';
import { at, list } from '../documents.js';
import { type Cluster, type Pod, portOf, variableOf } from './cluster.js';
import { isLetThrough, type Place, type Port } from './policies.js';
import { storeOf } from './references.js';

interface Connection {
  readonly what: string;
  readonly from: Place;
  readonly to: Place;
  readonly port: Port;
}

const podIn = (namespace: string, ports: Readonly<Record<string, number>> = {}): Place => ({
  namespace,
  labels: { 'app.kubernetes.io/name': 'anything' },
  ports: new Map(Object.entries(ports)),
});

/** Others in the cluster, and outside of it. */
const monitoring = podIn('monitoring');
const operator = podIn('cnpg-system');
const ingressController = podIn('ingress-nginx');
/** DNS: pods, and the cache that some clusters have on each machine. */
const names = { 'a pod': podIn('kube-system', { dns: 53 }), 'the cache': { address: '169.254.20.10' } };
const stranger = podIn('default');
const outside: Place = { address: '203.0.113.7' };
const receiver: Place = { address: '10.20.0.5' };
/** Databases that are not run here, by their names in the examples. */
const databases: ReadonlyMap<string, string> = new Map([['postgres.example.com', '10.30.0.10']]);

const tcp = (port: number): Port => ({ protocol: 'TCP', port });
const scanData: Port = { protocol: 'UDP', port: 2115 };

function placeOf({ owner, labels, containers }: Pod): Place {
  const ports = containers.flatMap((container) => list(container.ports));
  return {
    namespace: string(at(owner.json, 'metadata', 'namespace')),
    labels,
    ports: new Map(ports.map(({ name, containerPort }) => [string(name), number(containerPort)])),
  };
}

/** What does not come through although it has to, and what comes through although it must not. */
export function networkFaults(cluster: Cluster, isSendingScanData: boolean): readonly string[] {
  const through = ({ from, to, port }: Connection) => isLetThrough(cluster, from, to, port);
  return [
    ...needed(cluster, isSendingScanData)
      .filter((each) => !through(each))
      .map(({ what }) => `${what} is refused`),
    ...forbidden(cluster, isSendingScanData)
      .filter(through)
      .map(({ what }) => `${what} is let through`),
    ...cluster
      .ofKind('NetworkPolicy')
      .filter(({ json }) => cluster.selected(at(json, 'spec', 'podSelector')).length === 0)
      .map(({ name }) => `the NetworkPolicy ${name} is for no pod`),
  ];
}

function needed(cluster: Cluster, isSendingScanData: boolean): readonly Connection[] {
  const [gateway, worker] = [cluster.server('azimuth-gateway'), cluster.server('azimuth-workers')];
  const advertised = worker.containers.map((container) => variableOf(container, 'AZIMUTH_ADVERTISE'))[0];
  return [
    {
      what: 'a gateway that asks a worker',
      from: placeOf(gateway),
      to: placeOf(worker),
      port: tcp(Number(/:(\d+)$/.exec(advertised ?? '')?.[1])),
    },
    ...cluster.pods.flatMap((pod) => toDatabase(cluster, pod)),
    ...cluster.pods.flatMap((pod) => ofPrometheus(cluster, pod)),
    ...fromOutside(cluster),
    ...cluster.pods.filter(({ owner }) => owner.kind === 'Cluster').flatMap(ofDatabase),
    ...(isSendingScanData
      ? [{ what: 'scan data to a receiver', from: placeOf(worker), to: receiver, port: scanData }]
      : []),
  ];
}

function toDatabase(cluster: Cluster, pod: Pod): readonly Connection[] {
  const from = placeOf(pod);
  const [store] = pod.containers.flatMap((container) => storeOf(cluster, container) ?? []);
  if (store === undefined) return [];
  const own = cluster.ofKind('Cluster').find(({ name }) => store.hostname === `${name}-rw`);
  const database = cluster.pods.find(({ owner }) => owner === own);
  const to = database === undefined ? { address: databases.get(store.hostname) ?? '' } : placeOf(database);
  return [
    { what: `${pod.owner.name} at the database`, from, to, port: tcp(Number(store.port)) },
    ...Object.entries(names).flatMap(([who, place]) =>
      (['UDP', 'TCP'] as const).map((protocol) => ({
        what: `${pod.owner.name} that asks ${who} for a name over ${protocol}`,
        from,
        to: place,
        port: { protocol, port: 53 },
      })),
    ),
  ];
}

/** By the annotations of the pod, and by each PodMonitor that selects it. */
function ofPrometheus(cluster: Cluster, pod: Pod): readonly Connection[] {
  const annotated = at(pod.owner.json, 'spec', 'template', 'metadata', 'annotations');
  const monitors = cluster
    .ofKind('PodMonitor')
    .filter(({ json }) => cluster.selected(at(json, 'spec', 'selector')).includes(pod))
    .flatMap(({ json }) => list(at(json, 'spec', 'podMetricsEndpoints')))
    .map(({ port }) => portOf(pod, port));
  const byAnnotation = annotated === undefined ? [] : [Number(object(annotated)['prometheus.io/port'])];
  return [...byAnnotation, ...monitors].map((port) => ({
    what: `Prometheus at ${pod.owner.name}`,
    from: monitoring,
    to: placeOf(pod),
    port: tcp(port ?? 0),
  }));
}

function fromOutside(cluster: Cluster): readonly Connection[] {
  const gateway = cluster.server('azimuth-gateway');
  const port = tcp(portOf(gateway, 'http') ?? 0);
  const to = placeOf(gateway);
  if (cluster.ofKind('Ingress').length > 0)
    return [{ what: 'the controller of the Ingress at a gateway', from: ingressController, to, port }];
  return [
    { what: 'a pod of the cluster at a gateway', from: stranger, to, port },
    { what: 'a client outside at a gateway', from: outside, to, port },
  ];
}

/** What CloudNativePG needs, and what reads the database. */
function ofDatabase(pod: Pod): readonly Connection[] {
  const to = placeOf(pod);
  const ports = { postgresql: 5432, status: 8000 };
  return [
    ...Object.entries(ports).flatMap(([name, port]) => [
      { what: `the operator at ${name} of the database`, from: operator, to, port: tcp(port) },
      { what: `a standby at ${name} of the primary`, from: to, to, port: tcp(port) },
    ]),
    { what: 'Grafana at the database', from: monitoring, to, port: tcp(5432) },
    { what: 'Prometheus at the database', from: monitoring, to, port: tcp(9187) },
  ];
}

function forbidden(cluster: Cluster, isSendingScanData: boolean): readonly Connection[] {
  const [gateway, worker] = [cluster.server('azimuth-gateway'), cluster.server('azimuth-workers')].map(
    placeOf,
  );
  if (gateway === undefined || worker === undefined) return [];
  const ofWorker = tcp(portOf(cluster.server('azimuth-workers'), 'http') ?? 0);
  const ofGateway = tcp(portOf(cluster.server('azimuth-gateway'), 'http') ?? 0);
  const databaseIn = cluster.pods.filter(({ owner }) => owner.kind === 'Cluster').map(placeOf);
  return [
    { what: 'a stranger at a worker', from: stranger, to: worker, port: ofWorker },
    { what: 'a client outside at a worker', from: outside, to: worker, port: ofWorker },
    { what: 'a worker at a gateway', from: worker, to: gateway, port: ofGateway },
    { what: 'a gateway at an address outside', from: gateway, to: outside, port: tcp(443) },
    { what: 'a name asked outside', from: gateway, to: outside, port: { protocol: 'UDP', port: 53 } },
    { what: 'a worker at an address outside', from: worker, to: outside, port: scanData },
    { what: 'a worker at another pod', from: worker, to: stranger, port: scanData },
    ...databaseIn.map((to) => ({ what: 'a stranger at the database', from: stranger, to, port: tcp(5432) })),
    ...(cluster.ofKind('Ingress').length > 0
      ? [{ what: 'a stranger beside the Ingress', from: stranger, to: gateway, port: ofGateway }]
      : []),
    ...(isSendingScanData
      ? []
      : [{ what: 'scan data that nobody has allowed', from: worker, to: receiver, port: scanData }]),
  ];
}
