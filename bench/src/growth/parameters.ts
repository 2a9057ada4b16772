import { VirtualClock } from '@azimuth/device';
import { defineProduct, general, type ProductDefinition } from '@azimuth/model';
import { openScanner } from '../whole-scanner.js';
import type { Cost } from './cost.js';

/** A product may add 800. */
const numbersOfParameters = [8, 80, 800];
const service = { level: 'Service' } as const;

/** A product that adds parameters to the interface: reading one of them, changing one, and saving all. */
export async function costsOfParameters(): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const size of numbersOfParameters) costs.push(...(await costsWith(size)));
  return costs;
}

async function costsWith(size: number): Promise<Cost[]> {
  const product = productWith(size);
  const { device } = await openScanner(new VirtualClock(), { product });
  const added = device.parameters.variables.filter(({ name }) => name.startsWith('Limit'));
  if (added.length !== size) throw new Error(`expected ${size} added parameters, got ${added.length}`);
  let turn = 0;
  const next = () => {
    turn += 1;
    const variable = added[turn % size];
    if (variable === undefined) throw new Error('no parameter was added');
    return variable;
  };
  const cost = { grows: 'parameters that a product adds', size };
  return [
    {
      ...cost,
      unit: 'a read',
      step: async () => {
        for (let read = 0; read < 1000; read++) device.read(next());
        return 1000;
      },
    },
    {
      ...cost,
      unit: 'a change',
      step: async () => {
        for (let change = 0; change < 100; change++) device.write(next(), turn % 1000, service);
        return 100;
      },
    },
    {
      ...cost,
      unit: 'a saved parameter',
      step: async () => {
        device.write(next(), turn % 1000, service);
        await device.call(general.members.WriteEeprom, undefined, service);
        return size;
      },
    },
  ];
}

function productWith(size: number) {
  const limit = {
    group: 'Limits',
    text: 'A limit.',
    type: { kind: 'integer', format: 'uint16', maximum: 1000, initial: 500 },
    write: 'AuthorizedClient',
  } as const;
  const definition = {
    name: `with${size}`,
    deviceType: 'withLimits',
    orderNumber: '6070123',
    realm: 'With limits',
    releases: { '5.0.0': '2.4.4' },
    groups: { added: { Limits: { section: 'application' } } },
    variables: Object.fromEntries(Array.from({ length: size }, (_, index) => [`Limit${index + 1}`, limit])),
  } as const satisfies ProductDefinition;
  return defineProduct(definition);
}
