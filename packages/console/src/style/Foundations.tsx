/** Type, colours, figures and icons. */
import { Group, Stack, Text } from "@mantine/core"
import { amount, compactMoney, money, moment, percent, price, signedMoney, signedPercent } from "../shell/Format.ts"
import { NetworkIcon, networkName, PairIcon, TokenIcon } from "../shell/Icons.tsx"
import { Mark } from "../shell/Mark.tsx"
import { Section } from "../shell/Section.tsx"

export function Type() {
  return (
    <Section title="Type">
      {([1, 2, 3, 4, 5] as const).map((order) => (
        <Text key={order} component="div" fz={`h${order}`} fw={650} lh={1.3}>
          Heading {order}: Momentum gained 4.2 %
        </Text>
      ))}
      <Text>Body: every step is verified on chain.</Text>
      <Text size="sm">Small: next check in 12 s.</Text>
      <Text size="sm" c="dimmed">Dimmed: updated 3 s ago.</Text>
      <Text size="sm" ff="monospace">Mono: 0x5c4e…c1f2</Text>
    </Section>
  )
}

export function Figures() {
  const rows = [
    ["Money", money(1_234_567.891), money(-12.5), money(null)],
    ["Compact money", compactMoney(1_234_567.891), compactMoney(-250_000), compactMoney(null)],
    ["Gain or loss", signedMoney(42), signedMoney(-42), signedMoney(null)],
    ["Amount", amount("1234.56789"), amount("0.00012345678"), amount(null)],
    ["Price", price(3012.345), price(0.000123456), price(null)],
    ["Percent", percent(12.345), percent(-0.5), signedPercent(null)],
    ["Change", signedPercent(1.5), signedPercent(-1.5), signedPercent(0)],
    ["Time", moment("2026-11-20T10:00:00.000Z"), "", ""]
  ]
  return (
    <Section title="Figures">
      <table className="table figures" aria-label="Figures">
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th className="plain" scope="row">{name}</th>
              {cells.map((cell, index) => <td className="end" key={index}>{cell}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

export function MarkAndIcons() {
  return (
    <Section title="Mark and icons">
      <Stack gap="sm">
        <Group>
          <Mark size={48} />
          <Mark />
          <Mark size={16} />
        </Group>
        <Group gap="sm">
          {["WETH", "USDC", "USDT", "DAI", "WBTC", "AAVE", "POL", "PEPE", "stETH"].map((symbol) => (
            <Group key={symbol} gap={6}>
              <TokenIcon symbol={symbol} />
              <Text size="sm">{symbol}</Text>
            </Group>
          ))}
          <PairIcon pair="WETH-USDC" />
        </Group>
        <Group gap="sm">
          {["base", "optimism", "arbitrum", "polygon", "ethereum", "hyperliquid", "plasma"].map((network) => (
            <Group key={network} gap={6}>
              <NetworkIcon network={network} />
              <Text size="sm">{networkName(network)}</Text>
            </Group>
          ))}
        </Group>
      </Stack>
    </Section>
  )
}

const colours = [
  ["Page", "var(--page-background)"],
  ["Card", "var(--card-background)"],
  ["Border", "var(--mantine-color-default-border)"],
  ["Primary", "var(--mantine-primary-color-filled)"],
  ["Link", "var(--mantine-color-anchor)"],
  ["Text", "var(--mantine-color-text)"],
  ["Dimmed", "var(--mantine-color-dimmed)"],
  ["Gain", "var(--gain)"],
  ["Loss", "var(--loss)"]
] as const

export function Colours() {
  return (
    <Section title="Colours">
      <Group gap="sm">
        {colours.map(([name, colour]) => (
          <div key={name}>
            <div
              style={{
                ...{ width: 64, height: 36, borderRadius: 8, background: colour },
                border: "1px solid var(--mantine-color-default-border)"
              }}
            />
            <Text size="xs">{name}</Text>
          </div>
        ))}
      </Group>
    </Section>
  )
}
