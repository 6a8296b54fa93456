/** Holds what `connection/Wire.ts` relies on: responses need no decoding in the browser, and nothing else is decoded. */
import { assert, it } from "@effect/vitest"
import { ConsoleApi } from "@vault-trader/core/console/ConsoleApi"
import type * as Rpc from "effect/rpc/Rpc"
import type * as SchemaAST from "effect/SchemaAST"

const plain = ["String", "Number", "Boolean", "Literal", "Null", "Undefined", "Unknown", "Void", "Never", "Any"]

const childrenOf = (ast: SchemaAST.AST): ReadonlyArray<readonly [name: string, ast: SchemaAST.AST]> =>
  ast._tag === "Objects"
    ? [
      ...ast.propertySignatures.map(({ name, type }) => [`.${String(name)}`, type] as const),
      ...ast.indexSignatures.map(({ type }) => ["[*]", type] as const)
    ]
    : ast._tag === "Arrays"
    ? [...ast.elements, ...ast.rest].map((each) => ["[]", each] as const)
    : ast._tag === "Union"
    ? ast.types.map((each) => ["", each] as const)
    : []

/** Lists the places of a type whose form on the wire is not the value itself. */
const changedPlaces = (ast: SchemaAST.AST, path: string): ReadonlyArray<string> => {
  const own = ast.encoding !== undefined || !(plain.includes(ast._tag) || childrenOf(ast).length > 0 ||
    ["Objects", "Arrays", "TemplateLiteral"].includes(ast._tag))
  return [...(own ? [path] : []), ...childrenOf(ast).flatMap(([name, child]) => changedPlaces(child, path + name))]
}

const calls = [...ConsoleApi.requests.values()] as unknown as ReadonlyArray<Rpc.AnyWithProps>

it("sends every response as it is, apart from secrets, which are text, JSON of any kind, and a default that the service fills in", () => {
  const changed = calls
    .filter(({ _tag }) => !_tag.startsWith("live."))
    .flatMap(({ _tag, successSchema }) => changedPlaces(successSchema.ast, _tag))
  assert.deepStrictEqual([...new Set(changed)].sort(), [
    "createWallet.apiKey",
    "createWallet.privateKey",
    "manager.createChannel.bind_code",
    "manager.createChannel.bind_url",
    "manager.getAuditLog.entries[].details[*]",
    "manager.setWebhook.secret",
    "manager.updateChannel.bind_code",
    "manager.updateChannel.bind_url",
    "rotateKey",
    "signed.createSubKey.apiKey",
    "wallet.createWebhookToken.path",
    "wallet.createWebhookToken.token",
    "wallet.deleteStrategyBot.data.inputs[*]",
    "wallet.deleteStrategyBot.data.memory",
    "wallet.getStrategyBots.bots[].data.inputs[*]",
    "wallet.getStrategyBots.bots[].data.memory",
    "wallet.getStrategyBots.bots[].decisions[].decision",
    "wallet.setStrategyBot.data.inputs[*]",
    "wallet.setStrategyBot.data.memory",
    "wallet.vaultTrade.redemption.paid_by"
  ])
})
