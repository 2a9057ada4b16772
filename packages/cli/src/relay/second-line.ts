import { type LossReason, lossReasons, type Tallied } from '@azimuth/bridge/streams';
import { counted } from '@azimuth/model';

/** Figures of a receiver in a second. */
export interface ReceiverSecond {
  readonly to: string;
  readonly clients?: number | undefined;
  readonly telegrams: number;
  readonly bytes: number;
  readonly lost: Readonly<Partial<Record<LossReason, number>>>;
}

/** Figures of a second: what has come, and what each receiver got. */
export interface Second {
  readonly kind: 'second';
  /** Number of telegrams that have come, and their bytes. */
  readonly telegrams: number;
  readonly bytes: number;
  /** Number of telegrams that were lost between the scanner and the relay, and of datagrams that are none. */
  readonly lost: number;
  readonly damaged: number;
  /** Number of telegrams that were passed on, and not looked at. */
  readonly unseen: number;
  readonly receivers: readonly ReceiverSecond[];
}

/** True if nothing has come, and no receiver has lost anything. */
export function isQuiet({ telegrams, receivers }: Second): boolean {
  return telegrams === 0 && receivers.every(({ lost }) => Object.keys(lost).length === 0);
}

/** Returns `250 telegrams  1.2 MB  lost 0  ->  udp://127.0.0.1:3000 250, tcp-listen://127.0.0.1:2120 2 clients 500`. */
export function secondLine({ telegrams, bytes, lost, damaged, unseen, receivers }: Second): string {
  const came = [
    `${counted(telegrams, 'telegram')}  ${(bytes / 1_000_000).toFixed(2)} MB  lost ${lost}`,
    ...(damaged > 0 ? [`${damaged} damaged`] : []),
    ...(unseen > 0 ? [`${unseen} not looked at`] : []),
  ].join('  ');
  return `${came}  ->  ${receivers.map(receiverText).join(', ')}`;
}

function receiverText({ to, clients, telegrams, lost }: ReceiverSecond): string {
  const losses = Object.entries(lost).map(([reason, count]) => `${count} ${reason}`);
  return [
    to,
    ...(clients === undefined ? [] : [counted(clients, 'client')]),
    String(telegrams),
    ...(losses.length === 0 ? [] : [`lost ${losses.join(', ')}`]),
  ].join(' ');
}

/** Returns what was added to the figures of a receiver since `before`. */
export function addedTo(before: Tallied | undefined, now: Tallied): Omit<ReceiverSecond, 'to' | 'clients'> {
  const lost: Partial<Record<LossReason, number>> = {};
  for (const reason of lossReasons) {
    const added = (now.lost[reason] ?? 0) - (before?.lost[reason] ?? 0);
    if (added > 0) lost[reason] = added;
  }
  return {
    telegrams: Math.max(0, now.sent - (before?.sent ?? 0)),
    bytes: Math.max(0, now.bytes - (before?.bytes ?? 0)),
    lost,
  };
}
