import type { Resource } from '../documents.js';
import { secretsOfDocs } from '../secrets-of-docs.js';
import { Cluster } from './cluster.js';
import { networkFaults } from './connections.js';
import { missingReferences } from './references.js';
import { rolloutFaults } from './rollouts.js';
import { pathFaults } from './services.js';

/** What would not work in a cluster to which these documents, with the chosen components, were applied. */
export function faultsOf(resources: readonly Resource[], chosen: readonly string[]): readonly string[] {
  const cluster = new Cluster(resources);
  return [
    ...missingReferences(cluster, secretsOfDocs()),
    ...networkFaults(cluster, chosen.includes('scan-data')),
    ...rolloutFaults(cluster),
    ...pathFaults(cluster),
  ];
}
