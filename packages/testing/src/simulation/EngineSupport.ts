/**
 * The parts of the engine that the simulation may rely on. Each switch adds faults and promises; one that is off marks
 * an engine that does not have the part yet.
 */
interface EngineSupport {
  /** Lanes are quarantined in `lane_quarantines`. While they are, nothing of them is signed. */
  readonly quarantine: boolean
  /** A database that forgot committed rows is reconciled with the chain and the signing record. */
  readonly restore: boolean
  /** Submissions have `valid_until`. */
  readonly lifetimes: boolean
}

export const engineSupport: EngineSupport = { quarantine: true, restore: true, lifetimes: true }
