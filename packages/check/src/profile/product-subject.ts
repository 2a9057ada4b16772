import {
  builtInInterface,
  type Declaration,
  declarationsOf,
  type Edition,
  FileEndpoint,
  KnownInterface,
  Method,
  type Product,
  ProductMistakes,
  productFrom,
  type Release,
  realm,
  Variable,
} from '@azimuth/model';
import type { CheckSubject } from '../scanner/checked-scanner.js';
import { ProfileMistakes } from './read-profile.js';
import type { ScannerProfile } from './scanner-profile.js';

/** Version of the product that stands for a profile. */
const onlyVersion = '1.0.0';

/** Returns what a scanner of a profile should have. @throws ProfileMistakes for what is wrong in `own` */
export function profileSubject({ own, release, variant, absent }: ScannerProfile): CheckSubject {
  const lacking = new Set(absent);
  const subject = productSubject(productOf(own, release), { version: onlyVersion, release, variant });
  return { ...subject, has: (name) => !lacking.has(name) && subject.has(name) };
}

/** Returns what a scanner of a product should have. */
export function productSubject(
  product: Product,
  edition: Required<Omit<Edition, 'product' | 'version'>> & { readonly version: string },
): CheckSubject {
  const served = declarationsOf({ ...edition, product });
  const names = new Set(served.map(({ name }) => name));
  const of = <D extends Declaration>(isKind: (one: Declaration) => one is D): readonly D[] =>
    product.groups.flatMap(({ members }) => Object.values(members)).filter(isKind);
  const declared = new KnownInterface({
    variables: of((one): one is Variable<unknown> => one instanceof Variable),
    methods: of((one): one is Method<unknown, unknown> => one instanceof Method),
    files: of((one): one is FileEndpoint => one instanceof FileEndpoint),
    extensions: product.extensions,
  });
  return {
    known: KnownInterface.merged([declared, builtInInterface]),
    release: edition.release,
    variant: edition.variant,
    realm: product.realm,
    has: (name) => names.has(name),
  };
}

/** Returns the release that a version of a product is based on: that of its newest version if it does not know the version. */
export function releaseOfProduct({ releases }: Product, version: string): Release | undefined {
  return (releases.find((one) => version.startsWith(one.version)) ?? releases.at(-1))?.base;
}

/** Returns the version of a product that a scanner states; the newest one if the product does not know it. */
export function versionOfProduct({ releases }: Product, stated: string): string {
  return (releases.find(({ version }) => stated.startsWith(version)) ?? releases.at(-1))?.version ?? stated;
}

function productOf(own: ScannerProfile['own'], release: Release): Product {
  try {
    return productFrom({
      ...own,
      ...{ name: 'profile', deviceType: 'profile', orderNumber: 'profile', realm },
      releases: { [onlyVersion]: release },
    });
  } catch (error) {
    if (!(error instanceof ProductMistakes)) throw error;
    throw new ProfileMistakes(error.mistakes.map((mistake) => `own: ${mistake}`));
  }
}
