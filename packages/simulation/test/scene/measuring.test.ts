import { SensitivityMode } from '@azimuth/model';
import { describe, expect, it } from 'vitest';
import type { SceneFile } from '../../src/world/index.js';
import { MeasuredScene, type Profile } from './measured-scene.js';

const room: SceneFile = {
  polygons: [
    {
      points: [
        [6, 3],
        [-4, 3],
        [-4, -3],
        [6, -3],
      ],
    },
  ],
};

/** A wall straight ahead. */
const across = (x: number, material: string) => ({ from: [x, -3], to: [x, 3], material }) as const;

describe('a room', () => {
  // 3 / sin 45°, 3 / sin 42°
  const expected: [number, number][] = [
    [0, 6],
    [45, 4.242641],
    [-45, 4.242641],
    [90, 3],
    [-90, 3],
    [138, 4.48343],
    [-138, 4.48343],
  ];

  it.each(expected)('is measured at %f° at its geometric distance', (angle, distance) => {
    expect(new MeasuredScene(room).turn().distances(angle)).toEqual([expect.closeTo(distance, 5)]);
  });

  it('turns and shifts with the scanner', () => {
    const measured = new MeasuredScene({ ...room, scanner: { x: 1, y: -1, heading: 90 } }).turn();
    expect(measured.distances(0)).toEqual([expect.closeTo(4, 5)]);
    expect(measured.distances(90)).toEqual([expect.closeTo(5, 5)]);
    expect(measured.distances(-90)).toEqual([expect.closeTo(5, 5)]);
    // To the far left corner of the room, 5 m and 4 m away.
    expect(measured.distances(45)).toEqual([expect.closeTo(5.656854, 5)]);
  });

  it.each(([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] satisfies Profile[]).map((profile) => ({ profile })))(
    'is seen by every beam of performance profile $profile',
    ({ profile }) => {
      const measured = new MeasuredScene(room, { profile }).turn();
      const { distance, geometry } = measured.scan;
      expect(measured.distances(0)).toEqual([expect.closeTo(6, 5)]);
      expect(measured.distances(138)).toEqual([expect.closeTo(4.48343, 5)]);
      for (let beam = 0; beam < geometry.beams; beam++) expect(distance[3 * beam]).toBeGreaterThan(2999);
    },
  );
});

describe('signal strength', () => {
  it('falls with distance, remission and angle', () => {
    // 65535 * 0.5 / (1 + 0.36)
    expect(new MeasuredScene(room).turn().strengths(0)).toEqual([24_094]);
    // 65535 * 0.5 * cos 45° / (1 + 0.18)
    expect(new MeasuredScene(room).turn().strengths(45)).toEqual([19_636]);
    expect(new MeasuredScene({ walls: [across(20, 'black')] }).turn().strengths(0)).toEqual([1311]);
  });

  it('of a retro-reflector does not fall with the angle, and the echo is marked', () => {
    const mirror: SceneFile = {
      materials: { tape: { remission: 2 }, foil: { remission: 0.4, reflector: true } },
      walls: [{ from: [19, -2], to: [21, 2], material: 'tape' }],
    };
    const measured = new MeasuredScene(mirror).turn();
    // 65535 * 2 / (1 + 4)
    expect([measured.strengths(0), measured.flags(0)]).toEqual([[26_214], [1]]);
    const foil = new MeasuredScene({
      ...mirror,
      walls: [{ from: [4, -2], to: [16, 2], material: 'foil' }],
    }).turn();
    expect([foil.strengths(0), foil.flags(0)]).toEqual([[13_107], [1]]);
  });

  it('is limited to 65535; blooming begins far above that', () => {
    // 5 * 65535 / (1 + d² / 100): twice 65535 at 12.247 m
    const near = new MeasuredScene({ walls: [across(12.2, 'reflector')] }).turn();
    expect([near.strengths(0), near.flags(0)]).toEqual([[65_535], [3]]);
    const far = new MeasuredScene({ walls: [across(12.3, 'reflector')] }).turn();
    expect([far.strengths(0), far.flags(0)]).toEqual([[65_535], [1]]);
  });

  it('has flags in scenes with reflectors, blooming, glass or fog only, which the scan states', () => {
    const hasFlags = (file: SceneFile) => new MeasuredScene(file).turn().scan.hasFlags;
    expect(hasFlags({ walls: [across(20, 'black')] })).toBe(false);
    expect(hasFlags({ walls: [across(20, 'black'), across(12.3, 'reflector')] })).toBe(true);
    expect(hasFlags({ walls: [across(8, 'grey'), across(4, 'glass')] })).toBe(true);
  });
});

describe('glass', () => {
  it('gives an echo and weakens echoes behind it twice', () => {
    const measured = new MeasuredScene({ walls: [across(8, 'grey'), across(4, 'glass')] }).turn();
    expect(measured.distances(0)).toEqual([expect.closeTo(4, 5), expect.closeTo(8, 5)]);
    // 65535 * 0.08 / 1.16; 65535 * 0.5 / 1.64 * 0.85²
    expect(measured.strengths(0)).toEqual([4520, 14_436]);
  });

  it('in several panes gives three echoes, the nearest', () => {
    const walls = [across(9, 'grey'), across(3, 'glass'), across(5, 'glass'), across(7, 'glass')];
    const measured = new MeasuredScene({ walls }).turn();
    expect(measured.distances(0)).toEqual([3, 5, 7].map((distance) => expect.closeTo(distance, 5)));
    // 65535 * 0.08 / 1.49 * 0.85⁴ for the third
    expect(measured.strengths(0)[2]).toBe(1837);
  });

  it('in more than three panes gives the echoes of the nearest', () => {
    const materials = { clear: { remission: 0.08, transparency: 1 } };
    const walls = Array.from({ length: 25 }, (_, index) => across(25 - index, 'clear'));
    const measured = new MeasuredScene({ materials, walls }).turn();
    for (const angle of [-5, -4.75, -4.5, 0, 0.25, 5]) {
      const cosine = Math.cos((angle * Math.PI) / 180);
      expect(measured.distances(angle)).toEqual([1, 2, 3].map((x) => expect.closeTo(x / cosine, 5)));
    }
  });

  it('behind a wall is not seen', () => {
    expect(new MeasuredScene({ walls: [across(4, 'grey'), across(6, 'glass')] }).turn().distances(0)).toEqual(
      [expect.closeTo(4, 5)],
    );
  });

  it('whose echo is too weak is not seen, but objects behind it are', () => {
    const materials = { clean: { remission: 0.005, transparency: 0.9 } };
    const measured = new MeasuredScene({ materials, walls: [across(4, 'clean'), across(8, 'grey')] }).turn();
    expect(measured.distances(0)).toEqual([expect.closeTo(8, 5)]);
  });

  it('meets a beam on the corner of a closed pane once', () => {
    // A square turned by 45°: its corners are ahead, at 4 m and 6 m.
    const boxes = [
      { center: [5, 0], size: [Math.SQRT2, Math.SQRT2], heading: 45, material: 'glass' },
    ] as const;
    const measured = new MeasuredScene({ boxes, walls: [across(8, 'grey')] }).turn();
    // 65535 * 0.5 / 1.64 * 0.85⁴: two panes
    expect(measured.strengths(0).at(-1)).toBe(10_430);
  });
});

describe('echoes', () => {
  it('of two surfaces closer than 0.2 m are one, with the light of both', () => {
    const measured = new MeasuredScene({ walls: [across(4, 'glass'), across(4.15, 'grey')] }).turn();
    // 4519.66 from 4 m and 20196.22 from 4.15 m
    expect(measured.strengths(0)).toEqual([24_716]);
    expect(measured.distances(0)).toEqual([expect.closeTo(4.12257, 4)]);
    expect(
      new MeasuredScene({ walls: [across(4, 'glass'), across(4.21, 'grey')] }).turn().distances(0),
    ).toHaveLength(2);
  });

  it.each([
    ['MAXIMUM_ROBUSTNESS', 25, 26],
    ['STANDARD', 34, 35],
    ['MAXIMUM_DETECTIVITY', 45, 46],
  ] as const)('of a tenth of remission are found with %s up to %f m, not at %f m', (mode, seen, unseen) => {
    const sensitivity = SensitivityMode[mode];
    const at = (x: number) =>
      new MeasuredScene({ walls: [across(x, 'black')] }, { sensitivity }).turn().distances(0);
    expect(at(seen)).toEqual([expect.closeTo(seen, 5)]);
    expect(at(unseen)).toEqual([]);
  });

  it('are found up to 60 m, with long range up to 120 m, and from 0.05 m', () => {
    const at = (x: number, longRange: boolean) =>
      new MeasuredScene({ walls: [across(x, 'reflector')] }, { longRange }).turn().distances(0).length;
    expect([at(59.9, false), at(60.1, false)]).toEqual([1, 0]);
    expect([at(60.1, true), at(119.9, true), at(120.1, true)]).toEqual([1, 1, 0]);
    expect([at(0.051, false), at(0.049, false)]).toEqual([1, 0]);
  });

  it('do not come from behind a wall that is too near to be measured', () => {
    expect(
      new MeasuredScene({ walls: [across(0.03, 'grey'), across(4, 'grey')] }).turn().distances(0),
    ).toEqual([]);
  });
});

describe('fog', () => {
  const cloud: SceneFile = {
    fog: [{ center: [5, 0], radius: 2, density: 0.1 }],
    walls: [across(10, 'grey')],
  };

  it('weakens echoes behind it', () => {
    // 65535 * 0.5 / 2 * exp(-2 * 0.1 * 4)
    expect(new MeasuredScene(cloud).turn().strengths(0).at(-1)).toBe(7362);
    const area = [
      [3, -2],
      [3, 2],
      [7, 2],
      [7, -2],
    ] as const;
    for (const points of [area, area.toReversed()]) {
      const file = { ...cloud, fog: [{ points, density: 0.1 }] };
      expect(new MeasuredScene(file).turn().strengths(0).at(-1)).toBe(7362);
    }
  });

  it('weakens echoes from the scanner on if the scanner is in it', () => {
    // 2 m of the way are in it.
    const file = { ...cloud, fog: [{ center: [0, 0], radius: 2, density: 0.1 }] } as const;
    expect(new MeasuredScene(file).turn().strengths(0).at(-1)).toBe(10_982);
  });

  it('gives weak echoes at random depths according to its density', () => {
    const measured = new MeasuredScene(cloud);
    const depths: number[] = [];
    for (let turn = 0; turn < 2000; turn++) {
      const echoes = measured.turn(turn).distances(0);
      expect(echoes.at(-1)).toBeCloseTo(10, 5);
      if (echoes.length === 2) depths.push(echoes[0] ?? 0);
    }
    // 1 - exp(-0.4) of the beams meet a droplet on their 4 m.
    expect(depths.length / 2000).toBeGreaterThan(0.29);
    expect(depths.length / 2000).toBeLessThan(0.37);
    expect(Math.min(...depths)).toBeGreaterThanOrEqual(3);
    expect(Math.max(...depths)).toBeLessThanOrEqual(7);
    expect(Math.max(...depths) - Math.min(...depths)).toBeGreaterThan(3.5);
    expect(new Set(depths).size).toBeGreaterThan(500);
  });

  it('gives no echo behind a wall', () => {
    const measured = new MeasuredScene({ ...cloud, walls: [across(2, 'grey')] });
    for (let turn = 0; turn < 50; turn++)
      expect(measured.turn(turn).distances(0)).toEqual([expect.closeTo(2, 5)]);
  });
});
