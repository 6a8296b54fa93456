/** Builds the console where what it is made of has changed since. */
export function buildConsole(): Promise<void>
