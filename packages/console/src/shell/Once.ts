/** Values that are made once for each object of an answer, which is never changed: a new answer has other objects. */

/** Returns the function, which computes its value for an object only once. */
export const once = <Given extends object, Made>(make: (given: Given) => Made): (given: Given) => Made => {
  const made = new WeakMap<Given, { readonly value: Made }>()
  return (given) => {
    const found = made.get(given) ?? { value: make(given) }
    made.set(given, found)
    return found.value
  }
}
