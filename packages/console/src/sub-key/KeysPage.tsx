/** Keys: the sub-keys of all gas wallets, and the limits of the wallets' own keys. */
import { Anchor, Button, Card, Text } from "@mantine/core"
import { IconKey } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { EmptyState } from "../shell/EmptyState.tsx"
import { limitText } from "../shell/Format.ts"
import { Page } from "../shell/Page.tsx"
import { ResponsiveTable } from "../shell/ResponsiveTable.tsx"
import { Section } from "../shell/Section.tsx"
import { Time } from "../shell/Time.tsx"
import { useDialog } from "../shell/useDialog.ts"
import { labelOf, limitsOf, mayOf, useKeys, type WalletKeys } from "./SubKeys.ts"
import { t } from "../text/Text.ts"

const SubKeyForm = lazy(() => import("./SubKeyForm.tsx").then(({ SubKeyForm }) => ({ default: SubKeyForm })))
const LimitsForm = lazy(() => import("./LimitsForm.tsx").then(({ LimitsForm }) => ({ default: LimitsForm })))

function SubKeys({ keys }: { readonly keys: ReadonlyArray<WalletKeys> }) {
  return (
    <ResponsiveTable
      label={t("Sub-keys")}
      columns={[t("Sub-key"), t("Gas wallet"), t("It may"), t("Max a day"), t("Ends"), t("Last used")]}
      rows={keys.flatMap(({ address, name, subKeys }) =>
        subKeys.map((key) => ({
          key: key.sub_key_id,
          cells: [
            <Anchor
              key="label"
              component={Link}
              to="/keys/$wallet/$key"
              params={{ wallet: address, key: key.sub_key_id } as never}
              size="sm"
              fw={600}
            >
              {labelOf(key)}
            </Anchor>,
            name,
            mayOf(key),
            limitText(key.max_usd_per_day),
            <Time key="ends" at={key.expires_at} />,
            key.last_used_at === null ? t("never") : <Time key="used" at={key.last_used_at} />
          ]
        }))
      )}
    />
  )
}

export function KeysPage() {
  const query = useKeys()
  const keys = query.data ?? []
  const { close, dialog, open } = useDialog<"add" | WalletKeys>()
  const hasSome = keys.some(({ subKeys }) => subKeys.length > 0)
  const add = <Button onClick={() => open("add")} disabled={keys.length === 0}>{t("Create a sub-key")}</Button>
  return (
    <Page title={t("Keys")} query={query} actions={hasSome && add}>
      {hasSome
        ? (
          <Section title={t("Sub-keys")}>
            <SubKeys keys={keys} />
          </Section>
        )
        : (
          <Card withBorder>
            <EmptyState icon={<IconKey size={22} />} title={t("No sub-key yet")} action={add}>
              {t(
                "Give an agent or a script a key of its own instead of the wallet’s: it reads only, or trades " +
                  "within vaults and US dollars that you choose, and ends by itself."
              )}
            </EmptyState>
          </Card>
        )}
      <Section title={t("Limits of your gas wallets")}>
        {keys.length === 0
          ? <Text size="sm" c="dimmed">{t("Add a gas wallet first.")}</Text>
          : (
            <ResponsiveTable
              label={t("Limits")}
              columns={[t("Gas wallet"), t("Limits"), t("API key"), t("Change")]}
              rows={keys.map((each) => ({
                key: each.address,
                cells: [
                  each.name,
                  limitsOf(each.limits),
                  each.apiKey === null ? "none" : t("ends in {lastFour}", { lastFour: each.apiKey.last_four }),
                  <Button
                    key="change"
                    size="compact-sm"
                    variant="default"
                    aria-label={t("Set limits of {name}", { name: each.name })}
                    onClick={() => open(each)}
                  >
                    {t("Set limits")}
                  </Button>
                ]
              }))}
            />
          )}
      </Section>
      <Suspense fallback={null}>
        {dialog === "add" && <SubKeyForm close={close} />}
        {dialog !== undefined && dialog !== "add" && <LimitsForm keys={dialog} close={close} />}
      </Suspense>
    </Page>
  )
}
