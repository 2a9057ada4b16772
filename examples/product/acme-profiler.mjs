// A product of a company of its own. Run it with
//   azimuth serve --product examples/product/acme-profiler.mjs --any-ports

/** What the laser of this program does. In a device, these functions would talk to its driver. */
const laser = { hours: 1207, power: 0, temperature: 31.5 };

export default {
  name: 'acmeProf',
  deviceType: 'acmeProf3xx',
  orderNumber: '6070123',
  realm: 'Acme Sensor',
  headerPrefix: 'Acme',
  metricPrefix: 'acme',
  macPrefix: '02:AC:3E',

  // Own versions of the firmware, each with the release of the interface that it is based on.
  releases: { '5.0.0': '2.3.1', '5.0.1': '2.4.4' },

  groups: {
    added: { Laser: { section: 'application' } },
    removed: ['Perpendicular distance', 'Detection history'],
  },

  variables: {
    LaserHours: {
      group: 'Laser',
      text: 'Hours that the laser was on.',
      type: { kind: 'integer', format: 'uint32' },
      unit: 'h',
      event: true,
      computed: () => laser.hours,
    },
    LaserPowerLimit: {
      group: 'Laser',
      text: 'Highest power of the laser.',
      type: { kind: 'integer', format: 'uint16', minimum: 10, maximum: 1000, initial: 500 },
      unit: 'mW',
      write: 'AuthorizedClient',
      refuses: (limit) =>
        limit > 800 && laser.temperature > 60 ? 'the laser is too hot for more than 800 mW' : undefined,
      written: (limit) => {
        laser.power = Math.min(laser.power, limit);
      },
    },
    LaserMode: {
      group: 'Laser',
      text: 'Whether the laser pulses.',
      since: '5.0.1',
      type: { kind: 'enumeration', values: { OFF: 0, PULSED: 1, STEADY: 2 }, initial: 1 },
      write: 'AuthorizedClient',
    },
  },

  methods: {
    ResetLaserHours: {
      group: 'Laser',
      text: 'Sets the hours of the laser to 0, after the laser was replaced.',
      level: 'Service',
      loses: 'the hours of the laser',
      response: { Before: { kind: 'integer', format: 'uint32' } },
      called: (_, scanner) => {
        const Before = laser.hours;
        laser.hours = 0;
        scanner.changed('LaserHours');
        return { Before };
      },
    },
  },

  profiles: {
    1: { frequency: 2500, resolution: 2500 },
    2: { frequency: 5000, resolution: 5000 },
  },
  ranges: { LocationName: { maxLength: 16 } },
  defaults: { LocationName: 'new profiler', PerformanceProfileNumber: 2 },

  firstPasswords: { Service: 'acme-service', AuthorizedClient: 'acme-client', Maintenance: 'acme-main' },
  labels: 'labels.csv',

  // Called at each boot of a scanner. What it returns is called when the scanner goes down.
  start: (scanner) => {
    const hour = setInterval(() => {
      laser.hours++;
      scanner.changed('LaserHours');
    }, 3_600_000);
    return () => clearInterval(hour);
  },
};
