import type { Log } from '@azimuth/device';
import { stderrLog } from '@azimuth/device/reports';

/** Interval of status lines in ms if systemd wants no sign of life. */
const statusInterval = 10_000;

/** What systemd gets to know of a service. */
export interface SystemdOptions {
  /** One line about the service for `systemctl status`. It is sent when it has changed. */
  readonly status: () => string;
  /** Receives a warning if systemd cannot be told. By default, it is a line on stderr. */
  readonly log?: Log | undefined;
  /** The variables that systemd sets; by default those of the process. */
  readonly environment?: NodeJS.ProcessEnv | undefined;
}

/** A service that systemd has started with `Type=notify`. */
export interface Systemd {
  /** Tells systemd that the service ends. Signs of life end, too. */
  stopping(): void;
}

/**
 * Tells systemd that the service is ready, and from then on that it lives (`WatchdogSec=`), by a timer of the event loop.
 * If the event loop hangs, systemd restarts the service. Call it when the ports are open. The unit needs
 * `NotifyAccess=all`, and the system the program `systemd-notify`.
 * @returns undefined if the process was not started by such a unit: then nothing is done
 */
export async function notifySystemd({
  status,
  log = stderrLog,
  environment = process.env,
}: SystemdOptions): Promise<Systemd | undefined> {
  if (!environment.NOTIFY_SOCKET) return undefined;
  // Only a service of systemd loads the code that starts processes.
  const { RelayedLines } = await import('./relayed-lines.js');
  const lines = new RelayedLines(log);
  let last: string | undefined;
  const tellStatus = () => {
    const text = status().replaceAll(/\s+/g, ' ');
    if (text !== last) lines.send(`STATUS=${text}`);
    last = text;
  };
  const watchdog = watchdogInterval(environment);
  const timer = setInterval(() => {
    if (watchdog !== undefined) lines.send('WATCHDOG=1');
    tellStatus();
  }, watchdog ?? statusInterval).unref();
  lines.send('READY=1');
  tellStatus();
  return {
    stopping: () => {
      clearInterval(timer);
      lines.send('STOPPING=1');
      lines.end();
    },
  };
}

/** Half of the time that systemd waits for a sign of life, in ms; undefined if it expects none of this process. */
function watchdogInterval({ WATCHDOG_USEC, WATCHDOG_PID }: NodeJS.ProcessEnv): number | undefined {
  if (WATCHDOG_PID !== undefined && Number(WATCHDOG_PID) !== process.pid) return undefined;
  const microseconds = Number(WATCHDOG_USEC);
  return microseconds > 0 ? microseconds / 2000 : undefined;
}
