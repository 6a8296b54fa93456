/**
 * Mutants of the rules of authority, one at a time. `npm run mutants -- --authority` runs the authority model against
 * each; a mutant that no sequence detects shows a rule that is not tested.
 */
import type { Mutant } from "./Mutant.ts"

const core = "packages/core/src"
const server = "packages/server/src"
const apiKeys = `${core}/gas-wallet/ApiKeyStore.ts`
const subKeys = `${core}/gas-wallet/SubKeyStore.ts`
const association = `${server}/manager/Association.ts`
const ended = "accessKinds.filter((kind) => !keep.includes(kind))"

/** Builds a mutant with one edit. */
const mutant = (name: string, file: string, from: string, to: string): Mutant => ({ name, edits: [{ file, from, to }] })

export const authorityMutants: ReadonlyArray<Mutant> = [
  mutant(
    "a key alone gives a used wallet a manager",
    association,
    "if (!(yield* managesAll(asked, wallet, history))) return yield* notNew(wallet, history, asked)",
    "yield* managesAll(asked, wallet, history)"
  ),
  mutant(
    "a wallet in another manager's list counts as new",
    `${core}/manager/ManagerStore.ts`,
    "!acted && vaults.length === 0 && !lists.some((list) => isAnothers(list, authority))",
    "!acted && vaults.length === 0 && (lists.length >= 0 || authority === null)"
  ),
  mutant(
    "one vault of several proves a manager",
    association,
    "current.every(({ facts, network: on })",
    "current.some(({ facts, network: on })"
  ),
  mutant(
    "a limited key associates",
    association,
    "else if (!isNone(keyLimits)) return",
    "else if (isNone({ ...keyLimits, vaults: null, maxUsd18PerDay: null, readOnly: false }) === false) return"
  ),
  mutant(
    "the private key of any wallet proves this one",
    association,
    "if (address !== wallet) {",
    "if (address !== wallet && address.length === 0) {"
  ),
  ...(["managers", "sessions", "tokens"] as const).map((kind) =>
    mutant(
      `a rotation that keeps ${kind}`,
      apiKeys,
      `yield* Effect.forEach(${ended}`,
      `yield* Effect.forEach(accessKinds.filter((kind) => kind !== "${kind}" && !keep.includes(kind))`
    )
  ),
  mutant(
    "a revoked key that lives on",
    apiKeys,
    "where digest = ${digest} and revoked_at is null`",
    "where digest = ${digest}`"
  ),
  mutant(
    "a sub-key that outlives the key that made it",
    subKeys,
    "sub_keys k join api_keys p on p.id = k.parent_id and p.revoked_at is null",
    "sub_keys k join api_keys p on p.id = k.parent_id"
  ),
  mutant("a sub-key that never expires", subKeys, "and k.expires_at > now()`\n", "`\n"),
  mutant(
    "a revoked sub-key that lives on",
    subKeys,
    "where k.revoked_at is null and",
    "where k.id is not null and"
  ),
  mutant(
    "a sub-key's maximum is not enforced",
    `${core}/gas-wallet/SalesLedger.ts`,
    "if (Option.isSome(refusedToKey)) return",
    "if (Option.isSome(refusedToKey) && spending.vaults.length > 9) return"
  ),
  mutant(
    "a sub-key's maximum counts each trade alone",
    `${core}/gas-wallet/SalesLedger.ts`,
    "i.sub_key_id = ${id}::uuid\n            and s.id is distinct from",
    "i.sub_key_id = ${id}::uuid\n            and s.id is not distinct from"
  ),
  mutant(
    "a contract wallet's session counts on every network",
    `${server}/console/SignIn.ts`,
    `network: by === "contract" ? network ?? null : null`,
    "network: null"
  ),
  mutant(
    "a contract wallet's session acts on other networks",
    `${server}/console/SessionCalls.ts`,
    "return requested === undefined || requested === network\n    ? Effect.succeed({ ...params, network })",
    "return requested !== null\n    ? Effect.succeed(params)"
  ),
  mutant(
    "a contract wallet raises limits",
    `${server}/manager/ManagerApi.ts`,
    "manager: network === null ? manager : null",
    "manager"
  ),
  mutant(
    "a key raises limits",
    `${core}/gas-wallet/KeyLimitStore.ts`,
    "caller === \"operator\" || (caller !== null && (isNone(now) || setBy === caller))",
    "caller === \"operator\" || caller === null || isNone(now) || setBy === caller"
  ),
  mutant(
    "any manager raises limits",
    `${core}/gas-wallet/KeyLimitStore.ts`,
    "caller === \"operator\" || (caller !== null && (isNone(now) || setBy === caller))",
    "caller === \"operator\" || (caller !== null && (isNone(now) || setBy !== undefined))"
  ),
  mutant(
    "a key alone resumes a wallet with a manager",
    `${server}/gas-wallet/ResumeAuthority.ts`,
    `if (_tag !== "key" || !(yield* query(managers.isManaged(wallet)))) return wallet`,
    "if (_tag !== undefined) return wallet"
  ),
  mutant(
    "the owner resumes what the operator stopped",
    `${core}/gas-wallet/KillSwitch.ts`,
    "where scope = ${scope} and set_by = 'owner' returning scope`",
    "where scope = ${scope} returning scope`"
  ),
  mutant(
    "any wallet stops and resumes the bots of a vault",
    `${server}/gas-wallet/BotOwner.ts`,
    "if (isOwner) return\n",
    "if (isOwner || threshold.length > 0) return\n"
  ),
  mutant(
    "a signature counts twice",
    `${server}/manager/ManagerProof.ts`,
    "if (!fresh) {",
    "if (!fresh && nonce.length === 0) {"
  ),
  mutant(
    "a session rotates a key without a signature",
    `${server}/console/ConsoleApi.ts`,
    `yield* check({ action: "rotateKey", wallet }, signature)`,
    `yield* Effect.ignore(check({ action: "rotateKey", wallet }, signature))`
  ),
  mutant(
    "a session associates without a signature",
    `${server}/console/SignedAction.ts`,
    "        yield* proofs.verify({\n",
    "        yield* action.action === \"associateWallet\" ? Effect.void : proofs.verify({\n"
  ),
  mutant(
    "a session acts for wallets outside its list",
    `${server}/console/SessionCalls.ts`,
    "      has\n        ? Effect.void",
    "      has || wallet !== undefined\n        ? Effect.void"
  ),
  mutant(
    "a manager removes a wallet from all lists",
    `${core}/manager/ManagerStore.ts`,
    "sql`delete from manager_wallets where ${mine(sql, authority)} and wallet = ${wallet} returning wallet`",
    "sql`delete from manager_wallets where wallet = ${wallet} returning wallet`"
  )
]
