import { expect, test } from 'vitest';
import { BackgroundPicture } from '../../src/background/background.js';

/** A background that keeps pictures at once, or never if the storage is full. */
function started({ isFull = false } = {}) {
  const kept: string[] = [];
  const closed: string[] = [];
  const keep = (what: string) => {
    if (isFull) throw new Error('The storage is full.');
    kept.push(what);
  };
  const background = new BackgroundPicture({
    stored: () => Promise.resolve(undefined),
    store: async (picture) =>
      keep(picture === undefined ? 'none' : `${picture.name} at ${picture.placing.x}`),
    storePlacing: (name, { x }) => keep(`${name} at ${x}`),
    draw: async (picture) => ({
      width: 10,
      height: 10,
      close: async () => closed.push(await picture.text()),
    }),
  });
  const choose = (text: string) => {
    const picture = { name: text, picture: new Blob([text]), width: 10, height: 10, placing: undefined };
    return background.choose(() => Promise.resolve(picture), 5);
  };
  const place = (x: number) => {
    const placing = background.shown.value?.placing;
    if (placing !== undefined) background.place({ ...placing, x });
  };
  return { background, choose, place, kept, closed };
}

test('each place of a picture is kept when the call returns: a page may be closed right behind it', async () => {
  const { background, choose, place, kept } = started();
  place(1);
  expect(kept).toEqual([]);
  await choose('hall');
  place(2);
  expect(kept).toEqual(['hall at 0', 'hall at 2']);
  await background.remove();
  expect(kept).toEqual(['hall at 0', 'hall at 2', 'none']);
});

test('a person is told if the browser keeps nothing', async () => {
  const { background, choose, place } = started({ isFull: true });
  await choose('hall');
  expect(background.failure.value).toBe('This browser does not keep the picture.');
  place(2);
  expect(background.failure.value).toBe('This browser does not keep the picture.');
  expect(background.shown.value?.placing.x).toBe(2);
});

test('the memory of a picture is freed when another one takes its place, and when it is removed', async () => {
  const { background, choose, closed } = started();
  await choose('hall');
  await choose('yard');
  await expect.poll(() => closed).toEqual(['hall']);
  await background.remove();
  await expect.poll(() => closed).toEqual(['hall', 'yard']);
});
