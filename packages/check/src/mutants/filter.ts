import { inFile, type Mutant } from './mutant.js';

const segments = 'packages/device/src/data-reduction/output-segments.ts';
const processing = 'packages/device/src/measuring/processing.ts';

/** Mutants of the area `filter`. */
export const filterMutants: readonly Mutant[] = [
  ...inFile(
    'packages/device/src/filter/scan-filter.ts',
    [
      'filter.echo-first',
      'choice === EchoFilter.ALL_ECHOS ? echoesPerBeam : 1',
      'choice === EchoFilter.LAST_ECHO ? 1 : echoesPerBeam',
    ],
    [
      'filter.echo-last',
      'choice === EchoFilter.ALL_ECHOS ? echoesPerBeam : 1',
      'choice === EchoFilter.FIRST_ECHO ? 1 : echoesPerBeam',
    ],
    [
      'filter.echo-keeps-beams',
      'if (distance[place + 1] === 0) continue;',
      'if (distance[place + 1] === 0) { removeEchoes(scan, place / echoesPerBeam, 1); continue; }',
    ],
    ['filter.radial-beams', 'rssi[to] = rssi[from] ?? 0;', ''],
    ['filter.radial-of-three', '    distance[to] = 0;\n    rssi[to] = 0;', '    distance[to] = 0;'],
    ['filter.all-of-three', 'if (choice === EchoFilter.ALL_ECHOS) return undefined;', ''],
    [
      'filter.first-of-three',
      "choice === EchoFilter.FIRST_ECHO ? 'nearest' : 'furthest'",
      "choice === EchoFilter.FIRST_ECHO ? 'furthest' : 'nearest'",
    ],
    ['filter.last-of-three', '? 0b110 : 0b011', '? 0b110 : 0b101'],
    [
      'filter.fog-keeps-far',
      'if (d === 0 || d >= range) break;',
      'if (d === 0) break;\n        if (d >= range) removed |= 1 << echo;',
    ],
  ),
  ...inFile('packages/device/src/scan/scan.ts', [
    'filter.angle-strengths',
    '    this.rssi.fill(0, first * echoesPerBeam, end * echoesPerBeam);\n',
    '',
  ]),
  ...inFile(
    segments,
    ['filter.angle-outside', '    scan.clear(first, Math.min(this.#visible.first, end));\n', ''],
    [
      'filter.angle-inside',
      'scan.clear(Math.max(this.#visible.end, first), end);',
      'scan.clear(first, end);',
    ],
    [
      'filter.angle-segments',
      '.filter(({ first, end }) => first < visible.end && end > visible.first)',
      '.filter(() => visible.end > visible.first)',
    ],
    [
      'filter.angle-partly-hidden',
      'outputBeams: outputBeamsOf(range, increment),',
      'outputBeams: outputBeamsOf({ first: Math.max(range.first, visible.first), end: Math.min(range.end, visible.end) }, increment),',
    ],
    [
      'filter.angle-stop-included',
      'angle <= range.fThetaStop + rounding',
      'angle < range.fThetaStop - rounding',
    ],
    ['filter.angle-stop', 'first < visible.end &&', 'first <= visible.end &&'],
    [
      'filter.angle-start-included',
      'angle >= range.fThetaStart - rounding',
      'angle > range.fThetaStart + rounding',
    ],
    ['filter.angle-off', '  if (!range.bEnable) return { first: 0, end: geometry.beams };\n', ''],
    [
      'filter.angle-phi',
      'if (range.fThetaStart > range.fThetaStop) return nothing;',
      'if (range.fThetaStart > range.fThetaStop || range.fPhiStart > 0) return nothing;',
    ],
    ['filter.increment', 'let beam = first; beam < end;', 'let beam = first + increment - 1; beam < end;'],
    [
      'filter.increment-azimuths',
      'const final = outputBeams.at(-1) ?? 0;',
      'const final = (outputBeams[0] ?? 0) + outputBeams.length - 1;',
    ],
    ['filter.increment-two-beams', '  if (beams.length === 1 && end - first > 1) beams.push(end - 1);\n', ''],
    ['filter.interval', 'number % uiReductionFactor === 0', 'number % (uiReductionFactor + 1) === 0'],
    [
      'filter.interval-factor-50',
      'number % uiReductionFactor === 0',
      'number % Math.min(uiReductionFactor, 20) === 0',
    ],
    ['filter.interval-off', '!bEnable || number', 'number'],
    [
      'filter.average-with-interval',
      'number % uiReductionFactor === 0',
      'Math.floor(number / uiReductionFactor) % 2 === 0',
    ],
    ['filter.angle-times', 'this.frame = scan.number;', 'this.frame = scan.number * this.beams;'],
  ),
  ...inFile(
    'packages/server/src/streams/telegram-encoders.ts',
    [
      'filter.angle-sequence',
      'telegram.sequence = sequence;',
      'telegram.sequence = segment.frame * 10 + segment.index;',
    ],
    [
      'filter.interval-sequence',
      'telegram.sequence = sequence;',
      'telegram.sequence = segment.frame * 10 + segment.index;',
    ],
  ),
  ...inFile('packages/model/src/performance-profile.ts', [
    'filter.angle-of-fast-profile',
    'frequency < fewerSegmentsFrom ? 30 : 60',
    'frequency <= fewerSegmentsFrom + 1000 ? 30 : 60',
  ]),
  ...inFile('packages/device/src/measuring/measuring.ts', [
    'filter.interval-while-sending',
    'options.announcements.subscribeTo(processingVariables, () => this.configure());',
    '',
  ]),
  ...inFile(processing, [
    'filter.radial-off',
    'LFPradialDistanceRangeFilter.bEnable\n',
    'LFPradialDistanceRangeFilter.ulDistMin > 0\n',
  ]),
  ...inFile(
    'packages/device/src/region-of-interest/distance-filters.ts',
    ['filter.radial-outside', 'if (d < near || d > far)', 'if (d < near)'],
    ['filter.radial-inside', '.fill(ulDistMax)', '.fill(ulDistMin)'],
    ['filter.cuboid-outside', '  narrow(ranges, x, lXMin, lXMax);\n', ''],
    ['filter.cuboid-inside', 'narrow(ranges, x, lXMin, lXMax);', 'narrow(ranges, x, lXMax, lXMin);'],
    ['filter.cuboid-left', 'narrow(ranges, y, lYMin, lYMax);', 'narrow(ranges, y, -lYMax, -lYMin);'],
    [
      'filter.cuboid-z',
      'narrow(ranges, y, lYMin, lYMax);',
      'narrow(ranges, y, lYMin, lYMax);\n  if (arguments[1].lZMin > 0) ranges.furthest.fill(0);',
    ],
  ),
  ...inFile(
    'packages/device/src/filter/moving-average.ts',
    [
      'filter.average-every-scan',
      'scan.number = this.#numbers[this.#next] ?? 0;\n    return true;',
      'scan.number = this.#numbers[this.#next] ?? 0;\n    return this.#next === 0;',
    ],
    [
      'filter.average-beams',
      '    distance[place] = mean;\n',
      '    distance[place] = mean;\n    rssi[place] = (rssi[place] ?? 0) >> 1;\n',
    ],
    ['filter.average-first-output', '    if (this.#scanCount < this.depth) return false;\n', ''],
  ),
  ...inFile(
    'packages/device/src/filter/particle-filter.ts',
    [
      'filter.particle-beams',
      'if (this.#isNext) this.#replaceParticles(scan, first, done);',
      'if (this.#isNext) scan.distance.fill(0, first * 3, done * 3);',
    ],
    [
      'filter.particle-keeps-walls',
      'if (this.#isNext) this.#replaceParticles(scan, first, done);',
      'if (this.#isNext) scan.clear(first, done);',
    ],
  ),
];
