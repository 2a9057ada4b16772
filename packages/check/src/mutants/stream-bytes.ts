import { inFile, type Mutant } from './mutant.js';

const scanBytes = 'packages/telegrams/src/compact/encode-scan.ts';
const header = 'packages/telegrams/src/telegram-header.ts';
const encoders = 'packages/server/src/streams/telegram-encoders.ts';
const segments = 'packages/device/src/data-reduction/output-segments.ts';
const strengths = 'packages/device/src/scan/scan.ts';
const processing = 'packages/device/src/measuring/processing.ts';

/** Mutants of scans in Compact. */
export const compactMutants: readonly Mutant[] = [
  ...inFile(
    header,
    ['stream.compact-marker', 'startMarker = 0x02020202', 'startMarker = 0x02020203'],
    ['stream.compact-type', 'scan: 1, imu: 2, encoder: 4', 'scan: 5, imu: 2, encoder: 4'],
    ['stream.imu-type', 'scan: 1, imu: 2, encoder: 4', 'scan: 1, imu: 7, encoder: 4'],
    ['stream.encoder-type', 'scan: 1, imu: 2, encoder: 4', 'scan: 1, imu: 2, encoder: 8'],
  ),
  ...inFile(
    scanBytes,
    ['stream.compact-version', 'version = 4 } = telegram', 'version = 3 } = telegram'],
    [
      'stream.compact-length',
      'let size = header.bytes + crcBytes;',
      'let size = header.bytes + crcBytes + 4;',
    ],
    ['stream.compact-module-size', '    payloadBytes,\n  });', '    payloadBytes: payloadBytes + 4,\n  });'],
    [
      'stream.compact-checksum',
      'crc32(output.subarray(0, crcAt)), true)',
      'crc32(output.subarray(4, crcAt)), true)',
    ],
    [
      'stream.compact-one-row',
      'view.setUint32(at + endOfModule.nextBytes, nextBytes, true);',
      'view.setUint32(at + endOfModule.nextBytes, nextBytes + 1, true);',
    ],
    ['stream.compact-elevation', 'module.elevation[row] ?? 0', '0.0125'],
    [
      'stream.compact-availability',
      'view.setUint8(at + endOfModule.availability, module.availability);',
      'view.setUint8(at + endOfModule.availability, 0);',
    ],
    [
      'stream.compact-content',
      'view.setUint8(at + endOfModule.beamContent, beamBits(module));',
      'view.setUint8(at + endOfModule.beamContent, beamContent.azimuth);',
    ],
    ['stream.compact-azimuth-code', '(value + 0.5) | 0', 'value | 0'],
    [
      'stream.compact-properties',
      'const bits = properties[beam] ?? 0;',
      'const bits = (properties[beam] ?? 0) | 16;',
    ],
    [
      'stream.compact-properties-of-nothing',
      'const bits = properties[beam] ?? 0;',
      'const bits = (properties[beam] ?? 0) | 1;',
    ],
    [
      'stream.compact-echo-order',
      'const count = u16((distance[place] ?? 0) * countsPerMm);',
      'const count = u16((distance[place + storedEchoes - 1 - 2 * echo] ?? 0) * countsPerMm);',
    ],
    [
      'stream.content-distances-only',
      'echoContent.distance | (rssi === undefined ? 0 : echoContent.rssi)',
      'echoContent.distance | echoContent.rssi',
    ],
  ),
  ...inFile(
    encoders,
    ['stream.compact-sender', 'row.sender = this.#sender;', 'row.sender = this.#sender + 1;'],
    [
      'stream.content-without-strengths',
      'rssi: includeRssi ? new Uint16Array(0) : undefined,',
      'rssi: new Uint16Array(0),',
    ],
    ['stream.content-without-properties', 'properties: includeProperties ?', 'properties: includeRssi ?'],
    [
      'stream.content-while-sending',
      '    this.#draft = draftWith(content);\n    return silent',
      '    return silent',
    ],
    [
      'stream.content-of-msgpack',
      'format === ScanDataFormat.Compact && parameters.has(choice)',
      'parameters.has(choice)',
    ],
  ),
  ...inFile(
    segments,
    [
      'stream.compact-azimuth-first',
      'this.firstAzimuth = azimuthOf(first);',
      'this.firstAzimuth = azimuthOf(first + 1);',
    ],
    [
      'stream.compact-azimuth-last',
      'this.lastAzimuth = azimuthOf(final);',
      'this.lastAzimuth = azimuthOf(final + 1);',
    ],
    ['stream.compact-reflectors', '(flag & EchoFlag.reflector) | blooming', 'blooming'],
    [
      'stream.compact-duration',
      'Math.round(scan.time + this.#lastBeamAfter)',
      'Math.round(scan.time + this.#lastBeamAfter + 500)',
    ],
  ),
  ...inFile(
    strengths,
    ['stream.compact-strengths', 'const perStep = 257;', 'const perStep = 256;'],
    [
      'stream.compact-strength-of-nothing',
      'if (rssi[place] !== 0) rssi[place] = rounded(',
      'rssi[place] = rounded(',
    ],
    ['stream.compact-reserved-strength', 'const reflectorStep = 254;', 'const reflectorStep = 255;'],
  ),
  ...inFile(
    processing,
    ['stream.compact-scale', 'settings.EnableLongRangeMode ? 2 : 1', 'settings.EnableLongRangeMode ? 2 : 10'],
    [
      'stream.compact-long-range',
      'settings.EnableLongRangeMode ? 2 : 1',
      'settings.EnableLongRangeMode ? 4 : 1',
    ],
  ),
  ...inFile('packages/device/src/filter/scan-filter.ts', [
    'stream.compact-echoes',
    'EchoFilter.ALL_ECHOS ? echoesPerBeam : 1',
    'EchoFilter.ALL_ECHOS ? 2 : 1',
  ]),
];

/** Mutants of scans in MSGPACK. */
export const msgpackMutants: readonly Mutant[] = [
  ...inFile(
    'packages/telegrams/src/msgpack/layout.ts',
    ['stream.msgpack-classes', 'segment: 0x90, scan: 0x70', 'segment: 0x90, scan: 0x71'],
    ['stream.msgpack-segment-keys', 'transmitTime: { key: 0xb1', 'transmitTime: { key: 0xb2'],
    ['stream.msgpack-layer-keys', 'scanNumber: { key: 0x75', 'scanNumber: { key: 0x79'],
    ['stream.msgpack-arrays', 'littleEndian = 0x30', 'littleEndian = 0x31'],
  ),
  ...inFile(
    'packages/telegrams/src/msgpack/encode-scan.ts',
    [
      'stream.msgpack-marker',
      'view.setUint32(0, startMarker, true);',
      'view.setUint32(0, 0x02020201, true);',
    ],
    ['stream.msgpack-length', 'end - payloadAt, true', 'end, true'],
    ['stream.msgpack-checksum', 'crc32(room.subarray(payloadAt, end))', 'crc32(room.subarray(0, end))'],
    [
      'stream.msgpack-head',
      '  pair(writer, key.sequence, telegram.sequence);\n  pair(writer, key.transmitTime, telegram.transmitTime);',
      '  pair(writer, key.transmitTime, telegram.transmitTime);\n  pair(writer, key.sequence, telegram.sequence);',
    ],
    ['stream.msgpack-layers', 'let layer = 1; layer <= layers;', 'let layer = 0; layer < layers;'],
    ['stream.msgpack-echoes', 'pair(writer, key.echoes, echoes);', 'pair(writer, key.echoes, 1);'],
    [
      'stream.msgpack-properties',
      'writer.uint(key.properties);\n    writer.array(echoes);\n    for (let echo = 0; echo < echoes; echo++) {',
      'writer.uint(key.properties);\n    writer.array(1);\n    for (let echo = 0; echo < 1; echo++) {',
    ],
    ['stream.msgpack-beams', 'pair(writer, key.beams, columns);', 'pair(writer, key.beams, columns - 1);'],
    ['stream.msgpack-sender', 'pair(writer, key.sender, segment.sender);', 'pair(writer, key.sender, 0);'],
    [
      'stream.msgpack-sequence',
      'pair(writer, key.sequence, telegram.sequence);',
      'pair(writer, key.sequence, segment.frameNumber);',
    ],
    [
      'stream.msgpack-segments',
      'pair(writer, key.segmentIndex, segment.segmentIndex);',
      'pair(writer, key.segmentIndex, segment.segmentIndex + 1);',
    ],
    [
      'stream.msgpack-times',
      'pair(writer, key.lastBeamTime, module.lastBeamTime[row] ?? 0);',
      'pair(writer, key.lastBeamTime, module.firstBeamTime[row] ?? 0);',
    ],
    [
      'stream.msgpack-azimuths',
      'angle(writer, key.firstAzimuth, module.firstAzimuth[row] ?? 0);',
      'angle(writer, key.firstAzimuth, ((module.firstAzimuth[row] ?? 0) * 180) / Math.PI);',
    ],
    ['stream.msgpack-elevation', 'pair(writer, key.moduleId, 0);', 'pair(writer, key.moduleId, 1);'],
    ['stream.msgpack-availability', 'segment.availability !== 0', 'segment.availability === 0'],
    [
      'stream.msgpack-strengths',
      'view.setUint16(at, values[place] ?? 0, true);',
      'view.setUint16(at, (values[place] ?? 0) >> 4, true);',
    ],
    ['stream.msgpack-reflectors', 'written |= echoProperty.reflector;', 'written |= echoProperty.blooming;'],
    [
      'stream.msgpack-echo-order',
      'writeEach(writer, view, distance, columns, row * echoes + echo,',
      'writeEach(writer, view, distance, columns, row * echoes + echoes - 1 - echo,',
    ],
  ),
  ...inFile(
    encoders,
    [
      'stream.msgpack-from-compact',
      '    this.#format = format;\n    this.#draft = draftWith(content);\n    return silent',
      '    if (format !== ScanDataFormat.MSGPACK) this.#format = format;\n    this.#draft = draftWith(content);\n    return silent',
    ],
    [
      'stream.to-compact',
      '    this.#format = format;\n    this.#draft = draftWith(content);\n    return silent',
      '    if (format !== ScanDataFormat.Compact) this.#format = format;\n    this.#draft = draftWith(content);\n    return silent',
    ],
  ),
];
