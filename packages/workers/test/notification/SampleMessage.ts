import type { Message } from "../../src/notification/Receiver.ts"

/** An urgent message with a link, for the tests of receivers. */
export const message: Message = {
  id: "01936f5a-0000-7000-8000-000000000000",
  title: "Gas is low",
  body: "momentum has 0.001 ETH on base.",
  link: "https://trade.example/console/gas-wallets",
  urgent: true,
  repeats: false
}
