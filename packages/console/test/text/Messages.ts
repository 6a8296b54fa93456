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
      if (ts.isStringLiteralLike(message)) messages.push(found(message, message.text))
      else if (file.fileName !== "text/Sentence.tsx") unreadable.push(found(message, message.getText()))
    })
  }
  return { messages, unreadable }
}
