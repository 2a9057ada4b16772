/** @packageDocumentation @experimental */

export { BinaryReader, BinaryWriter } from './binary.js';
export { type BodyBounds, boundsOfNothing, largestBody } from './body-bounds.js';
export {
  type CertificateValidity,
  certificateValidity,
  expiryWarningTime,
} from './certificate-validity.js';
export {
  asUtc,
  type ClockComparison,
  type ClockReading,
  clockTolerance,
  compareClock,
  dateTimeOf,
  localTime,
  type ZoneOffset,
  zoneOffset,
} from './clock-judgement.js';
export {
  contourProblem,
  fewestCorners,
  furthestCorner,
  isInside,
  meetingEdges,
  mostCorners,
  type Point,
} from './contour.js';
export { type Correction, corrections, deviations } from './corrections.js';
export * from './declaration.js';
export { describedInterface } from './description/described-interface.js';
export { type DeviceState, deviceState } from './device-state.js';
export * from './envelope.js';
export * from './event-registration.js';
export * from './extensions/index.js';
export { type SectorState, sectorEdge, sectorStates, watchedSectors } from './front-screen.js';
export * from './groups/index.js';
export * from './interface.js';
export {
  builtInInterface,
  type DescribedScanner,
  KnownInterface,
  type NamedVariable,
} from './known-interface.js';
export * from './known-issues.js';
export { legacyOnlyNames } from './legacy-only-names.js';
export { type OpenApiDocument, openApi } from './openapi/index.js';
export * from './performance-profile.js';
export * from './product.js';
export * from './product-definition/index.js';
export * from './release.js';
export * from './restore-parts.js';
export { TextReader, TextWriter, TokenRefusal } from './text.js';
export { array, ipv4, mac } from './types/array.js';
export { boolean, enumeration, levelName } from './types/enumeration.js';
export { float, shortestFloat32 } from './types/float.js';
export { integer } from './types/integer.js';
export { type IntegerFormat, widths } from './types/integer-format.js';
export { parseInput } from './types/parse-input.js';
export { describeShape, type JsonSchema, jsonSchema } from './types/schema.js';
export { string } from './types/string.js';
export { type DateTime, dateTime, type Members, type StructOf, struct } from './types/struct.js';
export type { Member, Shape, TypeOf, ValueType } from './types/value-type.js';
export { counted, lifeHours, scaled } from './units.js';
