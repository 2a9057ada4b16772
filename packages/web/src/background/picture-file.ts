import { largestFile, type PictureHead, pgmPixels, pictureHead } from './picture-head.js';
import { type MapDescription, mapDescription, PictureError, type Placing, placingOfMap } from './placing.js';

/** A picture that was chosen, as it is stored and drawn. */
export interface ChosenPicture {
  readonly name: string;
  readonly picture: Blob;
  /** Where it is, if its file says so. */
  readonly placing: Omit<Placing, 'opacity'> | undefined;
  readonly width: number;
  readonly height: number;
}

/** Grey of the walls of a map: seen on light and on dark. */
const wall = 128;

/**
 * Reads the files of a picture, or of a map with its description. Pictures are of pixels alone: nothing in them can run.
 * @throws PictureError
 */
export async function readPicture(files: readonly File[]): Promise<ChosenPicture> {
  const description = files.find(({ name }) => /\.ya?ml$/i.test(name));
  const map = description && mapDescription(await textOf(description));
  const imageName = map?.image.split('/').at(-1);
  const pictures = files.filter((one) => one !== description);
  const file = pictures.find(({ name }) => name === imageName) ?? pictures[0];
  if (file === undefined) {
    throw new PictureError(
      imageName === undefined
        ? 'No file was chosen.'
        : `Choose ${imageName} together with ${description?.name}.`,
    );
  }
  if (file.size > largestFile) throw new PictureError('The file is larger than 20 MB.');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const head = pictureHead(bytes);
  const image = await decoded(bytes, head);
  const picture = map === undefined && head.kind !== 'pgm' ? file : await asPng(image, map);
  const { width, height } = image;
  image.close();
  return { name: file.name, picture, width, height, placing: map && placingOfMap(map, width, height) };
}

async function textOf(file: File): Promise<string> {
  if (file.size > largestFile) throw new PictureError('The description of the map is too long.');
  return file.text();
}

async function decoded(bytes: Uint8Array<ArrayBuffer>, head: PictureHead): Promise<ImageBitmap> {
  const { kind, width, height } = head;
  try {
    if (kind === 'pgm') {
      const image = new ImageData(width, height);
      const pixels = new Uint32Array(image.data.buffer);
      for (const [place, value] of pgmPixels(bytes, head).entries()) {
        pixels[place] = ((0xff << 24) | (value << 16) | (value << 8) | value) >>> 0;
      }
      return await createImageBitmap(image);
    }
    return await createImageBitmap(new Blob([bytes], { type: `image/${kind}` }));
  } catch (error) {
    if (error instanceof PictureError) throw error;
    throw new PictureError('The picture is damaged: the browser cannot draw it.');
  }
}

/** The picture as a PNG file. Of a map, only the walls are drawn, and what is unknown faintly. */
async function asPng(image: ImageBitmap, map: MapDescription | undefined): Promise<Blob> {
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  if (context === null) throw new PictureError('This browser has no memory left for the picture.');
  context.drawImage(image, 0, 0);
  if (map !== undefined) {
    const content = context.getImageData(0, 0, image.width, image.height);
    const { data } = content;
    for (let at = 0; at < data.length; at += 4) {
      const brightness = ((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)) / 3;
      data[at + 3] = Math.round(
        ((map.isNegated ? brightness : 255 - brightness) * (data[at + 3] ?? 255)) / 255,
      );
      data.fill(wall, at, at + 3);
    }
    context.putImageData(content, 0, 0);
  }
  return canvas.convertToBlob({ type: 'image/png' });
}
