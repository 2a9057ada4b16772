import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Chart } from './lines.js';
import '../style/charts.css';

/**
 * Curves of values over time, by the time zone of this computer. Values under the pointer are told. Its code is loaded
 * when it is shown first: the page does not wait for it.
 */
export function TimeChart(chart: Chart) {
  const Plot = useSignal<ComponentType<Chart> | undefined>(undefined);
  useEffect(() => {
    void import('./plot.js')
      .then((module) => {
        Plot.value = module.default;
      })
      // The scanner has gone, and the page says so. The curve is loaded when the page is opened again.
      .catch(() => undefined);
  }, [Plot]);
  if (Plot.value === undefined) return <div style={`height:${chart.height ?? 140}px`} />;
  return <Plot.value {...chart} />;
}
