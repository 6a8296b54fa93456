/** A transaction's hash to copy, with a link to the block explorer if the network has one. */
import { Anchor, Group } from "@mantine/core"
import type { Hash } from "@vault-trader/core/chain/Address"
import { pageOf } from "@vault-trader/core/chain/Explorer"
import { useWhoAmI } from "../connection/useWhoAmI.ts"
import { Address } from "./Address.tsx"
import { t } from "../text/Text.ts"

export function Transaction({ hash, network }: { readonly network: string | null; readonly hash: string }) {
  const explorer = useWhoAmI().data?.explorers[network ?? ""]
  return (
    <Group gap={6} wrap="nowrap" component="span" display="inline-flex">
      <Address address={hash} label={t("transaction")} />
      {explorer !== undefined && (
        <Anchor
          size="sm"
          href={pageOf(explorer, hash as Hash)}
          target="_blank"
          rel="noreferrer"
          underline="always"
          aria-label={t("Transaction {hash} at {host}", { hash: hash.slice(0, 10), host: new URL(explorer).host })}
        >
          {t("explorer ↗")}
        </Anchor>
      )}
    </Group>
  )
}
