import { BlockList } from 'node:net';
import { array, type JsonObject, number, object, string } from '@azimuth/test-support/json';
import { at, list, type Resource } from '../documents.js';
import { type Cluster, matches } from './cluster.js';

/** Who connects, or is connected to: a pod of some namespace, or an address outside of the cluster. */
export type Place =
  | { readonly namespace: string; readonly labels: JsonObject; readonly ports: ReadonlyMap<string, number> }
  | { readonly address: string };

export interface Port {
  readonly protocol: 'TCP' | 'UDP';
  readonly port: number;
}

/** Would the network let this connection through? Both sides have to: who begins it by egress, and who is asked by ingress. */
export function isLetThrough(cluster: Cluster, from: Place, to: Place, port: Port): boolean {
  return (
    isAdmitted(cluster, { side: 'Egress', own: from, other: to }, to, port) &&
    isAdmitted(cluster, { side: 'Ingress', own: to, other: from }, to, port)
  );
}

interface View {
  readonly side: 'Ingress' | 'Egress';
  readonly own: Place;
  readonly other: Place;
}

function isAdmitted(cluster: Cluster, { side, own, other }: View, asked: Place, port: Port): boolean {
  const policies = cluster.ofKind('NetworkPolicy').filter((policy) => isFor(policy, own, side));
  if (policies.length === 0) return true;
  const [rules, peers] = side === 'Ingress' ? ['ingress', 'from'] : ['egress', 'to'];
  return policies.some((policy) =>
    list(at(policy.json, 'spec', rules)).some(
      (rule) =>
        (rule[peers] === undefined || list(rule[peers]).some((peer) => isPeer(peer, policy, other))) &&
        (rule.ports === undefined || list(rule.ports).some((each) => isPort(each, asked, port))),
    ),
  );
}

function isFor({ json }: Resource, place: Place, side: View['side']): boolean {
  if ('address' in place || place.namespace !== at(json, 'metadata', 'namespace')) return false;
  return (
    array(at(json, 'spec', 'policyTypes')).includes(side) &&
    matches(at(json, 'spec', 'podSelector'), place.labels)
  );
}

function isPeer(peer: JsonObject, { json }: Resource, place: Place): boolean {
  const { ipBlock, podSelector, namespaceSelector, ...others } = peer;
  if (Object.keys(others).length > 0) throw new Error(`the tests do not know ${Object.keys(others).join()}`);
  if ('address' in place) return ipBlock !== undefined && isInside(object(ipBlock), place.address);
  if (ipBlock !== undefined) return false;
  const isThere =
    namespaceSelector === undefined
      ? place.namespace === at(json, 'metadata', 'namespace')
      : matches(namespaceSelector, { 'kubernetes.io/metadata.name': place.namespace });
  return isThere && (podSelector === undefined || matches(podSelector, place.labels));
}

function isPort(rule: JsonObject, asked: Place, { protocol, port }: Port): boolean {
  if ((rule.protocol ?? 'TCP') !== protocol) return false;
  if (rule.port === undefined) return true;
  if (typeof rule.port === 'string') return !('address' in asked) && asked.ports.get(rule.port) === port;
  return port >= number(rule.port) && port <= number(rule.endPort ?? rule.port);
}

function isInside({ cidr, except }: JsonObject, address: string): boolean {
  const blocks = (cidrs: readonly unknown[]) => {
    const list = new BlockList();
    for (const each of cidrs) {
      const [network = '', prefix = ''] = string(each).split('/');
      list.addSubnet(network, Number(prefix));
    }
    return list;
  };
  return blocks([cidr]).check(address) && !blocks(except === undefined ? [] : array(except)).check(address);
}
