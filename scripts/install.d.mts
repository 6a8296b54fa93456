/** Prints one sentence on standard error and exits with code 1. */
export function fail(sentence: string): never
