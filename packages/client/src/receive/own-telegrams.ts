import { senderIdOf, type Telegram } from '@azimuth/telegrams';

/** Called once for each other scanner, with the number that its telegrams have in place of its serial number. */
export type OtherScanner = (sender: number, from: string) => void;

/** Other scanners that are told apart. */
const mostOthers = 64;

/** Tells the telegrams of one scanner from those of others that send to the same port. */
export class OwnTelegrams {
  readonly #sender: number;
  /** Is the serial number a number as it is? */
  readonly #isNumber: boolean;
  readonly #onOther: OtherScanner;
  readonly #others = new Set<number>();
  /** Addresses that this scanner sends from, and those of others: telegrams of motion name no scanner. */
  readonly #hosts = { own: new Set<string>(), others: new Set<string>() };

  constructor(serialNumber: string, onOther: OtherScanner = () => undefined) {
    this.#sender = senderIdOf(serialNumber);
    this.#isNumber = String(this.#sender) === serialNumber.replace(/^0+(?=\d)/, '');
    this.#onOther = onOther;
  }

  /** @param from `192.168.0.1:2115` */
  has(telegram: Telegram, from: string): boolean {
    const host = from.slice(0, from.lastIndexOf(':'));
    const sender = senderIn(telegram);
    // Motion of an address that only others send from is theirs.
    if (sender === undefined) return this.#hosts.own.has(host) || !this.#hosts.others.has(host);
    if (sender === this.#sender) {
      this.#keep(this.#hosts.own, host);
      return true;
    }
    // Scanners of other makes may write such serial numbers into telegrams in another way.
    if (!this.#isNumber && this.#hosts.own.size === 0) return true;
    this.#keep(this.#hosts.others, host);
    if (!this.#others.has(sender) && this.#others.size < mostOthers) {
      this.#others.add(sender);
      this.#onOther(sender, from);
    }
    return false;
  }

  #keep(hosts: Set<string>, host: string): void {
    if (hosts.size < mostOthers) hosts.add(host);
  }
}

function senderIn(telegram: Telegram): number | undefined {
  if (telegram.kind === 'imu') return undefined;
  return telegram.kind === 'scan' ? telegram.telegram.modules[0]?.sender : telegram.telegram.sender;
}
