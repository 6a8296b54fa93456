/** The devnet as it runs for people: with the guards of the live networks, prices that move, and pools that follow. */
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import type { Settings } from "./Settings.ts"

const every = (seconds: number) => seconds === 0 ? false : `${seconds} seconds` as const

export const LiveDevnet = ({ service: { arbitrageSeconds, dataDir, priceSeconds } }: Settings) =>
  Devnet.layer({
    dataDir,
    guards: "live",
    arbitrage: every(arbitrageSeconds),
    priceMoves: every(priceSeconds)
  })
