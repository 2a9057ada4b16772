const bits = 11;
const steps = 1 << bits;
const fractionBits = 32 - bits;
/** Stands for the infinite tail, so that the last step has the mean of the tail that it replaces. */
const outermost = 3.82;

/** Quantiles of the normal distribution at every 2048th. */
const quantiles = quantileTable();

/** A normally distributed number from 32 random bits: one look into a table, evenly between its entries. */
export function gaussianAt(word: number): number {
  const step = word >>> fractionBits;
  const fraction = (word & ((1 << fractionBits) - 1)) / (1 << fractionBits);
  const from = quantiles[step] ?? 0;
  return from + ((quantiles[step + 1] ?? 0) - from) * fraction;
}

/**
 * The quantile q of a share grows by 1 / density(q): followed outward from the median (Runge-Kutta), the other
 * half is its mirror image.
 */
function quantileTable(): Float32Array {
  const table = new Float32Array(steps + 1);
  const growth = (q: number) => Math.sqrt(2 * Math.PI) * Math.exp((q * q) / 2);
  const parts = 8;
  const width = 1 / steps / parts;
  let q = 0;
  for (let step = steps / 2 + 1; step < steps; step++) {
    for (let part = 0; part < parts; part++) {
      const first = growth(q);
      const second = growth(q + (width / 2) * first);
      const third = growth(q + (width / 2) * second);
      const fourth = growth(q + width * third);
      q += (width / 6) * (first + 2 * second + 2 * third + fourth);
    }
    table[step] = q;
    table[steps - step] = -q;
  }
  table[steps] = outermost;
  table[0] = -outermost;
  return table;
}
