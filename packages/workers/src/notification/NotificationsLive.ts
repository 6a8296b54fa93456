/** Notification channels, their messages and commands, with the stores that only they use. */
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import { ChannelStore } from "@vault-trader/core/notification/ChannelStore"
import { ChatStore } from "@vault-trader/core/notification/ChatStore"
import { MessageStore } from "@vault-trader/core/notification/MessageStore"
import { WatchStore } from "@vault-trader/core/notification/WatchStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Kek } from "../gas-wallet/Envelope.ts"
import { LoopbackAllowed } from "../webhook/WebhooksLive.ts"
import { ChannelLive } from "./Channel.ts"
import { MessageDeliveryLive } from "./MessageDelivery.ts"
import { TelegramPollingLive } from "./TelegramPolling.ts"
import { WatchesLive } from "./Watches.ts"

/** `kek`: encrypts the channels' secrets. */
export const NotificationsLive = (kek: Kek) =>
  Layer.unwrap(
    Effect.map(LoopbackAllowed, (loopback) =>
      Layer.mergeAll(
        ChannelLive({ kek, loopback }),
        MessageDeliveryLive({ kek, loopback }),
        TelegramPollingLive(kek),
        WatchesLive
      ))
  ).pipe(
    Layer.provide([
      ChannelStore.layer,
      ChatStore.layer,
      MessageStore.layer,
      WatchStore.layer,
      KillSwitch.layer,
      ManagerStore.layer
    ])
  )
