/** Makes all randomness of this process come from a seed. */
import * as Crypto from "node:crypto"
import { createRequire, syncBuiltinESMExports } from "node:module"
import * as SeededRandom from "@vault-trader/app/SeededRandom"

const fill = (chance: SeededRandom.SeededRandom, array: ArrayBufferView) => {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
  for (let index = 0; index < bytes.length; index++) bytes[index] = chance.below(256)
}

/** The part of WebAssembly that is used here; its types are in the DOM library, which is not loaded. */
interface Assembly {
  readonly Module: new(bytes: Uint8Array) => object
  readonly Instance: new(module: object, imports?: object) => object
  compile: (bytes: Uint8Array) => Promise<object>
  instantiate: (module: object, imports?: object) => Promise<object>
}
const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: Assembly }

/** Compiles synchronously behind the usual promise: background compilation would take real time. */
const compile = (bytes: Uint8Array) => Promise.resolve(new WebAssembly.Module(bytes))
const instantiate = (module: object, imports?: object) => Promise.resolve(new WebAssembly.Instance(module, imports))

/** Replaces the process's sources of randomness. Returns a function that restores them. */
export const install = (seed: number): () => void => {
  const chance = SeededRandom.make(seed ^ 0x5eed)
  // Separate: the library draws one hash per process for objects without one, so how often it draws depends on more
  // than this run.
  const libraryRandom = SeededRandom.make(seed ^ 0x11b)
  const getRandomValues = globalThis.crypto.getRandomValues.bind(globalThis.crypto)
  const random = Math.random
  // The module object behind node:crypto's exports: every importer sees a change made to it.
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
  Math.random = libraryRandom.next
  const { compile: compileLater, instantiate: instantiateLater } = WebAssembly
  Object.assign(WebAssembly, { compile, instantiate })
  return () => {
    globalThis.crypto.getRandomValues = getRandomValues
    node.randomBytes = randomBytes
    syncBuiltinESMExports()
    Math.random = random
    Object.assign(WebAssembly, { compile: compileLater, instantiate: instantiateLater })
  }
}
