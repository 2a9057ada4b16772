import { array, isObject, type JsonObject, number, object, string } from '@azimuth/test-support/json';
import { at, list, type Resource } from '../documents.js';

/** A pod that a document makes. */
export interface Pod {
  readonly owner: Resource;
  readonly labels: JsonObject;
  readonly spec: JsonObject;
  readonly containers: readonly JsonObject[];
}

/** What a selector of labels asks. */
export function matches(selector: unknown, labels: JsonObject): boolean {
  const { matchLabels, matchExpressions, ...others } = object(selector);
  const plain = matchLabels === undefined && matchExpressions === undefined ? others : {};
  const wanted = Object.entries({ ...plain, ...(isObject(matchLabels) ? matchLabels : {}) });
  return (
    wanted.every(([key, value]) => labels[key] === value) &&
    list(matchExpressions).every(({ key, operator, values }) => {
      if (operator !== 'In') throw new Error(`the tests do not know the operator ${String(operator)}`);
      return array(values).includes(labels[string(key)]);
    })
  );
}

/** What would run if these documents were applied to a cluster. */
export class Cluster {
  readonly pods: readonly Pod[];

  constructor(readonly resources: readonly Resource[]) {
    this.pods = resources.flatMap((owner) => podOf(owner) ?? []);
  }

  ofKind(kind: string): readonly Resource[] {
    return this.resources.filter((each) => each.kind === kind);
  }

  named(kind: string, name: string): Resource {
    const found = this.ofKind(kind).find((each) => each.name === name);
    if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
    return found;
  }

  /** Those that run on, and are replaced one after the other. */
  get servers(): readonly Pod[] {
    return this.pods.filter(({ owner }) => owner.kind === 'Deployment');
  }

  selected(selector: unknown): readonly Pod[] {
    return this.pods.filter(({ labels }) => matches(selector, labels));
  }

  server(name: string): Pod {
    const found = this.servers.find(({ owner }) => owner.name === name);
    if (found === undefined) throw new Error(`there is no Deployment ${name}`);
    return found;
  }

  /** How many of its pods there are at least. */
  replicasOf({ owner }: Pod): number {
    const least = this.scalersOf(owner).map(({ json }) =>
      number(at(json, 'spec', 'minReplicas') ?? at(json, 'spec', 'minReplicaCount')),
    );
    return number(at(owner.json, 'spec', 'replicas') ?? least[0] ?? 1);
  }

  /** What changes the number of its pods. */
  scalersOf({ kind, name }: Resource): readonly Resource[] {
    return [...this.ofKind('HorizontalPodAutoscaler'), ...this.ofKind('ScaledObject')].filter(({ json }) => {
      const target = object(at(json, 'spec', 'scaleTargetRef'));
      return target.name === name && (target.kind ?? 'Deployment') === kind;
    });
  }
}

/** The value of a variable in the environment of a container; undefined if it has none in plain text. */
export function variableOf(container: JsonObject, name: string): string | undefined {
  const value = list(container.env).find((each) => each.name === name)?.value;
  return value === undefined ? undefined : string(value);
}

/** The port of this number or name; undefined if the pod has none. */
export function portOf({ containers }: Pod, wanted: unknown): number | undefined {
  const ports = containers.flatMap((container) => list(container.ports));
  const found = ports.find(({ name, containerPort }) => name === wanted || containerPort === wanted);
  return found === undefined ? undefined : number(found.containerPort);
}

function podOf(owner: Resource): Pod | undefined {
  if (owner.kind === 'Cluster') return databasePod(owner);
  const path = owner.kind === 'CronJob' ? ['spec', 'jobTemplate', 'spec', 'template'] : ['spec', 'template'];
  const template = at(owner.json, ...path);
  if (template === undefined || !['Deployment', 'Job', 'CronJob'].includes(owner.kind)) return undefined;
  const spec = object(at(template, 'spec'));
  return {
    owner,
    labels: object(at(template, 'metadata', 'labels')),
    spec,
    containers: list(spec.containers),
  };
}

/** A pod that the operator CloudNativePG makes: PostgreSQL, its instance manager, and metrics. */
function databasePod(owner: Resource): Pod {
  const ports = Object.entries({ postgresql: 5432, status: 8000, metrics: 9187 }).map(
    ([name, containerPort]) => ({ name, containerPort }),
  );
  const containers = [{ name: 'postgres', ports }];
  return { owner, labels: { 'cnpg.io/cluster': owner.name }, spec: { containers }, containers };
}
