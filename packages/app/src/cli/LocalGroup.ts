/** The title of the commands that LocalTools.ts has, and a build does not. */
export const localGroup = "Devnet"
