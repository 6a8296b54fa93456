/** The devnet as it runs for people: with the guards of the live networks, and pools that follow the feeds. */
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import type { Settings } from "./Settings.ts"

export const LiveDevnet = ({ service: { arbitrageSeconds, dataDir } }: Settings) =>
  Devnet.layer({
    dataDir,
    guards: "live",
    arbitrage: arbitrageSeconds === 0 ? false : `${arbitrageSeconds} seconds`
  })
