import { defineProduct, type ProductDefinition } from '@azimuth/model';

/** State of a made-up scanner, as its own program would keep it. */
export interface MadeUpState {
  laserHours: number;
  readonly written: unknown[];
  power: number;
}

/** A product in which everything differs that a product can change. */
export function madeUpDefinition(state: MadeUpState) {
  return {
    name: 'acmeProf',
    deviceType: 'acmeProf3xx',
    orderNumber: '6070123',
    realm: 'Acme Sensor',
    headerPrefix: 'Acme',
    metricPrefix: 'acme',
    macPrefix: '02:AC:3E',
    releases: { '5.0.0': '2.3.1', '5.0.1': '2.4.4', '5.10.0': '2.4.4' },
    groups: { added: { Laser: { section: 'application' } }, removed: ['Detection history'] },
    variables: {
      LaserHours: {
        group: 'Laser',
        text: 'Hours that the laser was on.',
        type: { kind: 'integer', format: 'uint32', maximum: 100_000 },
        unit: 'h',
        event: true,
        computed: () => state.laserHours,
      },
      LaserLimit: {
        group: 'Laser',
        text: 'Highest power of the laser.',
        type: { kind: 'integer', format: 'uint16', minimum: 10, maximum: 1000, initial: 500 },
        unit: 'mW',
        write: 'AuthorizedClient',
        event: true,
        refuses: (value) => (value === 666 ? 'that power is not allowed' : undefined),
        written: (value) => {
          state.written.push(value);
        },
      },
      LaserPower: {
        group: 'Laser',
        text: 'Power of the laser now.',
        type: { kind: 'float', minimum: 0, maximum: 2 },
        write: 'Service',
        computed: () => state.power,
        written: async (value, scanner) => {
          if (Number(value) > 1) scanner.refuse('the laser is too hot');
          state.power = Number(value);
        },
      },
      LaserModes: {
        group: 'Laser',
        text: 'Modes of the laser, one after the other.',
        type: {
          kind: 'array',
          maxItems: 4,
          of: {
            kind: 'struct',
            members: {
              Mode: { kind: 'enumeration', values: { OFF: 0, PULSED: 1, STEADY: 5 } },
              Name: { kind: 'string', maxLength: 12 },
              Target: { kind: 'address', of: 'IPv4' },
              Enabled: { kind: 'boolean' },
            },
          },
        },
        write: 'AuthorizedClient',
        since: '5.0.1',
      },
    },
    methods: {
      ResetLaser: {
        group: 'Laser',
        text: 'Sets the hours of the laser.',
        level: 'Service',
        request: { Hours: { kind: 'integer', format: 'uint32', maximum: 100_000 } },
        response: { Before: { kind: 'integer', format: 'uint32' } },
        called: ({ Hours }, scanner) => {
          const Before = state.laserHours;
          state.laserHours = Number(Hours);
          scanner.changed('LaserHours');
          return { Before };
        },
      },
    },
    profiles: {
      2: { frequency: 2000, resolution: 2500 },
      21: { frequency: 6000, resolution: 5000, segment: 69 },
    },
    ranges: { LocationName: { maxLength: 12 } },
    defaults: { LocationName: 'Acme line', PerformanceProfileNumber: 21 },
    firstPasswords: { Service: 'acme service', Maintenance: 'acme main' },
  } as const satisfies ProductDefinition;
}

/** The product, with a state of its own. */
export function madeUpProduct() {
  const state: MadeUpState = { laserHours: 7, written: [], power: 0.5 };
  return { state, product: defineProduct(madeUpDefinition(state)) };
}
