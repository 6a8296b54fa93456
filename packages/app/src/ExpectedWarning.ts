/** Warnings of Node that are expected, and need no reader. */

/** Checks for the warning that strategies' types are stripped by a feature that is experimental: their loader uses it. */
export const isExpected = ({ message, name }: Error): boolean =>
  name === "ExperimentalWarning" && message.startsWith("stripTypeScriptTypes ")

/** Leaves out the expected warnings; Node prints the others as ever. */
export const silence = (): void => {
  const listeners = process.listeners("warning")
  process.removeAllListeners("warning")
  process.on("warning", (warning) => {
    if (!isExpected(warning)) { for (const listener of listeners) listener(warning) }
  })
}
