import type { Material, Scene } from './scene-file.js';

/** Materials that every scene has unless it gives the name to another. */
export const readyMaterials: Readonly<Record<string, Material>> = {
  white: { remission: 0.9, transparency: 0 },
  grey: { remission: 0.5, transparency: 0 },
  black: { remission: 0.1, transparency: 0 },
  reflector: { remission: 5, transparency: 0 },
  glass: { remission: 0.08, transparency: 0.85 },
};

/** All materials of a scene by name. */
export function materialsOf({ materials }: Pick<Scene, 'materials'>): ReadonlyMap<string, Material> {
  return new Map([...Object.entries(readyMaterials), ...Object.entries(materials)]);
}

/** Materials by number, for the inner loops. */
export class Surfaces {
  readonly remission: Float64Array;
  /** Share of the light that goes through. */
  readonly transparency: Float64Array;
  /** 1 where it is a retro-reflector. */
  readonly reflector: Uint8Array;
  readonly #numbers = new Map<string, number>();

  constructor(scene: Pick<Scene, 'materials'>) {
    const materials = materialsOf(scene);
    this.remission = new Float64Array(materials.size);
    this.transparency = new Float64Array(materials.size);
    this.reflector = new Uint8Array(materials.size);
    for (const [name, { remission, transparency, reflector = remission > 1 }] of materials) {
      const number = this.#numbers.size;
      this.#numbers.set(name, number);
      this.remission[number] = remission;
      this.transparency[number] = transparency;
      this.reflector[number] = reflector ? 1 : 0;
    }
  }

  /** @throws TypeError for a name that the scene has no material for */
  numberOf(name: string): number {
    const number = this.#numbers.get(name);
    if (number === undefined) throw new TypeError(`no material ${name}`);
    return number;
  }
}
