/** @packageDocumentation @internal */

export {
  ConvertError,
  type Converted,
  type ConvertOptions,
  convertRecording,
  writtenFormats,
} from './convert.js';
