import { inFile, type Mutant } from '../mutant.js';

/** Mutants of the area `temperature`. */
export const temperatureMutants: readonly Mutant[] = [
  ...inFile(
    'packages/device/src/status/status.ts',
    ['temperature.alarm', 'temperature > upperThreshold', 'temperature > upperThreshold + 10'],
    ['temperature.at-threshold', 'temperature > upperThreshold', 'temperature >= upperThreshold'],
    ['temperature.hysteresis', 'return temperature < lowerThreshold ? false : between;', 'return false;'],
    ['temperature.alarm-ends', 'return temperature < lowerThreshold ? false : between;', 'return between;'],
    [
      'temperature.other-thresholds',
      'options.announcements.subscribeTo([temperatureAlarmConfiguration], () => this.update());',
      '',
    ],
  ),
  ...inFile('packages/model/src/groups/status.ts', [
    'temperature.thresholds-crossed',
    'lowerThreshold < upperThreshold',
    'lowerThreshold <= upperThreshold',
  ]),
  ...inFile(
    'packages/device/src/hardware/contained-hardware.ts',
    [
      'temperature.value',
      'numberIn(hardware.temperature(), temperatures.least, temperatures.most,',
      'numberIn(hardware.temperature(), 0, temperatures.most,',
    ],
    [
      'temperature.sensor-wrong',
      "numberIn(hardware.temperature(), temperatures.least, temperatures.most, '°C')",
      'hardware.temperature()',
    ],
  ),
  ...inFile(
    'packages/device/src/hardware/contained-sensor.ts',
    ['temperature.sensor-fails', 'this.#error.failed(this.#text, errorMessage(error));', ''],
    [
      'temperature.sensor-fails',
      'this.#last = this.#measure();\n      this.#error.works();',
      'this.#last = this.#measure();',
    ],
  ),
];
