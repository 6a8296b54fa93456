/** Sums the bytes that V8 reports as allocated, from the lines of `--trace-gc --trace-gc-nvp`. */

/** Flags of Node under which a process prints a line for each garbage collection. */
export const flags = ["--trace-gc", "--trace-gc-nvp"]

/** Returns the bytes allocated on the heaps of a process's threads, as far as a collection has reported them. */
export const allocatedIn = (output: string): number => {
  let sum = 0
  for (const [, bytes] of output.matchAll(/ms: pause=.* allocated=(\d+)/g)) sum += Number(bytes)
  return sum
}
