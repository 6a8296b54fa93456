import type * as Rpc from "effect/rpc/Rpc"
import * as RpcSchema from "effect/rpc/RpcSchema"
import { assert, describe, it } from "@effect/vitest"
import { ConsoleCalls, ManagerCalls, Reads, LiveCalls, WalletCalls } from "../../src/console/ConsoleApi.ts"
import { callOf } from "../../src/console/LiveStreams.ts"
import { factsOf } from "../../src/endpoint/Endpoint.ts"

const calls = [...WalletCalls.requests.values(), ...ManagerCalls.requests.values()] as unknown as ReadonlyArray<
  Rpc.AnyWithProps
>
const streams = new Set<string>(LiveCalls.requests.keys())

describe("the console's streams", () => {
  it("exist for every read-only call, and for no call that changes anything", () => {
    for (const rpc of calls) {
      assert.strictEqual(streams.has(`live.${rpc._tag}`), factsOf(rpc).class === "readOnly", rpc._tag)
    }
    for (const tag of ConsoleCalls.requests.keys()) assert.isFalse(streams.has(`live.${tag}`), tag)
    assert.isTrue(streams.has("live.activity"))
  })

  it("repeat an existing call behind the same admission", () => {
    for (const [name, rpc] of LiveCalls.requests) {
      const call = Reads.requests.get(callOf(name)) as unknown as Rpc.AnyWithProps
      assert.isDefined(call, name)
      assert.isTrue(RpcSchema.isStreamSchema((rpc as unknown as Rpc.AnyWithProps).successSchema), name)
      assert.deepStrictEqual([...(rpc as unknown as Rpc.AnyWithProps).middlewares], [...call.middlewares], name)
    }
  })
})
