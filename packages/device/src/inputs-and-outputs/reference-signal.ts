import { EncoderPort } from '@azimuth/model';
import { isActive, type PortSettings } from './input.js';

/**
 * The reference signal of an encoder that begins when an encoder port gets another level; undefined where none does.
 * Encoder signals are not debounced.
 */
export function referenceSignal(
  { EncoderPortType, InputSettings }: PortSettings,
  high: boolean,
): 1 | 2 | undefined {
  if (!isActive(InputSettings, high)) return undefined;
  if (EncoderPortType === EncoderPort.AUX1) return 1;
  return EncoderPortType === EncoderPort.AUX2 ? 2 : undefined;
}
