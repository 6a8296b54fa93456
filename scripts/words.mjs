/**
 * Checks comments, strings and documents against a list of words and suggests the plain word, and checks that documents
 * are wrapped. `npm run words [-- path…]`; part of lint.
 */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { extname, join, relative } from "node:path"
import ts from "typescript"
import { root } from "./install.mjs"

/** Each pattern and what to write instead. Patterns match whole words, in any case. */
export const words = [
  [/\b(told|tells?|telling)\b/, "report, return, say, notify"],
  [/\bwhat (became|becomes|came|comes) of\b/, "outcome"],
  [/\b(comes|came|come) to (nothing|an? end|its end|their end)\b/, "results in, ends"],
  [/\banew\b/, "again"],
  [/\bfor ever\b/, "forever"],
  [/\b(whoever|whomever|somebody|nobody|everybody|anybody)\b/, "name the actor"],
  [/\b(under way|on (its|their|the) way)\b/, "in progress, in flight, pending"],
  [/\bbrought to (its|their|an) end\b/, "completed"],
  [/\bmend(s|ed|ing)?\b/, "fix"],
  [/\bhand(s|ed|ing)? (over|out)\b/, "send, pass, return"],
  [/\baffair\b/, "responsibility"],
  [/\b(befall|befalls|befell|misfortunes?)\b/, "inject, fault"],
  [/\bas many as may be\b/, "the maximum"],
  [/\bthat is none\b/, "is not a"],
  [/\blook(s|ed|ing)? at\b/, "check, read, poll"],
  [/\bgoes on\b/, "continues, resumes"],
  [/\bword for word\b/, "verbatim, as it is"],
  [/\b(not|no|nothing|cannot|none)\b[^.;]*\bany more\b(?! (of|than))/, "no longer"],
  [/\bin the same breath\b/, "at the same time"],
  [/\b(is|are|was|were) to be (found|had|seen|expected)\b/, "is, are"]
]

/** Columns of a document's line. Tables, code, images and lines with a URL may be longer. */
const maxColumns = 100

/** Openings of a comment that hide its verb or its noun. */
const openings = /^(What|Who|Whoever|Whether)\b/

/** Applied migrations are never edited, whatever their words; the test of the words has them as examples. */
const skipped = new Set([
  "Words.test.ts",
  "node_modules",
  "dist",
  ".git",
  ".cache",
  "fixture",
  "generated",
  "contracts",
  "migrations"
])
const walk = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path).flatMap((name) => skipped.has(name) ? [] : walk(join(path, name)))
    : [path]

/** The comments and texts of a TypeScript or JavaScript file, with their positions. */
function textsOf(text, isJsx) {
  const found = []
  const source = ts.createSourceFile(
    "file.tsx",
    text,
    ts.ScriptTarget.Latest,
    true,
    isJsx ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  )
  const visit = (node) => {
    // Signatures of contracts keep the contract's words.
    if (ts.isStringLiteralLike(node) && /^(function|event|error) \w+\(/.test(node.text)) return
    if (
      (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) ||
        ts.isTemplateTail(node)) && / /.test(node.text)
    ) {
      found.push({ at: node.getStart(source), text: node.text, isComment: false })
    } else if (ts.isJsxText(node) && node.text.trim() !== "") {
      found.push({ at: node.getStart(source), text: node.text, isComment: false })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  const seen = new Set()
  const comments = (node) => {
    for (
      const range of [
        ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
        ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? [])
      ]
    ) {
      if (seen.has(range.pos)) continue
      seen.add(range.pos)
      const raw = text.slice(range.pos, range.end)
      found.push({
        at: range.pos,
        text: raw.replace(/^\/\*+|\*\/$|^\/\//g, "").replace(/^\s*\* ?/gm, " "),
        isComment: true
      })
    }
    node.getChildren(source).forEach(comments)
  }
  comments(source)
  return found
}

const lineAt = (text, at) => text.slice(0, at).split("\n").length

/** Names that other systems give: values of responses and accounts of the operating system. */
const foreign = /\(`nobody`\)|`nobody`|"nobody"/g

/** Returns the lines of a document that are longer than the maximum. */
function longLines(text) {
  let isCode = false
  return text.split("\n").flatMap((line, index) => {
    if (/^\s*```/.test(line)) isCode = !isCode
    return isCode || line.length <= maxColumns || /^\s*\||^!\[|https?:/.test(line)
      ? []
      : [{ line: index + 1, found: `${line.length} columns`, plain: `at most ${maxColumns}` }]
  })
}

/** The findings of a file: line, what was found, what to write instead. */
export function check(path, text) {
  const kind = extname(path)
  const parts = kind === ".md"
    ? text.split("\n").map((line, index) => ({ line: index + 1, text: line.replace(/`[^`]*`/g, ""), isComment: false }))
    : textsOf(text, kind === ".tsx").map((part) => ({ ...part, line: lineAt(text, part.at) }))
  const long = kind === ".md" ? longLines(text) : []
  return [
    ...long,
    ...parts.flatMap(({ isComment, line, text: said }) => {
      const found = words.flatMap(([pattern, plain]) => {
        const match = new RegExp(pattern.source, "i").exec(said.replace(foreign, ""))
        return match === null ? [] : [{ line, found: match[0], plain }]
      })
      const opening = isComment ? openings.exec(said.trim()) : null
      return opening === null
        ? found
        : [...found, { line, found: `"${opening[0]} …" opens a comment`, plain: "a verb or a noun" }]
    })
  ]
}

if (process.argv[1] === import.meta.filename) {
  const paths = process.argv.length > 2
    ? process.argv.slice(2)
    : ["packages", "scripts", "docs", "README.md", "AGENTS.md", "GLOSSARY.md", "CHANGELOG.md"]
  const files = paths.flatMap((path) => walk(join(root, path))).filter((path) =>
    /\.(md|ts|tsx|mjs)$/.test(path) && !path.endsWith("words.mjs")
  )
  let count = 0
  for (const path of files) {
    for (const { found, line, plain } of check(path, readFileSync(path, "utf8"))) {
      count++
      console.error(`${relative(root, path)}:${line}: ${found} → ${plain}`)
    }
  }
  console.log(`words: ${files.length} files, ${count} findings`)
  process.exitCode = count === 0 ? 0 : 1
}
