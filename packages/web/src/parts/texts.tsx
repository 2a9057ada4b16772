import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

/** `2026-03-01 14:03:07`, by the time zone of this computer. */
export function localDateTime(time: Date): string {
  return localDateTimeMs(time).slice(0, -4);
}

/** `2026-03-01 14:03:07.120`, by the time zone of this computer. */
export function localDateTimeMs(time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().replace('T', ' ').replace('Z', '');
}

/** `14:03`, by the time zone of this computer. */
export function localMinute(time: Date): string {
  return localDateTime(time).slice(11, 16);
}

/** `14:03:07`, by the time zone of this computer. */
export function localSecond(time: Date): string {
  return localDateTime(time).slice(11);
}

/** `14:03:07.120`, by the time zone of this computer. */
export function localMillisecond(time: Date): string {
  return localDateTimeMs(time).slice(11);
}

/** A time in ISO 8601 as these pages write times, by the time zone of this computer. Another text stays as it is. */
export function localTimeIn(text: string): string {
  const at = Date.parse(text);
  return Number.isNaN(at) ? text : localDateTime(new Date(at));
}

/**
 * A date and a time as the scanner writes them, `24.11.2026` and `04:22`, in the order that these pages use:
 * `2026-11-24 04:22`. Another text stays as it is.
 */
export function spokenByScanner(date: string, time: string): string {
  const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(date) ?? [];
  if (day === undefined || month === undefined || year === undefined) return `${date} ${time}`.trim();
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')} ${time}`.trim();
}

/**
 * The present time (ms, performance.now()), updated repeatedly.
 * @param every ms
 * @param since begins anew when it changes
 */
export function useNow(every: number | undefined, since?: number): number {
  const now = useSignal(performance.now());
  useEffect(() => {
    now.value = performance.now();
    if (every === undefined) return;
    const timer = setInterval(() => {
      now.value = performance.now();
    }, every);
    return () => clearInterval(timer);
  }, [every, since, now]);
  return now.value;
}

/** The seconds since a moment (ms, performance.now()), counting. */
export function Since({ start }: { start: number }) {
  return <Counting>{Math.max(0, Math.round((useNow(1000, start) - start) / 1000))}</Counting>;
}

/** A number that counts. Screen readers do not say it each time, also in an alert or a status. */
export function Counting({ children }: { children: ComponentChildren }) {
  return <span role="timer">{children}</span>;
}

/** A text with its first letter large. */
export function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** A text of a scanner or of the model as a sentence. */
export function sentence(text: string): string {
  const capital = capitalised(text);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

/** True if a text contains all words that were typed. */
export function hasWords(text: string, typed: string): boolean {
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));
}

/** A number of bytes for a person: `812 B`, `4.1 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
