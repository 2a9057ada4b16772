import { loginLevels } from '../envelope.js';
import { factoryPasswords } from '../groups/index.js';
import type { Product, ProductRelease } from '../product.js';
import { isNewerVersion, releases } from '../release.js';
import type { ProductDefinition } from './definition.js';
import { interfaceOf } from './interface-of-product.js';
import { labelsOf } from './label-passwords.js';
import { ownMembers } from './own-members.js';
import { Part, ProductMistakes, thrownText } from './part.js';
import { profilesOf } from './profiles.js';

/** Members of a definition. */
const members: readonly (keyof ProductDefinition)[] = [
  ...(['name', 'deviceType', 'orderNumber', 'realm', 'headerPrefix', 'metricPrefix', 'macPrefix'] as const),
  ...(['releases', 'groups', 'variables', 'methods', 'profiles', 'ranges', 'defaults'] as const),
  ...(['firstPasswords', 'labels', 'deviations', 'start'] as const),
];

/** Most characters of a password. */
const longestPassword = 64;

/** Under this symbol, a product has the definition that it was made of. */
const definitionOf = Symbol.for('azimuth: definition of a product');

/** Products by the definitions that they were made of: the same definition is the same product. */
const defined = new WeakMap<object, Product>();

/**
 * Makes a product of its definition. It is frozen, and can be given to any number of scanners.
 * @throws ProductMistakes with every mistake and its place
 */
export function defineProduct(definition: ProductDefinition): Product {
  return productFrom(definition);
}

/**
 * Makes a product of JSON, or of a definition that nobody has checked. Takes products, too.
 * @throws ProductMistakes with every mistake and its place
 */
export function productFrom(definition: unknown): Product {
  if (typeof definition !== 'object' || definition === null)
    throw new ProductMistakes(['expected an object with the members of a product']);
  // A product that another copy of this module has made, for example that of a program beside the command.
  const made: unknown = Reflect.get(definition, definitionOf);
  if (made !== undefined) return productFrom(made);
  let product = defined.get(definition);
  if (product === undefined) {
    product = readable(definition);
    defined.set(definition, product);
  }
  return product;
}

/** Builds a product. What cannot be read at all, as a proxy that throws, is a mistake of the whole. */
function readable(definition: object): Product {
  try {
    return built(definition);
  } catch (error) {
    if (error instanceof ProductMistakes) throw error;
    throw new ProductMistakes([`the product cannot be read: ${thrownText(error)}`]);
  }
}

function built(definition: object): Product {
  const mistakes: string[] = [];
  const whole = new Part(definition, '', mistakes).only(members);
  const releases = releasesOf(whole.part('releases'));
  const name = requiredText(whole.part('name'), 9);
  const deviceType = requiredText(whole.part('deviceType'), 18);
  const orderNumber = requiredText(whole.part('orderNumber'), 32);
  const realm = requiredText(whole.part('realm'), 64);
  if (realm.includes(':')) whole.part('realm').mistake('expected no colon: it separates the parts of a hash');
  const profiles = profilesOf(whole.part('profiles'));
  const own = ownMembers(
    whole,
    releases.map(({ version }) => version),
  );
  const served = interfaceOf(whole, { name, deviceType, orderNumber, releases, profiles, own });
  const passwords = whole.part('firstPasswords').only(loginLevels);
  const product: Product = {
    ...{ name, deviceType, orderNumber, realm, releases, profiles },
    headerPrefix:
      whole.part('headerPrefix').textLike(/^[A-Za-z][A-Za-z0-9-]{0,30}$/, 'letters, digits and hyphens') ??
      'Azimuth',
    metricPrefix:
      whole.part('metricPrefix').textLike(/^[a-z][a-z0-9_]{0,30}$/, 'small letters, digits and _') ??
      'azimuth',
    macPrefix: macPrefixOf(whole.part('macPrefix')),
    firstPasswords: {
      Maintenance: passwordIn(passwords.part('Maintenance')) ?? factoryPasswords.Maintenance,
      AuthorizedClient: passwordIn(passwords.part('AuthorizedClient')) ?? factoryPasswords.AuthorizedClient,
      Service: passwordIn(passwords.part('Service')) ?? factoryPasswords.Service,
    },
    labels: labelsOf(whole.part('labels'), longestPassword),
    groups: served.groups,
    extensions: served.extensions,
    deviations: deviationsIn(whole.part('deviations')),
    hooks: own.hooks,
    methods: own.methods,
    start: whole.part('start').hook(),
    lacks: (member, version) => served.removed.has(member) || own.isNewer(member, version),
  };
  if (mistakes.length > 0) throw new ProductMistakes(mistakes);
  Object.defineProperty(product, definitionOf, { value: definition });
  return Object.freeze(product);
}

function requiredText(part: Part, maximum: number): string {
  return part.required(part.text({ maximum })) ?? '';
}

/** Returns the reasons by the ids. Only `azimuth check` knows which ids there are. */
function deviationsIn(part: Part): ReadonlyMap<string, string> {
  return new Map(part.parts.map(([id, reason]) => [id, requiredText(reason, 1000)]));
}

function passwordIn(part: Part): string | undefined {
  return part.text({ maximum: longestPassword });
}

/** Returns the versions, oldest first. */
function releasesOf(part: Part): readonly ProductRelease[] {
  const found: ProductRelease[] = [];
  for (const [version, one] of part.required(part.parts) ?? []) {
    const base = one.oneOf(releases);
    if (!/^(0|[1-9]\d?)(\.(0|[1-9]\d?)){2}$/.test(version))
      one.mistake(`expected a version of three numbers from 0 to 99, as in 5.0.1, got "${version}"`);
    else if (base !== undefined) found.push({ version, base });
  }
  if (part.json !== undefined && Object.keys(part.members).length === 0)
    part.mistake('expected at least one version');
  found.sort((one, other) => (isNewerVersion(one.version, other.version) ? 1 : -1));
  found.forEach(({ version, base }, index) => {
    const before = found[index - 1];
    if (before !== undefined && releases.indexOf(base) < releases.indexOf(before.base))
      part
        .part(version)
        .mistake(`expected ${before.base} or newer: the older ${before.version} is based on it`);
  });
  return found;
}

function macPrefixOf(part: Part): readonly number[] {
  const text = part.textLike(/^[\dA-Fa-f]{2}(:[\dA-Fa-f]{2}){2}$/, 'three bytes, as in 02:AC:3E');
  const bytes = (text ?? '00:06:77').split(':').map((byte) => Number.parseInt(byte, 16));
  if (((bytes[0] ?? 0) & 1) === 1) part.mistake('the first byte is odd: that is an address of a group');
  return bytes;
}
