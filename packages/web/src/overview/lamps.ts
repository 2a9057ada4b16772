import { LampId, LEDColor, LEDFunction } from '@azimuth/model';

/** A lamp of a scanner, as LEDState has it. */
export interface Lamp {
  readonly Color: number;
  readonly Function: number;
  readonly Id: string;
}

const colours: Readonly<Record<number, string>> = {
  [LEDColor.GREEN]: 'green',
  [LEDColor.YELLOW]: 'yellow',
  [LEDColor.RED]: 'red',
  [LEDColor.WHITE]: 'white',
};

/** The name of the colour of a lamp, in words and in styles. */
export function lampColour({ Color }: Lamp): string {
  return colours[Color] ?? 'white';
}

/** How a lamp shines: `off`, `on`, or one of the ways to blink. */
export function lampLight({ Function: way }: Lamp): 'off' | 'on' | 'blinking' | 'fast' {
  if (way === LEDFunction.OFF) return 'off';
  if (way === LEDFunction.ON) return 'on';
  return way === LEDFunction.BLINKING_FAST ? 'fast' : 'blinking';
}

const lights = { off: 'off', on: 'on', blinking: 'blinking', fast: 'blinking fast' } as const;

/** `green, blinking`; `off` for a lamp that is off. */
export function lampText(lamp: Lamp): string {
  const light = lampLight(lamp);
  return light === 'off' ? 'off' : `${lampColour(lamp)}, ${lights[light]}`;
}

/** What a lamp is for, by its name in the scanner. */
export function lampPurpose(id: string): string {
  switch (id.trim()) {
    case LampId.STATE:
      return 'State';
    case LampId.FIND:
      return 'Find me';
    default:
      return id.trim() === '' ? 'Other' : id.trim();
  }
}
