import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { maxSessions, SessionStore } from "../../src/console/SessionStore.ts"
import { Database, freshAddress } from "../storage/Database.ts"

const hourAhead = () => Math.floor(Date.now() / 1000) + 3_600
const digest = (manager: string, index: number) => `${manager.slice(2, 42)}${index.toString(16).padStart(24, "0")}`

layer(Layer.provideMerge(SessionStore.layer, Database), { timeout: "4 minutes", excludeTestServices: true })(
  "sessions",
  (it) => {
    it.effect("of one manager are bounded: a new one ends that manager's oldest", () =>
      Effect.gen(function*() {
        const store = yield* SessionStore
        const [many, other] = [yield* freshAddress, yield* freshAddress]
        const open = (manager: typeof many, index: number) =>
          store.open({ digest: digest(manager, index), manager, network: null, expiresAt: hourAhead() })
        const lives = (manager: typeof many, index: number) =>
          Effect.map(store.find(digest(manager, index)), Option.isSome)
        yield* open(other, 0)
        for (let index = 0; index <= maxSessions; index++) yield* open(many, index)
        assert.deepStrictEqual([
          yield* lives(many, 0),
          yield* lives(many, 1),
          yield* lives(many, maxSessions),
          yield* lives(other, 0)
        ], [false, true, true, true])
      }))
  }
)
