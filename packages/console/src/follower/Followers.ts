/** Live queries for vaults that follow a leader, and how people read them. */
import type { Client } from "../connection/RpcConnection.ts"
import { useLive } from "../connection/useLive.ts"
import { useAtVaults } from "../vault/Authorities.ts"
import { percent, shortHex } from "../shell/Format.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { t } from "../text/Text.ts"

const queryOf = (vault: VaultRef) =>
  [
    ["followers", vault.wallet, vault.network, vault.pool],
    (client: Client) => client.live["wallet.getFollowers"](vault)
  ] as const

/** Follows all followers that the manager's wallets have set, each once: a leader's list also has those that follow it. */
export const useFollowers = () => {
  const lists = useAtVaults("followers", queryOf)
  return {
    ...lists,
    data: lists.data && [
      ...new Map(lists.data.flatMap(({ followers }) => followers.map(({ data }) => [data.id, data] as const))).values()
    ]
  }
}

export type Follower = NonNullable<ReturnType<typeof useFollowers>["data"]>[number]

/** Follows the follower of a vault with its trades and history; idle until the vault is known. */
export const useFollowerOf = (vault: VaultRef | undefined) => {
  const [key, watch] = vault === undefined ? [["followers"], undefined] as const : queryOf(vault)
  return useLive(key, watch, ({ followers }) => ({ found: followers.find(({ data }) => data.pool === vault?.pool) }))
}

export type FollowerDetails = NonNullable<NonNullable<ReturnType<typeof useFollowerOf>["data"]>["found"]>

export const stateOf = (
  { failures, kill_switch, state }: Follower
): { readonly label: string; readonly color: string; readonly rank: number } =>
  kill_switch !== null
    ? { label: t("paused"), color: "red", rank: 1 }
    : state === "stopped"
    ? { label: t("stopped"), color: "red", rank: 0 }
    : failures > 0
    ? { label: t("{failures, plural, one {# failure} other {# failures}}", { failures }), color: "orange", rank: 2 }
    : { label: t("following"), color: "green", rank: 3 }

export const leaderOf = ({ leader, leader_kind }: Follower): string =>
  leader_kind === "vault"
    ? t("Vault {address}", { address: shortHex(leader) })
    : t("Wallet {address}", { address: shortHex(leader) })

/** Returns how a follower copies, in a sentence. */
export const copiesOf = (
  { base, max_weight, ratio }: Follower
): string => (max_weight === null
  ? t("Copies {ratio} of the weights, the rest stays in {base}", { ratio: percent(ratio), base })
  : t("Copies {ratio} of the weights, the rest stays in {base}; no asset above {maxWeight}", {
    ratio: percent(ratio),
    base,
    maxWeight: percent(max_weight)
  }))

/** Returns the parameters that set the follower again with the terms that it has. */
export const paramsOf = (follower: Follower): Readonly<Record<string, unknown>> => {
  const { assets, base, delay, interval, leader, max_impact, max_usd, max_usd_interval, max_weight, ratio } = follower
  const { slippage, threshold, without } = follower
  const terms = {
    ...{ leader, base, ratio, threshold, max_weight, max_usd, max_usd_interval, interval: `${interval}s`, assets },
    ...{ without: without.length === 0 ? null : without, delay: delay === 0 ? null : `${delay}s`, slippage, max_impact }
  }
  return Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== null))
}
