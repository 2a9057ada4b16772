import { realm } from '../envelope.js';
import { extensionVariables } from '../extensions/index.js';
import { deviceFamily, deviceName, factoryPasswords } from '../groups/index.js';
import { groups } from '../interface.js';
import { performanceProfiles } from '../performance-profile.js';
import type { Edition, Product } from '../product.js';
import { releases } from '../release.js';

/** The scanner that Azimuth is without a product of one's own. Its editions state no product. */
export const builtInProduct: Product = {
  name: deviceName,
  deviceType: deviceFamily,
  orderNumber: '1134610',
  realm,
  headerPrefix: 'Azimuth',
  metricPrefix: 'azimuth',
  macPrefix: [0x00, 0x06, 0x77],
  releases: releases.map((release) => ({ version: release, base: release })),
  firstPasswords: factoryPasswords,
  labels: new Map(),
  profiles: performanceProfiles,
  groups,
  extensions: extensionVariables,
  deviations: new Map(),
  hooks: new Map(),
  methods: new Map(),
  lacks: () => false,
};

/** Returns the product of an edition. */
export function productOf({ product = builtInProduct }: Pick<Edition, 'product'>): Product {
  return product;
}
