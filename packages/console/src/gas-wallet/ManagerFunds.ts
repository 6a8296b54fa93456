/** Balance of the manager's wallet on its current network, and the amount that a refill must leave for gas. */
import { useQuery } from "@tanstack/react-query"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem"
import { balanceOf, gasOf, gasPriceOf, mustBeOn, type OwnWallet, read } from "../session/ManagerWallet.ts"

/** The OP-stack contract that estimates the cost of publishing a transaction on ethereum. */
const oracle = "0x420000000000000000000000000000000000000f"
const oracleAbi = parseAbi(["function getL1FeeUpperBound(uint256 size) view returns (uint256)"])
/** Assumed transaction size in bytes; a transfer has about 120. */
const size = 200n
/** Wei; used when the oracle cannot be read. */
const unknownDataFee = 30_000_000_000_000n

const dataFeeOf = async (own: OwnWallet, network: Network): Promise<bigint> => {
  if (network !== "base" && network !== "optimism") return 0n
  const answer = await read(
    own,
    oracle,
    encodeFunctionData({ abi: oracleAbi, functionName: "getL1FeeUpperBound", args: [size] })
  ).catch(() => "0x" as const)
  return answer.length < 66
    ? unknownDataFee
    : decodeFunctionResult({ abi: oracleAbi, functionName: "getL1FeeUpperBound", data: answer }) * 2n
}

/**
 * Returns the wei to keep for gas: wallets require up to three times the gas price upfront, and the data fee may change
 * meanwhile.
 */
const headroomOf = async (own: OwnWallet, network: Network, to: `0x${string}`): Promise<bigint> => {
  const [gas, price, dataFee] = await Promise.all([
    gasOf(own, { to, value: 1n }).catch(() => 30_000n),
    gasPriceOf(own),
    dataFeeOf(own, network)
  ])
  return gas * price * 3n + dataFee
}

export const useOwnFunds = ({ chainId, network, own, to }: {
  readonly own: OwnWallet | undefined
  readonly chainId: number | undefined
  readonly network: Network
  readonly to: `0x${string}`
}) => {
  // The wallet's node serves only its current network.
  const isOnNetwork = own !== undefined && chainId === facts[network].chainId
  const { data } = useQuery({
    queryKey: ["own-funds", own?.account, network, to],
    enabled: isOnNetwork,
    refetchInterval: 4_000,
    queryFn: async () => {
      await mustBeOn(own as OwnWallet, network)
      const [balance, headroom] = await Promise.all([
        balanceOf(own as OwnWallet),
        headroomOf(own as OwnWallet, network, to)
      ])
      return { balance, headroom, spare: balance > headroom ? balance - headroom : 0n }
    }
  })
  return isOnNetwork ? data : undefined
}
