/** Compares pictures of the console's parts with those in the repository, and writes what differs. */
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import pixelmatch from "pixelmatch"
import { PNG } from "pngjs"

/** The pictures that are compared with. */
export const kept = Path.join(import.meta.dirname, "style")

/** Where the pictures of a failure are written; git ignores it. */
const found = Path.join(import.meta.dirname, "../../../.cache/console/style")

/** True for the run that writes the pictures again. */
export const isUpdate = process.env["UPDATE_PICTURES"] === "1"

/** The least distance of two colours (OKLab, 0 to 1; black and white are 1 apart) that counts as a difference. */
const colourTolerance = 0.02

/** The share of differing pixels up to which two pictures are the same. Antialiased edges do not count. */
const shareTolerance = 0.0002

/**
 * Lets Chromium draw with the fonts of its own package only, so that a machine's fonts change no picture. In `others` it
 * finds the signs that those lack.
 */
export const pinFonts = (others: ReadonlyArray<string> = []): void => {
  const folder = Path.join(Os.tmpdir(), "fonts")
  // Each choice of fonts has its own folder: tests with others run at the same time.
  const settings = Path.join(found, others.length === 0 ? "fonts" : "more-fonts")
  Fs.mkdirSync(settings, { recursive: true })
  const file = Path.join(settings, "fonts.conf")
  Fs.writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>` +
      [folder, ...others].map((each) => `<dir>${each}</dir>`).join("") +
      `<cachedir>${Path.join(settings, "cache")}</cachedir></fontconfig>`
  )
  process.env["FONTCONFIG_FILE"] = file
}

/** Colours are kept and compared in steps of this size, of 256: a third less bytes, and no eye sees it. */
const colourStep = 8

export type Picture = PNG

/** A rectangle, in pixels. */
interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Rounds the colours of a picture to their steps. */
export const stepped = (picture: Picture, step = colourStep): Picture => {
  picture.data.forEach((value, index) => {
    picture.data[index] = index % 4 === 3 ? 255 : Math.min(255, Math.round(value / step) * step)
  })
  return picture
}

export const read = (bytes: Buffer): Picture => PNG.sync.read(bytes)

/** Returns a part of a picture. */
export const partOf = (whole: Picture, { height, width, x, y }: Box): Picture => {
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const size = { width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top }
  const part = new PNG(size)
  PNG.bitblt(whole, part, left, top, size.width, size.height, 0, 0)
  return stepped(part)
}

/** Text and areas of one colour are smallest unfiltered; no page is transparent. */
export const write = (picture: Picture): Buffer =>
  PNG.sync.write(picture, { colorType: 2, deflateLevel: 9, deflateStrategy: 0, filterType: 0 })

/** Returns the smallest rectangle with all differing pixels, which are opaque in a mask. */
const placeOf = ({ data, height, width }: Picture): string => {
  const differing = Array.from({ length: width * height }, (_, pixel) => pixel).filter((pixel) =>
    data[pixel * 4 + 3] !== 0
  )
  const columns = differing.map((pixel) => pixel % width)
  const rows = differing.map((pixel) => Math.floor(pixel / width))
  const span = (numbers: ReadonlyArray<number>) => {
    const [least, most] = numbers.reduce(([low, high], each) => [Math.min(low, each), Math.max(high, each)], [
      Infinity,
      0
    ])
    return `${least} to ${most}`
  }
  return `x ${span(columns)}, y ${span(rows)}`
}

/** Returns how two pictures differ, with a picture of the difference; undefined if they are the same. */
export const differenceOf = (before: Picture, after: Picture) => {
  const { height, width } = before
  if (after.width !== width || after.height !== height) {
    return { text: `It is ${after.width} × ${after.height} pixels; it was ${width} × ${height}.`, picture: undefined }
  }
  const mask = new PNG({ width, height })
  const count = pixelmatch(before.data, after.data, mask.data, width, height, {
    ...{ threshold: colourTolerance, diffMask: true },
    aaColor: [0, 0, 0]
  })
  if (count <= width * height * shareTolerance) return undefined
  const picture = new PNG({ width, height })
  pixelmatch(before.data, after.data, picture.data, width, height, { threshold: colourTolerance })
  return {
    text: `${count} of ${width * height} pixels differ, at ${placeOf(mask)}.`,
    picture: PNG.sync.write(picture)
  }
}

/**
 * Returns what is wrong with a picture, and where to see it; undefined if it is as the one that is kept. Keeps it instead
 * where pictures are written again.
 */
export const faultOf = (name: string, actual: Picture) =>
  Effect.sync((): string | undefined => {
    const file = Path.join(kept, `${name}.png`)
    if (isUpdate) {
      if (Fs.existsSync(file) && differenceOf(read(Fs.readFileSync(file)), actual) === undefined) return undefined
      Fs.mkdirSync(kept, { recursive: true })
      Fs.writeFileSync(file, write(actual))
      return undefined
    }
    if (!Fs.existsSync(file)) return `${name}: no picture is kept of it.`
    const difference = differenceOf(read(Fs.readFileSync(file)), actual)
    if (difference === undefined) return undefined
    const base = Path.join(found, name)
    Fs.copyFileSync(file, `${base}.expected.png`)
    Fs.writeFileSync(`${base}.actual.png`, write(actual))
    if (difference.picture !== undefined) Fs.writeFileSync(`${base}.difference.png`, difference.picture)
    return `${name}: ${difference.text} See ${base}.*.png.`
  })
