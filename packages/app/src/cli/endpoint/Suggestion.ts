/** The nearest name to one that does not exist. */

/** Returns the number of characters to insert, delete or replace between two words. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let left = 1; left <= one.length; left++) {
    const next = [left]
    for (let right = 1; right <= other.length; right++) {
      const replaced = (row[right - 1] ?? 0) + (one[left - 1] === other[right - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[right] ?? 0) + 1, (next[right - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}

/** Returns the name that was probably meant; undefined when none is near. */
export const nearest = (word: string, names: Iterable<string>): string | undefined => {
  const wanted = word.toLowerCase().slice(0, 64)
  let best: string | undefined
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const name of names) {
    const found = distance(wanted, name.toLowerCase())
    if (found < least) [best, least] = [name, found]
  }
  return best
}

/** Returns the end of a sentence about a word that does not exist. */
export const hint = (word: string, names: Iterable<string>): string => {
  const name = nearest(word, names)
  return name === undefined ? "." : `; did you mean ${name}?`
}
