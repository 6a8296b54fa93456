/** The messages that the console's sources pass to `t` and to `T`, and the texts that they pass to neither. */
import ts from "typescript"
import * as Fs from "node:fs"
import * as Path from "node:path"

export const folder = Path.join(import.meta.dirname, "../../src")

export interface Found {
  readonly file: string
  readonly line: number
  readonly text: string
}

/** The sources, without the page of the design system's parts, which is not part of the service. */
export const sources: ReadonlyArray<ts.SourceFile> = Fs.readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name) && !name.startsWith("style/"))
  .sort()
  .map((name) =>
    ts.createSourceFile(name, Fs.readFileSync(Path.join(folder, name), "utf8"), ts.ScriptTarget.Latest, true)
  )

const found = (node: ts.Node, text: string): Found => {
  const file = node.getSourceFile()
  return { file: file.fileName, line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1, text }
}

/** Visits a node and all below it. */
export const walk = (node: ts.Node, visit: (node: ts.Node) => void): void => {
  visit(node)
  ts.forEachChild(node, (child) => walk(child, visit))
}

/** Returns the message of a call of `t` or of the `message` of a `T`; undefined for other nodes. */
const messageNode = (node: ts.Node): ts.Node | undefined => {
  if (ts.isCallExpression(node)) {
    return ts.isIdentifier(node.expression) && node.expression.text === "t" ? node.arguments[0] : undefined
  }
  if (!ts.isJsxAttribute(node) || node.name.getText() !== "message") return undefined
  const element = node.parent.parent
  if (element.tagName.getText() !== "T" || node.initializer === undefined) return undefined
  return ts.isJsxExpression(node.initializer) ? node.initializer.expression : node.initializer
}

/** Returns the text of a literal, or of literals that are joined because they are long. */
const literalOf = (node: ts.Node): string | undefined => {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined
  const [left, right] = [literalOf(node.left), literalOf(node.right)]
  return left === undefined || right === undefined ? undefined : left + right
}

/** Returns the messages of the sources. A message must be a literal, so that a catalogue can have it. */
export const messagesOf = (
  files: ReadonlyArray<ts.SourceFile>
): { readonly messages: ReadonlyArray<Found>; readonly unreadable: ReadonlyArray<Found> } => {
  const messages: Array<Found> = []
  const unreadable: Array<Found> = []
  for (const file of files) {
    walk(file, (node) => {
      const message = messageNode(node)
      if (message === undefined) return
      const text = literalOf(message)
      if (text !== undefined) messages.push(found(message, text))
      else if (file.fileName !== "text/Sentence.tsx") unreadable.push(found(message, message.getText()))
    })
  }
  return { messages, unreadable }
}

/** Returns true for a call of `t`, or an expression that has one as a part. */
const hasMessage = (node: ts.Node): boolean => {
  let isFound = false
  walk(node, (each) => {
    if (ts.isCallExpression(each) && each.expression.getText() === "t") isFound = true
  })
  return isFound
}

/** Between messages that are phrases of their own: a dot, a new line, brackets, or a space after a sentence. */
const separators = /^[\s·]*$/

/** Returns the texts that are made of messages and words, or of a message in another's place of a list. */
export const joinedTexts = (files: ReadonlyArray<ts.SourceFile>): ReadonlyArray<Found> => {
  const joined: Array<Found> = []
  for (const file of files) {
    walk(file, (node) => {
      if (ts.isTemplateExpression(node) && node.templateSpans.some(({ expression }) => hasMessage(expression))) {
        const glue = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]
        if (!glue.every((each) => separators.test(each))) joined.push(found(node, node.getText()))
      }
      // Intl.ListFormat joins with the language's own words.
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return
      if (node.expression.name.text !== "join" || !hasMessage(node)) return
      const [by] = node.arguments
      if (by === undefined || !ts.isStringLiteralLike(by) || !separators.test(by.text)) {
        joined.push(found(node, node.getText()))
      }
    })
  }
  return joined
}

/** Lists the sources that are loaded with the entry, before the catalogue is. */
export const initialSources = (): ReadonlyArray<string> => {
  const seen = new Set<string>()
  const visit = (name: string): void => {
    const file = sources.find(({ fileName }) => fileName === name)
    if (file === undefined || seen.has(name)) return
    seen.add(name)
    for (const statement of file.statements) {
      if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue
      const from = statement.moduleSpecifier
      if (from === undefined || !ts.isStringLiteral(from) || !from.text.startsWith(".")) continue
      visit(Path.join(Path.dirname(name), from.text))
    }
  }
  visit("main.tsx")
  return [...seen]
}

/** Attributes that programs read. */
const attributes = /^(style|className|to|key|size|variant|color|c|href|role|d|viewBox|aria-keyshortcuts|value)$/

/** Names, and other texts that are the same in each language or that people do not read. */
const names = new Set([
  ...["Vault Trader", "Telegram", "Discord", "Slack", "Webhook", "Webhook URL", "Address"],
  ...["Arbitrum One", "Arbitrum", "Base", "Ethereum", "HyperEVM", "Hyperliquid", "Optimism", "Plasma", "Polygon"],
  ...["Ether", "English", "Deutsch", "Español", "ArrowDown", "ArrowUp", "FundCreated", "side", "/start", "end wide"],
  ...["Velodrome", "Aerodrome"],
  // A state, whose label is a message.
  "on hold",
  // The service's records are in English.
  "stopped in the console"
])

/** Modules whose strings are fonts, names of pages or of contracts, code, or words of the protocol. */
const withoutTexts = new Set([
  ...["Theme.ts", "Routes.tsx", "vault/VaultContracts.ts", "gas-wallet/ManagerFunds.ts"],
  "webhook/VerificationCode.ts"
])
const protocol = new Set([
  "SignedOut",
  "Fail",
  "Interrupt",
  "Request",
  "Ping",
  "Pong",
  "Defect",
  "Chunk",
  "Ack",
  "Success"
])

const isOutside = (node: ts.Node, isText: (parent: ts.Node) => boolean): boolean => {
  for (let parent = node.parent; parent !== undefined; parent = parent.parent) if (isText(parent)) return true
  return false
}

const isProgramText = (node: ts.Node): boolean =>
  isOutside(
    node,
    (parent) =>
      ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isTypeNode(parent) ||
      (ts.isCallExpression(parent) && parent.expression.getText() === "t") ||
      (ts.isJsxAttribute(parent) &&
        (attributes.test(parent.name.getText()) ||
          (parent.name.getText() === "message" && parent.parent.parent.tagName.getText() === "T"))) ||
      (ts.isPropertyAssignment(parent) && /^(key|id)$/.test(parent.name.getText()))
  )

const textOf = (node: ts.Node): string | undefined =>
  ts.isJsxText(node)
    ? node.text.trim()
    : ts.isTemplateExpression(node)
    ? node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join("")
    : ts.isStringLiteralLike(node) && !(ts.isPropertyAssignment(node.parent) && node.parent.name === node)
    ? node.text
    : undefined

/** Returns true for what looks like words: a capital, or two words. Text between tags is always words. */
const looksLikeWords = (node: ts.Node, text: string): boolean =>
  /\p{L}{2}/u.test(text.replaceAll("{}", "")) &&
  (ts.isJsxText(node) || /^[A-Z][a-z]|[a-z]{2} [a-z{]|\} [a-z]{2}/.test(text))

/** Returns the texts for people that are passed neither to `t` nor to `T`. */
export const textsOutside = (files: ReadonlyArray<ts.SourceFile>): ReadonlyArray<Found> => {
  const outside: Array<Found> = []
  for (const file of files.filter(({ fileName }) => !withoutTexts.has(fileName))) {
    walk(file, (node) => {
      const text = textOf(node)
      if (text === undefined || names.has(text) || protocol.has(text) || !looksLikeWords(node, text)) return
      if (!isProgramText(node)) outside.push(found(node, text))
    })
  }
  return outside
}
