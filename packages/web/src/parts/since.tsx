import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** The seconds since a moment (ms, performance.now()), counting. */
export function Since({ start }: { start: number }) {
  const seconds = useSignal(secondsSince(start));
  useEffect(() => {
    const timer = setInterval(() => {
      seconds.value = secondsSince(start);
    }, 1000);
    return () => clearInterval(timer);
  }, [start]);
  return <>{seconds.value}</>;
}

function secondsSince(start: number): number {
  return Math.max(0, Math.round((performance.now() - start) / 1000));
}
