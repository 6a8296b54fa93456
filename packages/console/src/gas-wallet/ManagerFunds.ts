/** What the manager's own wallet holds on the network it is on, and what of it a refill must leave for its own gas. */
import { useQuery } from "@tanstack/react-query"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem"
import { balanceOf, gasOf, gasPriceOf, mustBeOn, type OwnWallet, read } from "../session/ManagerWallet.ts"

/** Where rollups of this kind say what publishing a transaction on ethereum costs. */
const oracle = "0x420000000000000000000000000000000000000f"
const oracleAbi = parseAbi(["function getL1FeeUpperBound(uint256 size) view returns (uint256)"])
/** Bytes; a transfer has about 120. */
const size = 200n
/** Wei, where the oracle does not say. */
const unknownDataFee = 30_000_000_000_000n

const dataFeeOf = async (own: OwnWallet, network: Network): Promise<bigint> => {
  if (network !== "base" && network !== "optimism") return 0n
  const answer = await read(own, oracle, encodeFunctionData({ abi: oracleAbi, functionName: "getL1FeeUpperBound", args: [size] })).catch(() => "0x" as const)
  return answer.length < 66 ? unknownDataFee : decodeFunctionResult({ abi: oracleAbi, functionName: "getL1FeeUpperBound", data: answer }) * 2n
}

/** Wei that stay behind: wallets demand up to thrice the gas price beforehand, and the data fee moves meanwhile. */
const headroomOf = async (own: OwnWallet, network: Network, to: `0x${string}`): Promise<bigint> => {
  const [gas, price, dataFee] = await Promise.all([gasOf(own, { to, value: 1n }).catch(() => 30_000n), gasPriceOf(own), dataFeeOf(own, network)])
  return gas * price * 3n + dataFee
}

export const useOwnFunds = ({ chainId, network, own, to }: {
  readonly own: OwnWallet | undefined
  readonly chainId: number | undefined
  readonly network: Network
  readonly to: `0x${string}`
}) => {
  // The wallet's node knows one network at a time.
  const there = own !== undefined && chainId === facts[network].chainId
  const { data } = useQuery({
    queryKey: ["own-funds", own?.account, network, to],
    enabled: there,
    refetchInterval: 4_000,
    queryFn: async () => {
      await mustBeOn(own as OwnWallet, network)
      const [balance, headroom] = await Promise.all([balanceOf(own as OwnWallet), headroomOf(own as OwnWallet, network, to)])
      return { balance, headroom, spare: balance > headroom ? balance - headroom : 0n }
    }
  })
  return there ? data : undefined
}
