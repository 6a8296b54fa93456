/** Whether the first steps are all done. */
import { useBots } from "../bots/Bots.ts"

/** Whether some bot of the manager works: it is active and has decided. Undefined while that is not known. */
export const useFinished = (): boolean | undefined => {
  const bots = useBots().data
  if (bots === undefined) return undefined
  return bots.bots.some(({ active, last_decision }) => active && last_decision !== null) || bots.index_bots.some(({ active }) => active)
}
