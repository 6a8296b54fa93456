/** Returns things by a key of theirs, in the order in which the keys come first. */
export const groupedBy = <A>(all: Iterable<A>, keyOf: (each: A) => string): ReadonlyMap<string, ReadonlyArray<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const each of all) {
    const key = keyOf(each)
    const members = groups.get(key)
    if (members === undefined) groups.set(key, [each])
    else members.push(each)
  }
  return groups
}
