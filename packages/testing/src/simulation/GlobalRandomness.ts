/** Makes everything that is random in this process come from a seed. */
import * as Crypto from "node:crypto"
import { createRequire, syncBuiltinESMExports } from "node:module"
import * as SeededRandom from "@vault-trader/app/SeededRandom"

const fill = (chance: SeededRandom.Chance, array: ArrayBufferView) => {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
  for (let index = 0; index < bytes.length; index++) bytes[index] = chance.below(256)
}

/** WebAssembly as far as it is used here; the library of types that knows it is the browser's. */
interface Assembly {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports?: object) => object
  compile: (bytes: Uint8Array) => Promise<object>
  instantiate: (module: object, imports?: object) => Promise<object>
}
const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: Assembly }

/** Made at once, within a promise as everybody expects it: compiled in the background it would take time of the real world. */
const compile = (bytes: Uint8Array) => Promise.resolve(new WebAssembly.Module(bytes))
const instantiate = (module: object, imports?: object) => Promise.resolve(new WebAssembly.Instance(module, imports))

/** Until the answer is called. */
export const begin = (seed: number): (() => void) => {
  const chance = SeededRandom.make(seed ^ 0x5eed)
  // Apart: the library draws a hash once in a process for whatever has none, so how often it draws is not the life's alone.
  const libraryChance = SeededRandom.make(seed ^ 0x11b)
  const web = globalThis.crypto.getRandomValues.bind(globalThis.crypto)
  const random = Math.random
  // The module object behind node:crypto's exports: what is set on it, every importer sees.
  const node = createRequire(import.meta.url)("node:crypto") as { randomBytes: unknown }
  const randomBytes = Crypto.randomBytes
  globalThis.crypto.getRandomValues = <T extends ArrayBufferView | null>(array: T): T => {
    if (array !== null) fill(chance, array)
    return array
  }
  node.randomBytes = (size: number) => {
    const bytes = Buffer.alloc(size)
    fill(chance, bytes)
    return bytes
  }
  syncBuiltinESMExports()
  Math.random = libraryChance.next
  const { compile: compileLater, instantiate: instantiateLater } = WebAssembly
  Object.assign(WebAssembly, { compile, instantiate })
  return () => {
    globalThis.crypto.getRandomValues = web
    node.randomBytes = randomBytes
    syncBuiltinESMExports()
    Math.random = random
    Object.assign(WebAssembly, { compile: compileLater, instantiate: instantiateLater })
  }
}
