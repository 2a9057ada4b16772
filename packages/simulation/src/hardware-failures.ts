import type { Sensor } from '@azimuth/device';
import type { PlannedFault } from '@azimuth/model/faults';

/** A member of the hardware that can fail. */
export type FailingMember = PlannedFault<'hardware-fails'>['member'];
/** How it fails. */
export type HardwareFailure = PlannedFault<'hardware-fails'>['how'];

/** True for members that the scanner reads. */
export function isSensor(member: FailingMember): member is FailingMember & Sensor {
  return member !== 'setOutputs' && member !== 'findMe';
}

interface Failing {
  readonly member: FailingMember;
  readonly how: HardwareFailure;
  /** Ends when the failure ends. */
  readonly over: Promise<void>;
}

/** The members of the hardware that fail at present. */
export class HardwareFailures {
  readonly #failing = new Set<Failing>();

  /** Lets a member fail. Returns a function that undoes this: calls that hang end then. */
  begin(member: FailingMember, how: HardwareFailure): () => void {
    let end: () => void = () => undefined;
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    const failing = { member, how, over };
    this.#failing.add(failing);
    return () => {
      this.#failing.delete(failing);
      end();
    };
  }

  has(member: FailingMember): boolean {
    return this.#of(member) !== undefined;
  }

  /**
   * Returns the value of a failing sensor, which is a text in place of its type; undefined if it does not fail.
   * @throws Error if it throws
   */
  sensor<Value>(member: FailingMember & Sensor): Value | undefined {
    const failing = this.#of(member);
    if (failing === undefined) return undefined;
    if (failing.how !== 'wrong') throw broken(member);
    // The compiler does not know what JSON holds, as a scanner does not know what hardware returns.
    const wrong: Value = JSON.parse('"no value"');
    return wrong;
  }

  /** Returns the promise of a failing call; undefined if it does not fail. @throws Error if it throws */
  call(member: FailingMember): Promise<void> | undefined {
    const failing = this.#of(member);
    if (failing === undefined) return undefined;
    if (failing.how === 'hangs') return failing.over;
    throw broken(member);
  }

  /** The failure of this member that began last. */
  #of(member: FailingMember): Failing | undefined {
    return [...this.#failing].findLast((failing) => failing.member === member);
  }
}

function broken(member: FailingMember): Error {
  return new Error(`planned failure of ${member}`);
}
