// A software bill of materials (SBOM) in the format CycloneDX 1.6. It has no time and no random number: the same code gives
// the same file.
import { createHash } from 'node:crypto';
import { own } from './packed-package.mjs';

/**
 * @param packages those of bundledPackages
 * @param {string | undefined} node version of Node, if its program is in the file that is described
 */
export function billOfMaterials(packages, node) {
  const product = component('application', { name: own.name, version: own.version, license: own.license });
  const runtime = node && {
    type: 'platform',
    'bom-ref': `pkg:generic/node@${node}`,
    name: 'node',
    version: node,
    purl: `pkg:generic/node@${node}`,
    licenses: [{ license: { id: 'MIT' } }],
  };
  const components = [...packages.map((each) => component('library', each)), ...(runtime ? [runtime] : [])];
  const described = {
    metadata: { component: product },
    components,
    dependencies: [
      { ref: product['bom-ref'], dependsOn: components.map((each) => each['bom-ref']) },
      ...components.map((each) => ({ ref: each['bom-ref'] })),
    ],
  };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(described))}`,
    version: 1,
    ...described,
  };
}

function component(type, { name, version, license, sha512 }) {
  const [, group, short = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    type,
    'bom-ref': purl,
    ...(group && { group }),
    name: short,
    version,
    ...(type === 'library' && { scope: 'required' }),
    ...(sha512 && { hashes: [{ alg: 'SHA-512', content: sha512 }] }),
    licenses: [/ (OR|AND|WITH) /.test(license) ? { expression: license } : { license: { id: license } }],
    purl,
  };
}

/** A UUID of version 8, made of a digest. */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
