/** Detects if the first steps are done: a bot works. */
import { useBots } from "../bots/Bots.ts"

/** Returns true if any of the manager's bots is active and has decided; undefined while unknown. */
export const useHasActiveBot = (): boolean | undefined => {
  const bots = useBots().data
  if (bots === undefined) return undefined
  return bots.bots.some(({ active, last_decision }) => active && last_decision !== null) ||
    bots.index_bots.some(({ active }) => active)
}
