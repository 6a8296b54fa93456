/**
 * Encodes and decodes the ABI as words of 64 hex characters. Simulations run thousands of calls through this model, and
 * slicing text costs a tenth of a general codec. The tests call it through viem, so the two cannot drift apart.
 */
import type { Address, Hex } from "@vault-trader/core/chain/Address"

/** 64 hex characters, or several times that. */
export type Words = string

export const uint = (value: bigint | number): Words => value.toString(16).padStart(64, "0")
/** Two's complement. */
export const int = (value: bigint): Words => uint(value < 0n ? (1n << 256n) + value : value)
export const bool = (value: boolean): Words => uint(value ? 1 : 0)
export const address = (value: Address): Words => value.slice(2).padStart(64, "0")

/** Length and content, as the tail of a dynamic value. */
export const bytes = (value: Hex): Words => {
  const content = value.slice(2)
  return uint(content.length / 2) + content.padEnd(Math.ceil(content.length / 64) * 64, "0")
}

const utf8 = new TextEncoder()

export const textToHex = (text: string): Hex =>
  `0x${Array.from(utf8.encode(text), (byte) => byte.toString(16).padStart(2, "0")).join("")}`

/** Length and items of a dynamic array whose items have a fixed size. */
export const array = (items: ReadonlyArray<Words>): Words => uint(items.length) + items.join("")

/** Length, offsets and items of a dynamic array whose items are dynamic too. */
export const dynamicArray = (items: ReadonlyArray<Words>): Words => uint(items.length) + tuple(items)

/** Offsets and contents of dynamic values in a row. */
export const tuple = (items: ReadonlyArray<Words>): Words => {
  let offset = items.length * 32
  const heads = items.map((item) => {
    const head = uint(offset)
    offset += item.length / 2
    return head
  })
  return heads.join("") + items.join("")
}

export const hex = (...words: ReadonlyArray<Words>): Hex => `0x${words.join("")}`

/** Reads encoded arguments. Offsets count from the reader's start; what lies outside reads as `undefined`. */
export class Reader {
  readonly body: Words
  constructor(body: Words) {
    this.body = body
  }
  /** Number of whole words. */
  get length(): number {
    return Math.floor(this.body.length / 64)
  }
  /** Returns the word as a number; missing words are zero, so callers check `length` first. */
  uint(index: number): bigint {
    const word = this.body.slice(index * 64, index * 64 + 64)
    return word.length === 64 ? BigInt(`0x${word}`) : 0n
  }
  address(index: number): Address {
    return `0x${this.body.slice(index * 64 + 24, index * 64 + 64).padEnd(40, "0")}`
  }
  /** Returns the word as a position; one too large for memory lies outside everything. */
  private position(index: number): number {
    const word = this.body.slice(index * 64, index * 64 + 64)
    return word.length === 64 ? Number(`0x${word}`) : Infinity
  }
  /** Returns a reader at the value whose offset is in the word; `undefined` when that lies outside. */
  at(index: number): Reader | undefined {
    const offset = this.position(index) * 2
    return offset + 64 > this.body.length ? undefined : new Reader(this.body.slice(offset))
  }
  /** Returns the bytes whose offset is in the word. */
  bytes(index: number): Hex | undefined {
    const start = this.position(index) * 2
    if (start + 64 > this.body.length) return undefined
    const size = Number(`0x${this.body.slice(start, start + 64)}`) * 2
    return start + 64 + size > this.body.length ? undefined : `0x${this.body.slice(start + 64, start + 64 + size)}`
  }
  /** Returns a dynamic array's items, each with its own offset; `undefined` when one lies outside. */
  private each<A>(index: number, read: (list: Reader, item: number) => A | undefined): ReadonlyArray<A> | undefined {
    const tail = this.at(index)
    const count = tail?.position(0)
    if (tail === undefined || count === undefined || count > tail.length) return undefined
    const list = new Reader(tail.body.slice(64))
    const items: Array<A> = []
    for (let at = 0; at < count; at++) {
      const item = read(list, at)
      if (item === undefined) return undefined
      items.push(item)
    }
    return items
  }
  /** Returns readers of an array's dynamic tuples. */
  items(index: number): ReadonlyArray<Reader> | undefined {
    return this.each(index, (list, item) => list.at(item))
  }
  /** Returns an array of bytes. */
  bytesItems(index: number): ReadonlyArray<Hex> | undefined {
    return this.each(index, (list, item) => list.bytes(item))
  }
}
