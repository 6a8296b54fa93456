/** Errors as wallets throw them. */

/** Returns an error's message. Errors of wallets are often not `Error` instances. */
import { t } from "../text/Text.ts"
export const sentenceOf = (error: unknown): string => {
  const { message } = (typeof error === "object" && error !== null ? error : {}) as { readonly message?: unknown }
  return typeof message === "string" && message !== "" ? message : t("The wallet failed without a message.")
}

/** Returns the code of an error of a wallet (EIP-1193). */
export const codeOf = (error: unknown): unknown =>
  (typeof error === "object" && error !== null ? error as { readonly code?: unknown } : {}).code

/** Returns true if the user rejected the request (EIP-1193 code 4001). */
export const isRefusal = (error: unknown): boolean => {
  const { cause } = (typeof error === "object" && error !== null ? error : {}) as { readonly cause?: unknown }
  return codeOf(error) === 4001 || (cause !== undefined && cause !== error && isRefusal(cause))
}
