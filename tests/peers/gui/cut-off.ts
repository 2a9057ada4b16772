/** Runs in the page: returns the texts of controls that are longer than the controls, with their placeholders. */
export function cutOff(controls: readonly Element[]): readonly string[] {
  const pen = document.createElement('canvas').getContext('2d');
  if (pen === null) throw new Error('expected a canvas to measure texts with');
  return controls.flatMap((control) => {
    if (!(control instanceof HTMLInputElement) || control.clientWidth === 0) return [];
    if (['checkbox', 'radio', 'range', 'file'].includes(control.type)) return [];
    const { font, paddingLeft, paddingRight } = getComputedStyle(control);
    pen.font = font;
    const text = control.value || control.placeholder;
    const room = control.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    const { width } = pen.measureText(text);
    return width > room + 0.5 ? [`“${text}” needs ${Math.ceil(width)} px and has ${Math.floor(room)}`] : [];
  });
}
