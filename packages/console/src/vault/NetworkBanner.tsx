/** Says on every page which networks do not answer, for as long as they do not, and how old what is shown of them is. */
import { Alert, Text } from "@mantine/core"
import { IconPlugConnectedX } from "@tabler/icons-react"
import { listOf } from "../shell/Format.ts"
import { networkName } from "../shell/Icons.tsx"
import { Time } from "../shell/Time.tsx"
import { T } from "../text/Sentence.tsx"
import { t } from "../text/Text.ts"
import { useLinks, useManaged } from "./useVaults.ts"

export function NetworkBanner() {
  const managed = useManaged().data ?? []
  const links = useLinks().data ?? []
  // Only networks where the manager has vaults matter here.
  const silent = managed.filter(({ isRead, network, vaults }) =>
    !isRead && ((vaults ?? []).length > 0 || links.some((link) => link.network === network))
  )
  if (silent.length === 0) return null
  return (
    <Alert
      color="orange"
      mb="md"
      py="xs"
      role="status"
      icon={<IconPlugConnectedX size={18} aria-hidden="true" />}
      title={t("No answer from {networks}", {
        networks: listOf(silent.map(({ network }) => networkName(network)), "and")
      })}
    >
      <Text size="sm">
        {t("Bots and orders there wait, and trade when an answer comes again.")}
      </Text>
      {silent.map(({ network, readAt }) => (
        <Text key={network} size="sm">
          {readAt === null
            ? t("{network}: nothing was read since this page was loaded.", { network: networkName(network) })
            : (
              <T
                message="{network}: what is shown was read {at}."
                values={{ network: networkName(network), at: <Time at={new Date(readAt).toISOString()} /> }}
              />
            )}
        </Text>
      ))}
    </Alert>
  )
}
