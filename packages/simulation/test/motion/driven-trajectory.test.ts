import { describe, expect, it } from 'vitest';
import { DrivenTrajectory, type VehicleState } from '../../src/motion/driven-trajectory.js';
import type { Stretch } from '../../src/motion/trajectory.js';

const limits = { speed: 2, turn: Math.PI, acceleration: 1, turnAcceleration: Math.PI };

function vehicle(options: Partial<ConstructorParameters<typeof DrivenTrajectory>[0]> = {}): DrivenTrajectory {
  return new DrivenTrajectory({ start: { x: 1, y: 2, heading: 0 }, time: 0, limits, ...options });
}

function poseAt(trajectory: DrivenTrajectory, time: number) {
  const pose = { x: 0, y: 0, heading: 0 };
  trajectory.pose(time, pose);
  return pose;
}

function anyStretch(): Stretch {
  const at = { begin: 0, end: 0, x: 0, y: 0, heading: 0, turn: 0, vx: 0, vy: 0, ahead: 0, left: 0 };
  return { ...at, travelled: 0, speed: 0, aheadChange: 0, leftChange: 0, turnChange: 0 };
}

describe('a vehicle that follows commands', () => {
  it('stands at its start until the first command', () => {
    expect(vehicle().state(1000)).toEqual({
      time: 1000,
      speed: 0,
      turn: 0,
      travelled: 0,
      odometry: { x: 0, y: 0, heading: 0 },
      pose: { x: 1, y: 2, heading: 0 },
    });
  });

  it('accelerates to the wanted speed, and then keeps it', () => {
    const driven = vehicle();
    expect(driven.drive(1, { speed: 0.5, turn: 0 })).toBe(1);
    // 0.5 s at 1 m/s²: 0.125 m, then 0.5 m/s.
    expect(poseAt(driven, 1.5).x).toBeCloseTo(1.125, 9);
    expect(driven.state(1.25).speed).toBeCloseTo(0.25, 2);
    expect(driven.state(3.5)).toMatchObject({ speed: 0.5, travelled: expect.closeTo(1.125, 9) });
  });

  it('drives an exact arc at a constant twist', () => {
    const driven = vehicle({ limits: { ...limits, acceleration: 1e6, turnAcceleration: 1e6 } });
    driven.drive(0, { speed: 1, turn: Math.PI / 2 });
    const radius = 2 / Math.PI;
    const { x, y, heading } = poseAt(driven, 1);
    expect(x).toBeCloseTo(1 + radius, 5);
    expect(y).toBeCloseTo(2 + radius, 5);
    expect(heading).toBeCloseTo(Math.PI / 2, 5);
    expect(driven.travelled(4)).toBeCloseTo(4, 5);
    expect(poseAt(driven, 4)).toMatchObject({ x: expect.closeTo(1, 4), y: expect.closeTo(2, 4) });
  });

  it('stays within its limits', () => {
    const driven = vehicle();
    driven.drive(0, { speed: -9, turn: 99 });
    expect(driven.wanted).toEqual({ speed: -2, turn: Math.PI });
    expect(driven.state(10)).toMatchObject({ speed: -2, turn: Math.PI });
  });

  it.each([
    ['small changes, after some days', 1e6, [3e-12, -4e-11, 1e-15, Number.MIN_VALUE]],
    ['small changes at the start', 30, [1.1e-15, 2e-16, -1e-300]],
    ['large ones, after centuries', 2 ** 34 + 1 / 3, [1, -1, 0.5]],
  ])('reaches a velocity by %s', (_, begin, speeds) => {
    const driven = vehicle({ limits: { ...limits, acceleration: 100 } });
    for (const [index, speed] of speeds.entries()) {
      const time = begin + index;
      driven.drive(time, { speed, turn: speed / 3 });
      const { speed: reached, turn } = driven.state(time + 0.99);
      expect(reached).toBe(speed);
      expect(turn).toBe(speed / 3);
    }
    expect(driven.state(begin + 100).pose.x).not.toBeNaN();
  });

  it('brakes when the command has lasted long enough', () => {
    const driven = vehicle();
    driven.drive(0, { speed: 1, turn: 0 }, 3);
    expect(driven.state(2.9).speed).toBe(1);
    expect(driven.state(4)).toMatchObject({ speed: 0, travelled: expect.closeTo(3, 9) });
    expect(driven.state(400_000).travelled).toBeCloseTo(3, 9);
  });

  it('leaves unchanged what somebody has asked for already', () => {
    const driven = vehicle();
    driven.drive(0, { speed: 1, turn: 1 });
    driven.commit(2.05);
    const before = [1.9, 2, 2.05].map((time) => poseAt(driven, time));
    expect(driven.drive(2, { speed: -1, turn: 0 })).toBe(2.05);
    expect([1.9, 2, 2.05].map((time) => poseAt(driven, time))).toEqual(before);
    expect(driven.state(5).speed).toBe(-1);
  });

  it('follows only the last of several commands before the same step', () => {
    const [one, other] = [vehicle(), vehicle()];
    one.commit(1.0001);
    other.commit(1.0001);
    one.drive(1.0002, { speed: 1, turn: 1 });
    one.drive(1.0003, { speed: -1, turn: 0.5 });
    other.drive(1.0003, { speed: -1, turn: 0.5 });
    expect(one.state(3)).toEqual(other.state(3));
  });

  it('moves in the same way however often somebody asks', () => {
    const [one, other] = [vehicle(), vehicle()];
    for (const driven of [one, other]) driven.drive(0, { speed: 1.234, turn: 2.345 }, 1.001);
    for (let time = 0; time < 3; time += 0.0013) one.state(time);
    const { time, ...state } = one.state(3);
    expect(state).toEqual({ ...other.state(time), time: undefined });
  });

  it('has no gap between its stretches', () => {
    const driven = vehicle();
    driven.drive(0, { speed: 1.5, turn: 2 }, 1.0007);
    driven.drive(1, { speed: 1, turn: -2 }, 0.7);
    driven.commit(4);
    const stretch = anyStretch();
    for (let time = 0; time < 3.5; time = stretch.end) {
      driven.stretch(time, stretch);
      expect(stretch.end).toBeGreaterThan(time);
      if (stretch.end === Number.POSITIVE_INFINITY) break;
      const nearEnd = poseAt(driven, stretch.end - 1e-9);
      const next = poseAt(driven, stretch.end);
      for (const name of ['x', 'y', 'heading'] as const) expect(nearEnd[name]).toBeCloseTo(next[name], 7);
    }
    expect(stretch.begin).toBeGreaterThan(1.7);
  });

  it('tells the acceleration of its stretches', () => {
    const driven = vehicle();
    driven.drive(0, { speed: 1, turn: -1 }, 2);
    const stretch = anyStretch();
    driven.stretch(0.1, stretch);
    expect(stretch).toMatchObject({
      aheadChange: expect.closeTo(1, 9),
      turnChange: expect.closeTo(-Math.PI, 9),
    });
    driven.stretch(1.5, stretch);
    expect(stretch).toMatchObject({ end: 2, ahead: 1, speed: 1, aheadChange: 0, turnChange: 0 });
    driven.stretch(2.1, stretch);
    expect(stretch.aheadChange).toBeCloseTo(-1, 9);
  });

  it('is put at a place, and its wheels do not notice', () => {
    const driven = vehicle();
    driven.drive(0, { speed: 1, turn: 0 });
    const before = driven.state(2);
    expect(driven.put(2, { x: -3, y: 4, heading: 1 })).toBe(2);
    expect(driven.state(2.5)).toMatchObject({
      speed: 0,
      pose: { x: -3, y: 4, heading: 1 },
      odometry: before.odometry,
      travelled: before.travelled,
    });
  });

  it('reports wrong odometry with wrong wheels', () => {
    const driven = vehicle({ wheels: { distance: 1.1, turn: 0.9 } });
    driven.drive(0, { speed: 1, turn: 0.5 }, 1);
    const { odometry, pose, travelled }: VehicleState = driven.state(5);
    expect(odometry.heading).toBeCloseTo(0.9 * pose.heading, 9);
    expect(travelled).toBeCloseTo(1, 9);
    expect(Math.hypot(odometry.x, odometry.y)).toBeGreaterThan(1.05);
  });

  it('keeps 40 s of a motion that changes in each step, and not more without end', () => {
    const driven = vehicle();
    const seconds = 200;
    let at40 = poseAt(driven, 0);
    for (let step = 0; step < seconds * 200; step++) {
      const time = step / 200;
      driven.drive(time, { speed: Math.sin(step), turn: Math.cos(step) });
      if (time === seconds - 40) at40 = poseAt(driven, time);
    }
    expect(poseAt(driven, seconds - 40)).toEqual(at40);
    expect(poseAt(driven, 10)).toEqual(poseAt(driven, 0));
    expect(driven.knownSince).toBeGreaterThan(10);
    expect(driven.knownSince).toBeLessThanOrEqual(seconds - 40);
  });

  it('goes on at another time as it did, with commands that have not taken effect', () => {
    const driven = vehicle({ wheels: { distance: 1.1, turn: 1 } });
    driven.drive(0, { speed: 1, turn: 0.5 }, 3);
    driven.commit(0.75);
    driven.drive(0.7, { speed: -1, turn: 0.2 }, 2);
    const resume = driven.remember(0.7013);
    const later = 17.1;
    const resumed = [resume(0.7013 + later), resume(0.7013 + later)];
    driven.put(0.8, { x: 7, y: 8, heading: 0 });
    resumed[1]?.drive(0.8 + later, { speed: 2, turn: 0 });
    const undisturbed = vehicle({ wheels: { distance: 1.1, turn: 1 } });
    undisturbed.drive(0, { speed: 1, turn: 0.5 }, 3);
    undisturbed.commit(0.75);
    undisturbed.drive(0.7, { speed: -1, turn: 0.2 }, 2);
    for (const time of [0.7013, 0.72, 0.76, 1.5, 3, 6]) {
      const { pose, odometry, travelled, speed } = undisturbed.state(time);
      const state = resumed[0]?.state(time + later);
      expect(state?.pose.x).toBeCloseTo(pose.x, 2);
      expect(state?.pose.heading).toBeCloseTo(pose.heading, 2);
      expect(state?.odometry.x).toBeCloseTo(odometry.x, 2);
      expect(state?.travelled).toBeCloseTo(travelled, 2);
      expect(state?.speed).toBeCloseTo(speed, 2);
    }
    expect(resumed[0]?.state(0.7013 + later)).toMatchObject({
      pose: { x: expect.closeTo(undisturbed.state(0.7013).pose.x, 9) },
    });
  });
});
