/** Reads from a receipt the amounts that a transaction moved. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Log } from "@vault-trader/core/gas-wallet/Submission"
import { keccak256, pad, toHex } from "viem"

const transferTopic = keccak256(toHex("Transfer(address,address,uint256)"))

/** Sums how much of a token an address sent and received, in smallest units, from the token's own Transfer events. */
export const movedBy = (
  logs: ReadonlyArray<Log>,
  token: Address,
  address: Address
): { readonly sent: bigint; readonly received: bigint } => {
  const topic = pad(address)
  const total = (position: 1 | 2) =>
    logs
      .filter((log) =>
        log.address === token && log.topics[0] === transferTopic && log.topics.length === 3 &&
        log.topics[position] === topic
      )
      .reduce((sum, log) => sum + BigInt(log.data === "0x" ? 0 : log.data.slice(0, 66)), 0n)
  return { sent: total(1), received: total(2) }
}
