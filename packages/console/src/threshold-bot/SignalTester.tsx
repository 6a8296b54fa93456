/** Says what an alert's message would do to a bot, while it is typed; nothing is sent. */
import { Text, Textarea } from "@mantine/core"
import { understand } from "@vault-trader/core/signal/Understanding"
import { useState } from "react"
import type { Bot } from "../bots/Bots.ts"
import { t } from "../text/Text.ts"

/** Words the result for a message. */
const resultOf = (message: string, bot: Bot): string => {
  const { fault, understood: { percent, placeholders, side } } = understand({ body: message, mediaType: "", query: "" })
  if (fault !== null) return t("It would be refused. {message}", { message: fault.message })
  const share = percent === null
    ? ""
    : ` ${t("Each trade sells {percent}% of the weight that the token gives it.", { percent })}`
  const left = placeholders.length === 0
    ? ""
    : ` ${t("The chart fills in {placeholders}.", { placeholders: placeholders.join(", ") })}`
  return (side === bot.side
    ? t("It would leave the bot on {side}.", { side })
    : t("It would set the bot from {from} to {to}.", { from: bot.side, to: side })) +
    `${share}${left}`
}

export function SignalTester({ bot }: { readonly bot: Bot }) {
  const [message, setMessage] = useState("")
  return (
    <>
      <Textarea
        label={t("Try a message")}
        description={t("As the chart sends it, with its placeholders filled in. Nothing is sent.")}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={8192}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
      {message.trim() !== "" && <Text size="sm" role="status">{resultOf(message, bot)}</Text>}
    </>
  )
}
