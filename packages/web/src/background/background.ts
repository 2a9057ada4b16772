import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ChosenPicture } from './picture-file.js';
import { storedPicture, storePicture, storePlacing } from './picture-store.js';
import { PictureError, type Placing, type PlacingMember, placedWith, placingRanges } from './placing.js';

/** A picture below the floor plan. */
export interface Background {
  readonly name: string;
  readonly picture: Blob;
  readonly image: ImageBitmap;
  readonly placing: Placing;
}

const opacity = 0.5;
const notKept = 'This browser does not keep the picture.';

/** What a picture is kept in and drawn with. */
interface Means {
  readonly stored: typeof storedPicture;
  readonly store: typeof storePicture;
  readonly storePlacing: typeof storePlacing;
  readonly draw: (picture: Blob) => Promise<ImageBitmap>;
}

const browserMeans: Means = {
  stored: storedPicture,
  store: storePicture,
  storePlacing,
  draw: (picture) => createImageBitmap(picture),
};

/** The picture below the floor plan, which this browser keeps. */
export class BackgroundPicture {
  readonly #shown: Signal<Background | undefined> = signal(undefined);
  readonly shown: ReadonlySignal<Background | undefined> = this.#shown;
  readonly #failure: Signal<string> = signal('');
  /** Reason why the last file was refused; empty if it was not. */
  readonly failure: ReadonlySignal<string> = this.#failure;
  readonly #means: Means;
  #isLoaded = false;

  constructor(means: Means = browserMeans) {
    this.#means = means;
  }

  /** Shows the picture that this browser has kept. */
  async load(): Promise<void> {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    await this.#attempt(async () => {
      const stored = await this.#means.stored();
      if (stored === undefined) return;
      const image = await this.#means.draw(stored.picture);
      this.#shown.value = { ...stored, image, placing: checked(stored.placing) };
    });
  }

  /** @param width of the view in m: a picture without a scale is as wide */
  async choose(read: () => Promise<ChosenPicture>, width: number): Promise<void> {
    await this.#attempt(async () => {
      const { name, picture, placing, ...size } = await read();
      const placed = placing ?? { scale: width / size.width, x: 0, y: 0, turn: 0 };
      const image = await this.#means.draw(picture);
      const shown = checked({ ...placed, opacity });
      this.#show({ name, picture, image, placing: shown });
      await this.#means.store({ name, picture, placing: shown });
    });
  }

  place(placing: Placing): void {
    const shown = this.#shown.peek();
    if (shown === undefined) return;
    this.#shown.value = { ...shown, placing };
    try {
      this.#means.storePlacing(shown.name, placing);
      this.#failure.value = '';
    } catch {
      this.#failure.value = notKept;
    }
  }

  async remove(): Promise<void> {
    this.#show(undefined);
    await this.#attempt(() => this.#means.store(undefined));
  }

  /** Shows another picture, and frees the memory of the one before. */
  #show(next: Background | undefined): void {
    const before = this.#shown.peek();
    this.#shown.value = next;
    before?.image.close();
  }

  async #attempt(act: () => Promise<void>): Promise<void> {
    this.#failure.value = '';
    try {
      await act();
    } catch (error) {
      this.#failure.value = error instanceof PictureError ? error.message : notKept;
    }
  }
}

/** A placing whose numbers are all in range. */
function checked(placing: Placing): Placing {
  const inside = (member: PlacingMember) => {
    const [least, most] = placingRanges[member];
    return placedWith(placing, member, placing[member])?.[member] ?? Math.max(least, Math.min(most, 1));
  };
  return {
    scale: inside('scale'),
    x: inside('x'),
    y: inside('y'),
    turn: inside('turn'),
    opacity: inside('opacity'),
  };
}

export const background = new BackgroundPicture();
