/**
 * The operator's billing settings. The gate and the actors read them, so they must be the same in all processes of a
 * service.
 */
import { type Address, parse as parseAddress } from "../chain/Address.ts"
import { type Network, names } from "../chain/Network.ts"
import * as Setting from "../configuration/Setting.ts"
import { type Prices, defaultPrices } from "./PriceList.ts"

/** Reads USD with at most six decimals. */
const usd = Setting.meaning(
  "must be USD, 0 or more, with at most 6 decimals",
  (text) => /^\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : undefined
)

const price = (name: string, what: string, fallback: number) =>
  Setting.make({ name, description: `USD charged for ${what}, once it is executed.`, config: usd, fallback })

const treasury = Setting.meaning(
  "must be an address (0x + 40 hex characters) or off",
  (text): Address | "off" | undefined => text.toLowerCase() === "off" ? "off" : parseAddress(text)
)

const addresses = Setting.meaning("must be addresses, comma-separated", (text): ReadonlyArray<Address> | undefined => {
  const parts = text.split(",").map((part) => part.trim()).filter((part) => part !== "")
  const parsed = parts.flatMap((part) => parseAddress(part) ?? [])
  return parsed.length === parts.length ? parsed : undefined
})

const treasuryOf = (network: Network) =>
  Setting.optional({
    name: `TREASURY_${network.toUpperCase()}`,
    description: `The same for ${network} alone; \`off\` leaves its charges outstanding.`,
    config: treasury,
    shown: "TREASURY"
  })

export const billingSettings = {
  treasury: Setting.optional({
    name: "TREASURY",
    description:
      "Address that gas wallets pay their charges to, in native token. Without it, or with `off`, charges stay " +
      "outstanding; on the devnet there is one.",
    config: treasury
  }),
  optimism: treasuryOf("optimism"),
  base: treasuryOf("base"),
  arbitrum: treasuryOf("arbitrum"),
  polygon: treasuryOf("polygon"),
  ethereum: treasuryOf("ethereum"),
  hyperliquid: treasuryOf("hyperliquid"),
  plasma: treasuryOf("plasma"),
  settleAboveUsd: Setting.make({
    name: "SETTLE_ABOVE_USD",
    description:
      "A wallet's charges on a network are paid once they total this many USD; 0 pays as soon as no reorg can undo them.",
    config: usd,
    fallback: 0
  }),
  maxSettlementUsd: Setting.make({
    name: "MAX_SETTLEMENT_USD",
    description:
      "Maximum value of one payment of charges: the signer refuses a larger one, and raises an alert. Larger " +
      "sums are paid by several payments.",
    config: usd,
    fallback: 100
  }),
  exempt: Setting.make<ReadonlyArray<Address>>({
    name: "BILLING_EXEMPT",
    description: "Gas wallets that are exempt from charges, comma-separated.",
    config: addresses,
    fallback: [],
    shown: "none"
  }),
  trade: price("PRICE_TRADE_USD", "a trade", defaultPrices.trade),
  approve: price("PRICE_APPROVE_USD", "an approval", defaultPrices.approve),
  lend: price("PRICE_LEND_USD", "lending, unlending, borrowing and repaying", defaultPrices.lend),
  liquidity: price("PRICE_LIQUIDITY_USD", "adding and removing liquidity", defaultPrices.liquidity),
  managerFee: price(
    "PRICE_MANAGER_FEE_USD",
    "minting manager fees, one vault's or a batch's",
    defaultPrices.managerFee
  ),
  exchangeTrade: price("PRICE_EXCHANGE_TRADE_USD", "a trade at an exchange", defaultPrices.exchangeTrade)
}

/** Returns the prices among the settings' values. */
export const pricesOf = (set: Omit<Prices, "free">): Prices => {
  const { approve, exchangeTrade, lend, liquidity, managerFee, trade } = set
  return { free: 0, approve, exchangeTrade, lend, liquidity, managerFee, trade }
}

/** Returns the treasury of each network. `fallback` applies where no setting is given. */
export const treasuriesOf = (
  set: { readonly treasury: Address | "off" | undefined } & { readonly [N in Network]: Address | "off" | undefined },
  fallback?: Address
): ReadonlyMap<Network, Address> =>
  new Map(names.flatMap((network) => {
    const address = set[network] ?? set.treasury ?? fallback ?? "off"
    return address === "off" ? [] : [[network, address] as const]
  }))
