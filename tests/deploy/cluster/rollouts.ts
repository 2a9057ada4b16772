import { number } from '@azimuth/test-support/json';
import { at } from '../documents.js';
import { type Cluster, matches, type Pod } from './cluster.js';

/** What would stop a rollout or the maintenance of a machine, or take more pods away than may be missing. */
export function rolloutFaults(cluster: Cluster): readonly string[] {
  return cluster.servers.flatMap((pod) => [
    ...scalerFaults(cluster, pod),
    ...budgetFaults(cluster, pod),
    ...selectorFaults(pod),
  ]);
}

function scalerFaults(cluster: Cluster, { owner }: Pod): readonly string[] {
  const scalers = cluster.scalersOf(owner).length;
  const isFixed = at(owner.json, 'spec', 'replicas') !== undefined;
  const deciding = scalers + (isFixed ? 1 : 0);
  return deciding === 1 ? [] : [`${deciding} places say how many pods ${owner.name} has`];
}

function budgetFaults(cluster: Cluster, pod: Pod): readonly string[] {
  const { owner, labels } = pod;
  const budgets = cluster
    .ofKind('PodDisruptionBudget')
    .filter(({ json }) => matches(at(json, 'spec', 'selector'), labels));
  const [budget] = budgets;
  if (budget === undefined || budgets.length > 1)
    return [`${owner.name} has ${budgets.length} PodDisruptionBudgets`];
  const replicas = cluster.replicasOf(pod);
  const update = (member: string) =>
    number(at(owner.json, 'spec', 'strategy', 'rollingUpdate', member) ?? Number.NaN);
  const mayBeMissing = (json: unknown) => {
    const least = at(json, 'spec', 'minAvailable');
    return least === undefined ? number(at(json, 'spec', 'maxUnavailable')) : replicas - number(least);
  };
  const missing = mayBeMissing(budget.json);
  return [
    ...(missing < 1 ? [`no machine with a pod of ${owner.name} can be emptied`] : []),
    ...(missing >= replicas ? [`all pods of ${owner.name} may be missing`] : []),
    ...(update('maxUnavailable') <= missing ? [] : [`a rollout of ${owner.name} takes more than its budget`]),
    ...(update('maxUnavailable') + update('maxSurge') > 0 ? [] : [`a rollout of ${owner.name} cannot begin`]),
  ];
}

/** A Deployment whose selector does not match its own template is refused; pods that it does not match are spread no longer. */
function selectorFaults({ owner, labels, spec }: Pod): readonly string[] {
  const spreads = at(spec, 'topologySpreadConstraints');
  const selectors = [
    at(owner.json, 'spec', 'selector'),
    ...(Array.isArray(spreads) ? spreads.map((each: unknown) => at(each, 'labelSelector')) : []),
  ];
  return selectors.every((selector) => matches(selector, labels))
    ? []
    : [`a selector of ${owner.name} does not mean its own pods`];
}
