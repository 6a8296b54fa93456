/**
 * Checks the promises about lanes in a hostile world: foreign use is noticed, nothing is sent too late, a quarantined
 * lane signs nothing, and an endpoint on another chain is not used.
 */
import { engineSupport } from "./EngineSupport.ts"
import type { Expect, RunEvidence as Evidence } from "./RunEvidence.ts"

/**
 * Checks *noticed*: an alert names every foreign transaction of a wallet, or its nonce. A reorg may put another foreign
 * transaction at a nonce of which an alert says already that the key is used elsewhere.
 */
const checkNoticed = ({ alertLog, foreign, mined }: Evidence, expect: Expect) => {
  const alerts = alertLog.alerts().filter(({ kind }) => kind === "foreign_transaction")
  for (const { hash, nonce, wallet } of mined) {
    // A wallet's first check counts from the nonces that it finds.
    const first = alertLog.firstCountOf(wallet)
    if (!foreign.has(hash) || first === undefined || nonce < first) continue
    expect(
      alerts.some((alert) =>
        alert.wallet === wallet &&
        (alert.hash === hash || alert.nonce === nonce || (alert.hash === undefined && (alert.nonce ?? -1n) >= nonce))
      ),
      `noticed: no alert reports the foreign transaction ${hash} at nonce ${nonce} of ${wallet}`
    )
  }
}

/** Checks *in time*: no bytes of an intent left after the end of its lifetime. */
const checkInTime = ({ late }: Evidence, expect: Expect) => {
  for (const { millis, raw } of late) {
    expect(false, `in time: bytes left ${Math.round(millis / 1000)} s after valid_until: ${raw.slice(0, 40)}…`)
  }
}

/** Checks *quarantine instead of guessing*: nothing of a lane was signed while it was quarantined. */
const checkQuarantine = ({ forgotten, sessions }: Evidence, expect: Expect) => {
  const before = new Set<unknown>(forgotten.attempts.map(({ hash }) => hash))
  const rows = sessions.peek(`select q.wallet, q.kind, a.nonce, a.hash from lane_quarantines q
    join attempts a on a.network = q.network and a.wallet = q.wallet
    where a.created_at > q.created_at and (q.released_at is null or a.created_at < q.released_at)`)
  for (const { hash, kind, nonce, wallet } of rows) {
    // Adopted: it was signed before a restore removed its row.
    if (before.has(hash)) continue
    expect(false, `quarantine: ${String(wallet)} (${String(kind)}) signed ${String(hash)} at nonce ${String(nonce)}`)
  }
}

/** Checks that an endpoint which came back on another chain was not used. */
const checkMisdirected = ({ misdirected }: Evidence, expect: Expect) => {
  expect(
    misdirected.length === 0,
    `another chain: ${misdirected.length} calls went to an endpoint that served another chain, first ${misdirected[0]}`
  )
}

export const check = (evidence: Evidence, expect: Expect): void => {
  checkNoticed(evidence, expect)
  checkMisdirected(evidence, expect)
  if (engineSupport.lifetimes) checkInTime(evidence, expect)
  if (engineSupport.quarantine) checkQuarantine(evidence, expect)
}
