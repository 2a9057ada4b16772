import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deploy, resourcesIn } from '../documents.js';
import { components, inNamespace, leftOutBy, variant } from '../kustomize.js';
import { faultsOf } from './faults.js';

const own = 'own-database';
const variants: readonly (readonly string[])[] = [
  [],
  ...components.map((component) => [component]),
  ...components.filter((component) => component !== own).map((component) => [own, component]),
  components,
];

describe.each(variants.map((chosen) => [chosen.join(', ') || 'nothing', chosen] as const))(
  'deploy/kubernetes with %s beside',
  (_, chosen) => {
    it('runs: all that pods need is there, and they reach each other and nobody else', () => {
      expect(faultsOf(variant(chosen), chosen)).toEqual([]);
    });

    it('has no document twice', () => {
      const names = variant(chosen).map(({ kind, name }) => `${kind} ${name}`);
      expect(new Set(names).size).toBe(names.length);
    });
  },
);

it.each([[['backup']], [['backup', own]]])('a restore finds what it needs, with %j', (chosen) => {
  const [restore, ...others] = resourcesIn('kubernetes', 'backup', 'restore.yaml');
  if (restore === undefined || others.length > 0) throw new Error('restore.yaml has not one document');
  const documents = [...variant(chosen), inNamespace(restore, 'azimuth')];
  expect(faultsOf(documents, chosen)).toEqual([]);
  const withoutVolume = documents.filter(({ kind }) => kind !== 'PersistentVolumeClaim');
  expect(faultsOf(withoutVolume, chosen)).toContain(
    'azimuth-restore waits for the PersistentVolumeClaim azimuth-backups',
  );
});

it('the components are those that docs/deploy.md describes', () => {
  expect(components).toEqual(['backup', own, 'ingress', 'scan-data', 'monitoring', 'scaling']);
  expect(new Set(variant([own]).map(({ kind }) => kind)).has('Cluster')).toBe(false);
});

/** How kubectl calls the kinds that components leave out. */
const kindsOfKubectl: Readonly<Record<string, string>> = {
  hpa: 'HorizontalPodAutoscaler',
  'cluster.postgresql.cnpg.io': 'Cluster',
  networkpolicy: 'NetworkPolicy',
};

it.each(components)(
  'docs/deploy.md says how to delete what %s leaves out and was applied before',
  (component) => {
    const page = readFileSync(join(deploy, '..', 'docs', 'deploy.md'), 'utf8');
    const [, heading] = new RegExp(`^\\| \\[\`${component}\`\\]\\(#([a-z-]+)\\)`, 'm').exec(page) ?? [];
    const section = page
      .split('\n## ')
      .find((each) => each.split('\n', 1).join().toLowerCase().replaceAll(' ', '-') === heading);
    expect(section).toBeDefined();
    const commands = [
      ...(section ?? '').matchAll(/^kubectl -n azimuth delete (\S+) (azimuth-\S+) --ignore-not-found$/gm),
    ];
    const deleted = commands.map(([, kind = '', name]) => `${kindsOfKubectl[kind]} ${name}`);
    expect(deleted.toSorted()).toEqual(
      leftOutBy(component)
        .map(({ kind, name }) => `${kind} ${name}`)
        .toSorted(),
    );
  },
);

it('some components leave something out', () => {
  expect(components.filter((component) => leftOutBy(component).length > 0)).toEqual([own, 'scaling']);
});
