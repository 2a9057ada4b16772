import { type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** The tokens of `style/tokens.css` that canvases use. */
const tokens = [
  ...(['view', 'grid', 'grid-strong', 'ink', 'soft', 'accent', 'good', 'warn', 'bad', 'paper'] as const),
] as const;

type Token = (typeof tokens)[number];

/** Colours as a canvas takes them, by the names of their tokens, and which theme they are of. */
export interface PlanColours extends Readonly<Record<Token, string>> {
  readonly isDark: boolean;
}

/** Colours of scanners, by their order. There is no end of scanners, so that they return. */
const ofScanners = ['accent', 'warn', 'good', 'ink'] as const satisfies readonly Token[];

/** The number of the colour of a scanner, for the class `scanner-colour-…`. */
export function colourNumber(index: number): number {
  return index % ofScanners.length;
}

export function colourOfScanner(colours: PlanColours, index: number): string {
  return colours[ofScanners[colourNumber(index)] ?? 'accent'];
}

/** The colours of the theme that `element` has now. */
function coloursAt(element: HTMLElement): PlanColours {
  const probe = document.createElement('span');
  element.append(probe);
  const colourOf = (token: Token) => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  };
  const [view, grid, gridStrong, ink, soft, accent, good, warn, bad, paper] = tokens.map(colourOf);
  probe.remove();
  const known = (colour = '#808080') => colour;
  return {
    view: known(view),
    grid: known(grid),
    'grid-strong': known(gridStrong),
    ink: known(ink),
    soft: known(soft),
    accent: known(accent),
    good: known(good),
    warn: known(warn),
    bad: known(bad),
    paper: known(paper),
    isDark: isDark(known(view)),
  };
}

/** @param colour `rgb(13, 16, 19)`, as computed styles have it */
function isDark(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return red + green + blue < 3 * 128;
}

/** Follows the colours of the theme until `stop`. */
export class ThemeColours {
  readonly #element: HTMLElement;
  readonly #colours: Signal<PlanColours>;
  readonly #dark = matchMedia('(prefers-color-scheme: dark)');
  readonly #observer = new MutationObserver(() => this.#read());

  constructor(element: HTMLElement) {
    this.#element = element;
    this.#colours = signal(coloursAt(element));
    this.#dark.addEventListener('change', this.#read);
    this.#observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  }

  get colours(): ReadonlySignal<PlanColours> {
    return this.#colours;
  }

  stop(): void {
    this.#dark.removeEventListener('change', this.#read);
    this.#observer.disconnect();
  }

  readonly #read = (): void => {
    this.#colours.value = coloursAt(this.#element);
  };
}
