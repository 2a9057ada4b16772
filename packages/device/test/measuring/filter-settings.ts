import { processingSettings } from '../../src/measuring/processing.js';

/** The settings while every filter is off. */
export const off = processingSettings({ read: (variable) => variable.type.initial });
