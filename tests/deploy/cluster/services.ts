import { array, object, string } from '@azimuth/test-support/json';
import { at, everywhere, list } from '../documents.js';
import { type Cluster, type Pod, portOf } from './cluster.js';

/** What leads nowhere: Services, Ingresses, monitors, budgets, scalers and probes without the pod or the port that they name. */
export function pathFaults(cluster: Cluster): readonly string[] {
  return [
    ...serviceFaults(cluster),
    ...ingressFaults(cluster),
    ...monitorFaults(cluster),
    ...targetFaults(cluster),
    ...cluster.servers.flatMap(probeFaults),
  ];
}

function serviceFaults(cluster: Cluster): readonly string[] {
  return cluster.ofKind('Service').flatMap(({ name, json }) => {
    const selected = cluster.selected(at(json, 'spec', 'selector'));
    if (selected.length === 0) return [`the Service ${name} selects no pod`];
    const ports = list(at(json, 'spec', 'ports'));
    return [
      ...ports
        .filter((port) => port.name === undefined)
        .map(() => `a port of the Service ${name} has no name`),
      ...ports.flatMap(({ targetPort, port }) =>
        selected
          .filter((pod) => portOf(pod, targetPort ?? port) === undefined)
          .map((pod) => `the Service ${name} asks ${pod.owner.name} at a port that it does not have`),
      ),
    ];
  });
}

function ingressFaults(cluster: Cluster): readonly string[] {
  return cluster.ofKind('Ingress').flatMap(({ name, json }) => {
    const hosts = list(at(json, 'spec', 'rules')).map(({ host }) => host);
    const secured = list(at(json, 'spec', 'tls')).flatMap((each) => array(each.hosts));
    return [
      ...everywhere(json, 'service').flatMap((service) => {
        const { name: wanted, port } = object(service);
        const found = cluster.ofKind('Service').find((each) => each.name === wanted);
        const ports = list(at(found?.json, 'spec', 'ports'));
        const { name: byName, number: byNumber } = object(port);
        const isThere = ports.some((each) => each.name === byName || each.port === byNumber);
        return isThere ? [] : [`the Ingress ${name} leads to a Service or port that is not there`];
      }),
      ...hosts
        .filter((host) => !secured.includes(host))
        .map((host) => `the Ingress ${name} has ${String(host)} without TLS`),
    ];
  });
}

function monitorFaults(cluster: Cluster): readonly string[] {
  return cluster.ofKind('PodMonitor').flatMap(({ name, json }) => {
    const selected = cluster.selected(at(json, 'spec', 'selector'));
    const unread = cluster.servers.filter((pod) => !selected.includes(pod));
    return [
      ...unread.map((pod) => `the PodMonitor ${name} does not read ${pod.owner.name}`),
      ...list(at(json, 'spec', 'podMetricsEndpoints')).flatMap(({ port }) =>
        selected
          .filter((pod) => portOf(pod, port) === undefined)
          .map((pod) => `the PodMonitor ${name} asks ${pod.owner.name} at a port that it does not have`),
      ),
    ];
  });
}

/** Budgets and scalers whose pods are not there would do nothing, and nobody would be told. */
function targetFaults(cluster: Cluster): readonly string[] {
  const scalers = [...cluster.ofKind('HorizontalPodAutoscaler'), ...cluster.ofKind('ScaledObject')];
  return [
    ...cluster
      .ofKind('PodDisruptionBudget')
      .filter(({ json }) => cluster.selected(at(json, 'spec', 'selector')).length === 0)
      .map(({ name }) => `the PodDisruptionBudget ${name} is for no pod`),
    ...scalers
      .filter((scaler) => !cluster.servers.some(({ owner }) => cluster.scalersOf(owner).includes(scaler)))
      .map(({ kind, name }) => `the ${kind} ${name} scales nothing`),
  ];
}

const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'] as const;

/** The paths at which the pods of a server are asked: by probes, and for metrics. */
export function askedPaths(cluster: Cluster, pod: Pod): readonly string[] {
  const metrics = cluster
    .ofKind('PodMonitor')
    .flatMap(({ json }) => list(at(json, 'spec', 'podMetricsEndpoints')))
    .map(({ path }) => string(path));
  const annotated = at(pod.owner.json, 'spec', 'template', 'metadata', 'annotations', 'prometheus.io/path');
  const probed = pod.containers.flatMap((container) =>
    probes.map((probe) => string(at(container, probe, 'httpGet', 'path'))),
  );
  return [...new Set([...probed, string(annotated), ...metrics])];
}

/** The port that the program opens by its command has to be the one that is asked. */
function probeFaults(pod: Pod): readonly string[] {
  const { owner, containers } = pod;
  const annotated = at(owner.json, 'spec', 'template', 'metadata', 'annotations', 'prometheus.io/port');
  return containers.flatMap((container) => {
    const command = array(container.command);
    const opened = Number(command[command.indexOf('--port') + 1]);
    const asked = [
      ...probes.map((probe) => [probe, portOf(pod, at(container, probe, 'httpGet', 'port'))] as const),
      ['prometheus.io/port', Number(annotated)] as const,
    ];
    return asked
      .filter(([, port]) => port !== opened)
      .map(([what]) => `${what} of ${owner.name} asks at another port than its program opens`);
  });
}
